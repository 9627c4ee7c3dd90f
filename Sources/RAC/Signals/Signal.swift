import CRACShims

/// A stream that can be subscribed to. RACSignal.
///
/// A signal is only a description: subclasses say in `attach` how a subscription is made.
class Signal: Object {
  /// How many signals a subscription passes through, this one included. Bounded, because each costs
  /// stack when an event passes.
  final let depth: Int32
  /// Behind a lock of its own: see `name`.
  final var latestName: SignalName?

  static let maximumDepth: Int32 = 4096

  init(depth: Int32 = 1) {
    self.depth = depth
  }

  /// Starts a subscription that sends into the sink. The sink holds what stops it: its scope.
  final func subscribe(_ sink: Sink) {
    let thread = currentThread()
    if thread.pointee.subscribing >= Thread.deepest { return refuse(sink) }
    guard Reserve.isReady(thread, for: Reserve.forStage) else { return sink.failWithoutMemory() }
    thread.pointee.subscribing = thread.pointee.subscribing &+ 1
    if engine.diagnostics.isTracing {
      attach(TraceSink(name, sink))
    } else {
      attach(sink)
    }
    thread.pointee.subscribing = thread.pointee.subscribing &- 1
  }

  /// Chains are limited when they are made, but connections, and signals inside signals, may be nested
  /// further.
  @inline(never)
  private func refuse(_ sink: Sink) {
    sink.refuse(Status.range, "more than 4096 subscriptions inside each other")
  }

  func attach(_ sink: Sink) {}

  /// The one value of a signal that sends it and completes at once, for operators that can then skip
  /// a subscription.
  var constant: Value? { nil }
}

/// A signal made from another one: a subscription puts a sink of the operator's above the subscriber's.
private class LiftedSignal: Signal {
  private let source: Signal
  private let sink: (Sink) -> Sink

  init(_ source: Signal, _ sink: @escaping (Sink) -> Sink) {
    self.source = source
    self.sink = sink
    super.init(depth: source.depth &+ 1)
  }

  override func attach(_ sink: Sink) { source.subscribe(self.sink(sink)) }
}

/// The same for an operator that sends on a scheduler.
private final class ScheduledSignal: LiftedSignal {
  private let scheduler: Scheduler
  private let isDated: Bool

  init(_ source: Signal, _ scheduler: Scheduler, dated: Bool, _ sink: @escaping (Sink) -> Sink) {
    self.scheduler = scheduler
    isDated = dated
    super.init(source, sink)
  }

  override func attach(_ sink: Sink) {
    if scheduler.isServed(dated: isDated) { super.attach(sink) } else { sink.failWithoutThread() }
  }
}

extension Signal {
  /// How an operator with one input is made: what it puts above a subscriber.
  @inline(never)
  final func lift(_ operation: StaticString, _ sink: @escaping (Sink) -> Sink) -> Signal {
    LiftedSignal(self, sink).named(operation, self)
  }

  /// The same for one that sends on a scheduler, which may have to start a thread.
  @inline(never)
  final func lift(
    _ operation: StaticString, on scheduler: Scheduler, dated: Bool = false,
    _ sink: @escaping (Sink) -> Sink
  ) -> Signal {
    ScheduledSignal(self, scheduler, dated: dated, sink).named(operation, self)
  }
}

/// A signal whose subscriptions start on the subscription scheduler: at once where there is a current
/// scheduler, else on a background one.
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
