import CRACShims
import Synchronization

/// An observable cell: a value with get and set, and a signal of it. The portable key path.
///
/// As a signal it sends the current value to each new subscriber and then every change; it
/// completes when the last reference to the property's handle is released. Nothing that subscribes
/// keeps that handle.
///
/// ```
/// set                2--3-----4
/// subscribed at X  --X23-----4--|
/// ```
/// C: rac_property_as_signal. RAC: RACObserve, -rac_valuesForKeyPath:observer:
final class Property: Signal {
  let core: PropertyCore

  init(_ core: PropertyCore) { self.core = core }

  /// At once on every thread: there is no work that a scheduler could be meant for.
  override func attach(_ sink: Sink) { core.attach(sink) }

  override var nodeKind: (kind: UInt8, detail: UInt16) { (UInt8(RAC_NODE_PROPERTY), 0) }

  /// With the value that it has.
  override func isRecorded(as node: rac_node) { core.isRecorded(as: node) }

  /// The handle lies in the gate, so that a set takes one step less.
  func makeHandle() -> OpaquePointer {
    let handle = Handles.make(self, .property, at: core.gate)
    if core.isKeptByUser { return handle }
    core.latest.cell.handle.pointee.store(UInt64(UInt(bitPattern: handle)), ordering: .releasing)
    return handle
  }

  /// Other handles, made of a value say, name the same signal; only that of the property ends it.
  override func lastHandleReleased() {
    if core.gate.slot.word.pointee.load(ordering: .acquiring) & Word.references != 0 { return }
    core.latest.cell.handle.pointee.store(0, ordering: .releasing)
    core.close()
  }

  deinit { core.close() }

  /// A set by a sender that is inside the gate. False: it is more than a value and its subscribers,
  /// or is refused; `Sending.setSpecially` decides.
  @inline(__always)
  func setPlainly(_ value: Value, _ thread: Thread) -> Bool {
    Unmanaged.passUnretained(core)._withUnsafeGuaranteedRef {
      $0.traits.isEmpty
        && unsafeDowncast($0, to: MutablePropertyCore.self).setPlainly(value, thread)
    }
  }

  /// The core of a property that is not read-only.
  var mutable: MutablePropertyCore {
    @inline(__always) get { unsafeDowncast(core, to: MutablePropertyCore.self) }
  }

  // MARK: In a recording

  /// A property that is made while something is recorded.
  @inline(never)
  func recordMaking(from sources: [Property]) {
    let place = rac_recording_place(
      currentThread(), rac_recording_text("property", 8), Diagnostics.shared.locate(), nil)
    let mine = recordedNode(at: place).number
    if mine == 0 { return }
    var edges: [rac_node] = []
    for source in sources {
      var facts = rac_node_facts()
      facts.kind = UInt8(RAC_NODE_EDGE)
      facts.below = mine
      facts.source = source.recordedNode().number
      edges.append(rac_recording_make(currentThread(), &facts))
    }
    if !edges.isEmpty { withTag { $0.edges = edges } }
  }

  /// A set by a sender that is inside the gate, where nothing is special but the recording.
  @inline(never)
  func setRecorded(_ value: Value) -> rac_status {
    _ = recordedNode()
    return mutable.change(value)
  }

  // MARK: For the C functions

  func set(_ value: Value) -> rac_status {
    if core.isReadOnly { return Status.kind }
    if rac_recording_is_on() { _ = recordedNode() }
    return mutable.submitSet(value)
  }

  func modify(_ context: Context, _ transform: @escaping rac_map_fn) -> rac_status? {
    if core.isReadOnly { return Status.kind }
    if rac_recording_is_on() { _ = recordedNode() }
    return mutable.modify(context, transform)
  }

  /// Where a modification by this thread waits for room first. A batch that has a place waits no
  /// more: its thread would wait for itself.
  var entry: BoundedLine? {
    guard !core.isReadOnly, let line = mutable.line else { return nil }
    return SetCollector.open(on: currentThread())?.hasPlaces ?? false ? nil : line
  }

  /// The value of the property that a handle names, for the caller to release. The usual case, a
  /// value that lies in the property's cell, is all that is compiled into the caller.
  @inline(__always)
  static func read(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<Value>,
    _ function: StaticString = #function
  ) -> rac_status {
    if rac_shim_thread_if_any().unsafelyUnwrapped.pointee.unfinished == nil,
      let value = PropertyCell.read(UInt64(UInt(bitPattern: handle)))
    {
      out.pointee = value
      return Status.ok
    }
    return readChecked(handle, out, function)
  }

  /// What the thread's open batch has made of it; or the value.
  private func readNow() -> Value? {
    if let open = SetCollector.open(on: currentThread()) {
      guard let node = core as? GraphNode else { return open.read(core) ?? core.read() }
      if let evaluation = Evaluation(of: [node], in: open) {
        return evaluation.result(of: node, 0).value.retained()
      }
    }
    return core.read()
  }

  @inline(never)
  private static func readChecked(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<Value>, _ function: StaticString
  ) -> rac_status {
    if let value = lastValue(handle) {
      out.pointee = value
      return Status.ok
    }
    let status = Border.check(handle, .property, as: Property.self, function) {
      guard let value = $0.readNow() else {
        return Failure.record(Status.user, "the property's get callback failed", in: function)
      }
      out.pointee = value
      return Status.ok
    }
    // Closed between the two.
    if status == Status.closed, let value = lastValue(handle) {
      out.pointee = value
      return Status.ok
    }
    return status
  }

  /// Of a closed library. nil: there is none without a callback.
  @inline(never)
  private static func lastValue(_ handle: OpaquePointer?) -> Value? {
    guard Process.isClosed, let handle, let slot = Handles.acquireSealed(handle) else { return nil }
    defer { Handles.release(slot) }
    guard HandleKind.property.includes(slot) else { return nil }
    return Unmanaged<Property>.fromOpaque(slot.object)._withUnsafeGuaranteedRef {
      $0.core.isKeptByUser ? nil : $0.core.latest.read()
    }
  }

  /// Pairs of the value before and the value after, from the next change on.
  /// C: rac_property_changes. RAC: -rac_valuesAndChangesForKeyPath:options:observer:
  func changes() -> Signal { ChangesSignal(core).named("changes", self) }

  override func visit(_ visitor: inout Visitor) { visitor.reference(core) }
}

private final class ChangesSignal: Signal {
  private let core: PropertyCore

  init(_ core: PropertyCore) {
    self.core = core
    super.init(depth: 2)
  }

  override func attach(_ sink: Sink) { core.attach(ChangesSink(core, sink)) }

  override func visit(_ visitor: inout Visitor) { visitor.reference(core) }
}
