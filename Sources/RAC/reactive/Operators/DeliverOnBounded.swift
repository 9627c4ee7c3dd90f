import CRACShims

/// rac_signal_deliver_on() where at most so many values wait for the scheduler as a bound says.
///
///     source               --1-2-3-4--|
///     scheduler            ----------x---x
///     capacity 2, oldest   ----------(34)|
///     capacity 2, newest   ----------(12)|
///
/// Each subscription has a line of its own, with room for the bound's capacity. RAC_BOUND_ERROR:
/// the waiting values are still sent, then the error; the source is disposed at once.
/// RAC_BOUND_WAIT and RAC_BOUND_REFUSE hold back sources that can wait, and the senders of a
/// subject, or of a rac_signal_create_bounded(), that has the same bound; values that get here all
/// the same are taken. Disposal drops the waiting values at once.
///
/// - Parameter source: borrowed.
/// - Parameter scheduler: borrowed, retained.
/// - Parameter bound: borrowed, retained. NULL: only sources that can wait are held, at a mark; see
///   rac_set_default_marks(). RAC_BOUND_NONE: any number waits.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND; RAC_EBUSY when the bound
///   is in use elsewhere.
///
/// Rx: observeOn with onBackpressureBuffer, onBackpressureDrop, onBackpressureLatest. Since: 0.1
@c public func rac_signal_deliver_on_bounded(
  _ source: CSignal?, _ scheduler: CScheduler?, _ bound: CBound?
) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard let scheduler = Border.scheduler(scheduler) else { return nil }
  let isMarked = bound == nil
  return Border.derive(source, below: bound) { $0.deliverOn(scheduler, $1, isMarked: isMarked) }
}

extension Signal {
  func deliverOn(_ scheduler: Scheduler, _ bound: Bound?, isMarked: Bool) -> Signal {
    guard let bound else { return deliverOn(scheduler, isMarked: isMarked) }
    return lift("deliverOn:") {
      BoundedDeliverOnSink(BoundedDelivery(scheduler, $0, BoundedQueue(bound)))
    }
  }
}

/// The source's side.
private final class BoundedDeliverOnSink: QueueingSink {
  private let delivery: BoundedDelivery

  init(_ delivery: BoundedDelivery) {
    self.delivery = delivery
    // Of its own: the source is disposed when it ends, not when that has been delivered.
    super.init(delivery.queue, scope: Scope())
    // The scope disposes the latest link first: a waiting sender hears that no subscriber is there,
    // not that there is room.
    delivery.subscription.add(delivery.queue)
    delivery.subscription.add(scope)
  }

  override func keeps(_ object: Object, toTheEnd: Bool) -> Bool {
    if toTheEnd { return super.keeps(object, toTheEnd: true) }
    delivery.contextsAbove = object
    return true
  }

  override var recordedBelow: RecordedBelow {
    delivery.downstream?.recordedBehindQueue ?? RecordedBelow()
  }

  override func wake() { delivery.goOn() }

  deinit {
    delivery.subscription.remove(scope)
    // Last in line: the scheduler lets go of what is below.
    end(.close)
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    delivery.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(delivery) }
}

/// Sends what waits.
private final class BoundedDelivery: Delivery {
  let queue: BoundedQueue

  init(_ scheduler: Scheduler, _ downstream: Sink, _ queue: BoundedQueue) {
    self.queue = queue
    super.init(scheduler, downstream)
  }

  override func takeTurn(_ share: Int, _ limit: Int) -> Portion {
    leftOfTurn = min(queue.waiting, leftOfTurn > 0 && share != .max ? leftOfTurn : share)
    var heard = 0
    while leftOfTurn > 0 && heard < limit {
      if isHeld { return endHeld(heard) }
      guard let event = queue.take() else {
        // The queue was disposed of and is empty. The next put schedules this job anew.
        leftOfTurn = 0
        return Portion(count: heard)
      }
      leftOfTurn &-= 1
      if deliver(event) { heard &+= 1 }
      event.value.release()
    }
    if queue.rests { return Portion(count: heard) }
    let isCut = leftOfTurn > 0 || scheduler === Scheduler.immediate
    if !isCut { goOn() }
    return Portion(count: heard, isCut: isCut)
  }

  /// Whether somebody heard it.
  private func deliver(_ event: BoundedQueue.Event) -> Bool {
    if event.operation == .close {
      letGo()
      return false
    }
    // This job holds it until the close has been taken out, behind which there is nothing.
    guard subscription.isActive, let sink = downstream.map(Unmanaged.passUnretained) else {
      return false
    }
    sink._withUnsafeGuaranteedRef {
      switch event.operation {
      case .next: $0.next(event.value)
      case .error: $0.error(event.value)
      default: $0.completed()
      }
    }
    return true
  }

  /// See `DeliveryLine`.
  func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    guard queue.isAtRest, let sink = downstream.map(Unmanaged.passUnretained) else { return false }
    return sink._withUnsafeGuaranteedRef { $0.goesAtEnd(withValue: withValue, &visitor) }
  }

  override func visit(_ visitor: inout Visitor) {
    // Reference counts order the writes of an earlier turn before this; the lock shows that to
    // ThreadSanitizer.
    _ = queue.isAtRest
    visitor.reference(downstream)
    visitor.reference(contextsAbove)
  }
}
