import Synchronization

/// Visits the contexts that hang on some handles and on nothing else, for a garbage collector:
/// rac_visit_contexts.
///
/// A handle whose references are all given goes with its reference to its object. `Visitor` finds
/// the objects that go then; each object names in `visit` those that it holds. The handles are
/// pinned meanwhile.
enum Visiting {
  static func visit(
    _ handles: UnsafeBufferPointer<UnsafeMutableRawPointer?>, _ function: @escaping rac_visit_fn,
    _ context: UnsafeMutableRawPointer?
  ) {
    var visitor = Visitor(function, context)
    for handle in handles { look(at: OpaquePointer(handle), &visitor) }
    visitor.visitAll()
    visitor.leaveAll()
    visitor.deallocate()
  }

  private static func look(at handle: OpaquePointer?, _ visitor: inout Visitor) {
    guard let handle, let (slot, _) = Handles.locate(handle) else { return }
    let word = slot.word.pointee.load(ordering: .acquiring)
    // So many references, each of which is given here and pinned: nobody else has it or is using
    // it.
    let references = (word & Word.references) / Word.oneReference
    guard word & Word.immortal == 0, (word & Word.pins) / Word.onePin == references,
      references == 1 || visitor.count(handle: UInt(bitPattern: handle)) == references
    else { return }
    let object = Unmanaged<Object>.fromOpaque(slot.object)
    switch HandleKind(rawValue: 1 &<< UInt32(slot.kind.pointee)) {
    // The last handle ends these, even while others hold them.
    case .property: object._withUnsafeGuaranteedRef { lookIntoProperty($0, &visitor) }
    case .subscriber:
      object._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: Subscriber.self).visitWhatEnds(&visitor)
      }
    case .command: object._withUnsafeGuaranteedRef { $0.visit(&visitor) }
    default: visitor.reference(slot.object)
    }
  }

  /// Its last handle ends it, and its subscribers.
  private static func lookIntoProperty(_ object: Object, _ visitor: inout Visitor) {
    let core = unsafeDowncast(object, to: Property.self).core
    if core.isEntered(by: &visitor) {
      visitor.subscribers(of: core, atEnd: true)
      if !core.isReadOnly && !core.isKeptByUser { visitor.value(core.current) }
    }
    visitor.reference(Unmanaged.passUnretained(object).toOpaque())
  }
}
