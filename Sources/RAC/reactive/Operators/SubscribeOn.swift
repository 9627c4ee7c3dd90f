/// Subscribes to the source on a scheduler.
///
///     scheduler ----x
///     source        --1--2--|
///     result    ------1--2--|
///
/// Disposing before its turn has come means it is never subscribed to.
///
/// - Parameter source: borrowed.
/// - Parameter scheduler: borrowed, retained.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -subscribeOn:. Rx: subscribeOn. Since: 0.1
@c public func rac_signal_subscribe_on(_ source: CSignal?, _ scheduler: CScheduler?) -> CSignal? {
  Border.derive(source) { source in Border.scheduler(scheduler).map { source.subscribeOn($0) } }
}

extension Signal {
  func subscribeOn(_ scheduler: Scheduler) -> Signal {
    SubscribeOnSignal(self, scheduler).named("subscribeOn:", self)
  }
}

private final class SubscribeOnSignal: Signal {
  private let source: Signal
  private let scheduler: Scheduler

  init(_ source: Signal, _ scheduler: Scheduler) {
    self.source = source
    self.scheduler = scheduler
    super.init(depth: source.depth &+ 1)
  }

  deinit {
    if Stack.isTooShort(toTakeApart: depth) { Stack.outlive(source) }
  }

  override var contexts: Object? { source.contexts }

  override func attach(_ sink: Sink) {
    let source = source
    scheduler.schedule(
      ClosureJob { if sink.scope.isActive { source.subscribe(sink) } }, in: sink.scope)
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(source) }
}
