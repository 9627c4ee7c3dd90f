import CRACShims
import Synchronization

/// What hangs on some handles and on nothing else, for a garbage collector: rac_visit_contexts.
///
/// ```
/// handle, its only reference
///   subject       its subscribers: row, stage, callbacks, another subject; what it remembers
///   row           its steps, their contexts, their states; what is below
///   property      its subscribers, who end with it, and its value
///   signal        its steps; the signal that it is made of; the context of one that calls back
///   command       its context
///   disposable    the context of its action
/// ```
/// Visitor says which of these go. Gates that are entered to look at subscribers are kept until all is over, so that
/// nobody lets go of what has yet to be looked into; and the handles are pinned.
struct Visiting {
  private var visitor: Visitor
  /// Cores whose gate this thread is in.
  private let cores: UnsafeMutablePointer<UInt>
  private var entered = 0
  private var depth = 0

  private static var room: Int { 64 }

  static func visit(
    _ handles: UnsafeBufferPointer<UnsafeMutableRawPointer?>, _ function: @escaping rac_visit_fn,
    _ context: UnsafeMutableRawPointer?
  ) {
    var call = Call(handles: handles, function: function, context: context)
    withUnsafeMutablePointer(to: &call) {
      rac_shim_with_words(
        { call, words in
          guard let call, let words else { return }
          let made = call.assumingMemoryBound(to: Call.self).pointee
          let memory = UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt.self)
          var visiting = Visiting(
            visitor: Visitor(made.function, made.context, memory: memory + Visiting.room),
            cores: memory)
          visiting.look(at: made.handles)
        }, $0)
    }
  }

  private struct Call {
    let handles: UnsafeBufferPointer<UnsafeMutableRawPointer?>
    let function: rac_visit_fn
    let context: UnsafeMutableRawPointer?
  }

  private init(visitor: Visitor, cores: UnsafeMutablePointer<UInt>) {
    self.visitor = visitor
    self.cores = cores
  }

  /// The caller has pinned them.
  private mutating func look(at handles: UnsafeBufferPointer<UnsafeMutableRawPointer?>) {
    for handle in handles { look(at: OpaquePointer(handle)) }
    while let object = visitor.next() { look(into: object) }
    leaveAll()
  }

  private mutating func look(at handle: OpaquePointer?) {
    guard let handle, let (slot, _) = Handles.locate(handle) else { return }
    let word = slot.word.pointee.load(ordering: .acquiring)
    // The pin is this call's: nobody else is using it.
    guard word & Word.immortal == 0, word & Word.references == Word.oneReference,
      word & Word.pins == Word.onePin
    else { return }
    let object = Unmanaged<Object>.fromOpaque(slot.object)
    switch HandleKind(rawValue: 1 &<< UInt32(slot.kind.pointee)) {
    case .property: object._withUnsafeGuaranteedRef { lookIntoProperty($0) }
    case .command:
      object._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: Command.self).visit(&visitor)
      }
    default: visitor.reference(slot.object)
    }
  }

  // Compiled once each: none of this is quick because of being long.
  @inline(never)
  private mutating func look(into object: Unmanaged<Object>) {
    object._withUnsafeGuaranteedRef {
      if let sink = $0 as? Sink {
        lookIntoSink(sink)
      } else if let context = $0 as? Context {
        context.visit(&visitor)
      } else if let step = $0 as? RowStep {
        step.visit(&visitor)
      } else if let signal = $0 as? Signal {
        lookIntoSignal(signal)
      } else if let core = $0 as? ReplayCore {
        core.visit(&visitor)
      } else if let disposable = $0 as? ActionDisposable {
        disposable.visit(&visitor)
      }
    }
  }

  @inline(never)
  private mutating func lookIntoSink(_ sink: Sink) {
    sink.visitSource(&visitor)
    if let row = sink as? Row {
      row.visit(&visitor)
    } else if let sink = sink as? OwningSink {
      sink.visit(&visitor)
    } else if let sink = sink as? StepSink {
      sink.visit(&visitor)
    } else if let stage = sink as? Stage {
      stage.visitDownstream(&visitor)
    } else if let sink = sink as? SubjectSink {
      sink.visit(&visitor)
    }
  }

  private mutating func lookIntoSignal(_ signal: Signal) {
    if let subject = signal as? Subject {
      if lookAtSubscribers(subject.core, endsAll: false) {
        visitor.reference(Unmanaged.passUnretained(subject.core).toOpaque())
      }
    } else if let signal = signal as? StepSignal {
      signal.visit(&visitor)
    } else if let signal = signal as? LiftedSignal {
      signal.visitSource(&visitor)
    } else if let signal = signal as? CallingSignal {
      signal.visit(&visitor)
    } else if let signal = signal as? DeferSignal {
      signal.visit(&visitor)
    }
  }

  /// Its last handle ends it, whoever else has it.
  private mutating func lookIntoProperty(_ object: Object) {
    guard let core = unsafeDowncast(object, to: Property.self).core as? MutablePropertyCore,
      !core.isKeptByUser, lookAtSubscribers(core, endsAll: true)
    else { return }
    visitor.value(core.current)
  }

  /// False: somebody is inside. `endsAll`: they hear an end, and an operator that does not just pass it on may
  /// keep what is below.
  private mutating func lookAtSubscribers(_ core: SubjectCore, endsAll: Bool) -> Bool {
    guard entered < Visiting.room, core.gate.enter() != nil else { return false }
    cores[entered] = UInt(bitPattern: Unmanaged.passUnretained(core).toOpaque())
    entered &+= 1
    depth &+= 1
    core.subscribers.forEach {
      if $0._withUnsafeGuaranteedRef({ $0.isDirect }) { return lookIntoDirect($0) }
      if endsAll && !Visiting.passesEnds(.fromOpaque($0.toOpaque())) { return }
      visitor.reference($0.toOpaque())
      while depth < 8, visitor.isCrowded, let object = visitor.next() { look(into: object) }
    }
    depth &-= 1
    return true
  }

  /// Its callbacks go with the subject, whoever has its handle.
  @inline(never)
  private mutating func lookIntoDirect(_ member: Unmanaged<Member>) {
    member._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: DirectSubscription.self).visit(&visitor)
    }
  }

  private static func passesEnds(_ sink: Unmanaged<Sink>) -> Bool {
    sink._withUnsafeGuaranteedRef {
      if let row = $0 as? Row { return passesEnds(row.below) }
      return $0 is CallbackSink
    }
  }

  /// What came meanwhile is another thread's, and runs its callbacks: not here.
  private mutating func leaveAll() {
    while entered > 0 {
      entered &-= 1
      guard let address = UnsafeRawPointer(bitPattern: cores[entered]) else { continue }
      Unmanaged<SubjectCore>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.leaveToWorker() }
    }
  }
}

extension SubjectCore {
  /// Leaves the gate; a worker does what was left there.
  fileprivate final func leaveToWorker() {
    if !gate.isDisturbed {
      gate.leave(self)
      return
    }
    currentThread().surface()
    Worker.run {
      currentThread().deepen()
      self.gate.leave(self)
    }
  }
}
