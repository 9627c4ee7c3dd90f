/// A source sends events into this: one stage of a running subscription.
///
/// Ownership runs downstream: the source holds its topmost sink, each sink holds the one below.
/// When the source lets go, the whole stack of sinks goes, and with it the user's contexts. Going
/// up there is only the scope, which is emptied when the subscription ends or its source dies.
///
/// `next` lends its value. The sender sees to it that events never overlap and that none follows an
/// end.
class Sink: Member {
  /// How many levels an event passes below this one, each of which costs stack: stages, inputs and
  /// gates, down to the place that sends it on as an event of its own.
  final let height: Int32
  final let scope: Scope
  /// The core this sink is subscribed to, if that has to be told of disposal. Owned; set once, by
  /// that core. A sink below others, which is nowhere subscribed itself, has here the object that
  /// it keeps for them: see `keeps`.
  @exclusivity(unchecked) private final var source: Unmanaged<Core>?

  init(scope: consuming Scope, height: Int32 = 0) {
    // Given away before the superclass is called: kept until after that, it would be retained once
    // more.
    self.scope = consume scope
    self.height = height
  }

  func next(_ value: Value) {}

  /// Whether a source is to wait before its next value: asked between two events, outside of gates.
  /// It goes down as a value would, to the first place that is full. An operator passes it on only
  /// if it can finish what it has without that source.
  func holds(_ question: Question) -> Bool { false }

  /// Sends a value, or an error, and releases it.
  final func next(owned value: Value) {
    next(value)
    value.release()
  }
  final func error(owned error: Value) {
    self.error(error)
    error.release()
  }

  /// A C function and context that may be called in place of `next`. See SubjectCore.
  var leaf: Leaf? { nil }

  /// Instead of a subscription that the system has no thread for, …
  final func failWithoutThread() { refuse(Status.noMemory, "the system gives no thread") }

  /// … or no memory.
  final func failWithoutMemory() { refuse(Status.noMemory, "not enough memory to subscribe") }

  @inline(never)
  final func refuse(_ status: rac_status, _ message: StaticString, at value: Value = .null) {
    error(owned: .error("rac", status, message, underlying: value))
  }

  /// A sink that goes on when its source has ended keeps the contexts of the operators above.
  /// Others go with their source. `toTheEnd`: it is kept until the subscription is over, by a sink
  /// that is not fed itself; false: there is none.
  func keeps(_ object: Object, toTheEnd: Bool) -> Bool {
    guard toTheEnd, source == nil else { return false }
    source = .fromOpaque(Unmanaged.passRetained(object).toOpaque())
    return true
  }

  /// The stage below, as a recording has it; asked when a subscription is made.
  var recordedBelow: RecordedBelow { RecordedBelow() }

  /// Called by the source, before anybody can dispose.
  final func isFed(by source: Core) { isFed(byOwned: .passRetained(source)) }

  /// The same, taking over the caller's reference.
  final func isFed(byOwned source: Unmanaged<Core>) { self.source = source }

  /// Where that is.
  final var feeder: Core? { source?.takeUnretainedValue() }

  /// Whether an end that comes here, after a last value perhaps, lets go of this and of all below
  /// for good, now or when a scheduler has had its turn: nobody is subscribed to because of it. The
  /// answer is about the stages below as they are now. The walk that asks is in the gate that
  /// events come through, so nobody else is here meanwhile.
  func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool { false }

  /// The reference that is held upwards.
  override func visitBase(_ visitor: inout Visitor) { visitor.reference(source?.toOpaque()) }

  override final func dispose() {
    source?._withUnsafeGuaranteedRef { $0.detach(self) }
  }
  /// A second time does no harm. Silently: nobody gets into the source's gate before the worker
  /// that this asks for.
  override final func assist(silently: Bool) {
    if !silently { return dispose() }
    source?._withUnsafeGuaranteedRef { _ = $0.gate.post($0, .remove, self, .null) }
  }

  deinit { source?.drop() }
}

/// Keeps the context of a cold signal, whose events go by it, for as long as they come.
final class KeepingSink: Stage {
  private let kept: Object

  init(_ kept: Object, _ downstream: Sink) {
    self.kept = kept
    super.init(downstream)
  }

  override var leaf: Leaf? { Leaf(to: downstream) }

  override var sendsAtEnd: Bool { false }

  override func visit(_ visitor: inout Visitor) { visitor.reference(kept) }
}

/// The call that a delivery to a sink boils down to.
struct Leaf {
  let function: rac_next_fn
  let context: UnsafeMutableRawPointer?
}

extension Leaf {
  /// The sink's own leaf, or the call of its `next`. The sink is not kept.
  init(to sink: Sink) {
    self =
      sink.leaf
      ?? Leaf(
        function: { context, value in
          Unmanaged<Sink>.fromOpaque(context.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
            $0.next(value)
          }
        },
        context: Unmanaged.passUnretained(sink).toOpaque())
  }
}

/// A stage that passes events on, changed or not, within the subscription below it.
///
/// Operators with one input are subclasses: override what differs.
class Stage: Sink {
  final let downstream: Sink

  init(_ downstream: Sink) {
    self.downstream = downstream
    super.init(scope: downstream.scope, height: downstream.height &+ 1)
  }

  override func visitBase(_ visitor: inout Visitor) {
    super.visitBase(&visitor)
    visitor.reference(downstream)
  }

  override func keeps(_ object: Object, toTheEnd: Bool) -> Bool {
    toTheEnd && downstream.keeps(object, toTheEnd: true)
  }

  /// Whether it may send a value before it completes: see `goesAtEnd`.
  var sendsAtEnd: Bool { true }
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    downstream.goesAtEnd(withValue: withValue || sendsAtEnd, &visitor)
  }

  deinit {
    if Stack.isTooShort(toTakeApart: height) { Stack.outlive(downstream) }
  }

  override var recordedBelow: RecordedBelow { downstream.recordedBelow }
  override func next(_ value: Value) { downstream.next(value) }
  override func holds(_ question: Question) -> Bool { downstream.holds(question) }
  override func error(_ error: Value) { downstream.error(error) }
  override func completed() { downstream.completed() }
}

/// A stage that calls the user back.
class CallbackStage: Stage {
  final let context: Context

  init(_ context: Context, _ downstream: Sink) {
    self.context = context
    super.init(downstream)
  }

  final var pointer: CContext? { context.pointer }

  override func visitBase(_ visitor: inout Visitor) {
    super.visitBase(&visitor)
    visitor.reference(context)
  }
}
