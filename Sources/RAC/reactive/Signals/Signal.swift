import CRACShims

/// A stream that can be subscribed to. RACSignal.
///
/// A signal is only a description: subclasses say in `attach` how a subscription is made.
class Signal: Object {
  /// How many signals a subscription passes through, this one included. Bounded, because each costs
  /// stack when an event passes.
  final let depth: Int32
  /// Whether callbacks subscribe by `CreatedSignal.begin`.
  final var beginsDirectly = false
  /// Behind a lock of its own: see `name`.
  @exclusivity(unchecked) final var latestTag: SignalTag?

  static let maximumDepth: Int32 = 4096

  init(depth: Int32 = 1) { self.depth = depth }

  /// Starts a subscription that sends into the sink. The sink holds what stops it: its scope. Where
  /// there is no room for that the sink gets an error.
  @inline(__always)
  final func subscribe(_ sink: Sink) {
    if !trySubscribe(sink) { refuse(sink) }
  }

  /// The same, but where there is no room nothing happens: false.
  final func trySubscribe(_ sink: Sink) -> Bool {
    let thread = currentThread()
    guard isShort(for: thread, above: sink.height) else { return trySubscribeFar(sink, thread) }
    begin(sink, thread)
    return true
  }

  @inline(never)
  private final func trySubscribeFar(_ sink: Sink, _ thread: Thread) -> Bool {
    guard hasRoom(in: thread, above: sink.height) else { return false }
    begin(sink, thread)
    return true
  }

  @inline(__always)
  private final func begin(_ sink: Sink, _ thread: Thread) {
    thread.pointee.subscribing = thread.pointee.subscribing &+ 1
    if rac_stages_are_watched() { attachWatched(sink) } else { attach(sink) }
    thread.pointee.subscribing = thread.pointee.subscribing &- 1
  }

  @inline(never)
  private final func attachWatched(_ sink: Sink) { attach(StageRecorder(self, sink)) }

  /// The kind of its node in a recording, if it has one: `RAC_NODE_SUBJECT` and the like.
  var nodeKind: (kind: UInt8, detail: UInt16) { (0, 0) }
  /// That node has been made.
  func isRecorded(as node: rac_node) {}

  /// Whether a subscription, and the event that it may send at once, take so little stack that
  /// nobody has to look. `height` is that of the sink.
  final func isShort(for thread: Thread, above height: Int32 = 0) -> Bool {
    Int32(bitPattern: thread.pointee.subscribing) &+ depth &+ height <= Stack.few
  }

  /// Whether there is room for them.
  final func hasRoom(in thread: Thread, above height: Int32 = 0) -> Bool {
    thread.pointee.subscribing < Thread.deepest && height <= Stack.most
      && Stack.hasRoom(levels: depth &+ height, subscriptions: depth)
  }

  /// Chains are limited when they are made, but connections, and signals inside signals, may be
  /// nested further.
  @inline(never)
  private final func refuse(_ sink: Sink) {
    let message: StaticString =
      "too many subscriptions inside each other for the stack, or for anybody"
    if sink.height <= Stack.few || Stack.hasRoom(levels: sink.height) {
      sink.refuse(Status.range, message)
    } else {
      Worker.run { sink.refuse(Status.range, message) }
    }
  }

  func attach(_ sink: Sink) {}

  /// The object that keeps the contexts of this signal and of all that it is made of, but no signal
  /// that might keep a subject. By it what goes on when its source has ended keeps those: law 10.
  var contexts: Object? { nil }

  /// The value of a signal that is known to complete at once, for operators that can then skip a
  /// subscription.
  var known: Known { .nothing }

  enum Known {
    case nothing
    /// It is empty.
    case end
    /// One value, lent.
    case value(Value)
  }
}

/// A signal made from another one by a closure of an operator's.
class OperatorSignal: Signal {
  final let source: Signal
  /// The contexts of what it is made from.
  final let contextsAbove: Object?
  /// Not retained here: the closure holds the object.
  private final let held: Unmanaged<Object>?

  init(_ source: Signal, besides others: Int32, holding held: Object?, keeping contexts: Object?) {
    self.source = source
    contextsAbove = contexts
    self.held = held.map { .passUnretained($0) }
    (held as? Context)?.above = contexts
    super.init(depth: max(source.depth, others) &+ 1)
  }

  /// For `deinit`: a long chain is taken apart elsewhere.
  @inline(__always)
  final func outlive<Closure>(_ closure: Closure) {
    guard Stack.isTooShort(toTakeApart: depth) else { return }
    let source = source
    Stack.outlive { withExtendedLifetime((source, closure)) {} }
  }

  override final var contexts: Object? {
    held?._withUnsafeGuaranteedRef { $0 as? Context } ?? contextsAbove
  }

  override final func visit(_ visitor: inout Visitor) {
    visitor.reference(source)
    visitor.reference(held?.toOpaque())
    visitor.reference(contextsAbove)
  }
}

/// A subscription to it puts a sink of the operator's above the subscriber's.
final class LiftedSignal: OperatorSignal {
  private let sink: (Sink) -> Sink?

  fileprivate init(
    _ source: Signal, besides others: Int32, holding held: Object?,
    _ sink: @escaping (Sink) -> Sink?
  ) {
    self.sink = sink
    super.init(source, besides: others, holding: held, keeping: source.contexts)
  }

  deinit { outlive(sink) }

  override func attach(_ sink: Sink) {
    guard let top = self.sink(sink) else { return }
    if let contextsAbove { _ = top.keeps(contextsAbove, toTheEnd: false) }
    source.subscribe(top)
  }
}

extension Signal {
  /// Makes an operator with one input. The closure makes what stands above a subscriber, or nil,
  /// where nothing is to be subscribed to. `others` is the depth of further signals that it holds;
  /// `held` what it captures, once, that a collector has to know of: a context, a signal, a value.
  @inline(never)
  final func lift(
    _ operation: StaticString, besides others: Int32 = 0, holding held: Object? = nil,
    _ sink: @escaping (Sink) -> Sink?
  ) -> Signal {
    LiftedSignal(self, besides: others, holding: held, sink).named(operation, self)
  }
}

/// A signal whose subscriptions start on the subscription scheduler: at once where there is a
/// current scheduler, else on a background one.
class ColdSignal: Signal {
  override final func attach(_ sink: Sink) {
    if SubscriptionScheduler.runsInline {
      start(sink)
    } else {
      SubscriptionScheduler.schedule(sink) { self.start($0) }
    }
  }

  func start(_ sink: Sink) {}
}
