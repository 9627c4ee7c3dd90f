// Section: 14 Operators: time and threads
// An error never waits: it goes on at once and overtakes values that do.

/// Sends each value, and the completion, some time later.
///
///     source --1--2--|
///     delay  ----1--2--|
///
/// On the scheduler that is current when the value arrives; without one, on a background scheduler.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -delay:. Since: 0.1
@_cdecl("rac_signal_delay")
public func rac_signal_delay(_ source: CSignal?, _ seconds: Double) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard let time = Border.duration(seconds, "rac_signal_delay") else { return nil }
  return Border.derive(source, "rac_signal_delay") { $0.delay(time) }
}

/// Sends a value when no other has followed it for some time: what others call debounce.
///
///     source   --1-2-3-----4--|
///     throttle ---------3-----4|
///
/// On the scheduler that is current when the value arrives; without one, on a background scheduler.
/// A completion sends the value that waits at once; an error drops it.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -throttle:. Since: 0.1
@_cdecl("rac_signal_throttle")
public func rac_signal_throttle(_ source: CSignal?, _ seconds: Double) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard let time = Border.duration(seconds, "rac_signal_throttle") else { return nil }
  return Border.derive(source, "rac_signal_throttle") { $0.throttle(time) }
}

/// Sends every event on a scheduler, in order.
///
/// What is below is let go there too: a subscriber's destroy runs on the scheduler.
///
/// - Parameter source: borrowed.
/// - Parameter scheduler: borrowed, retained.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -deliverOn:. Since: 0.1
@_cdecl("rac_signal_deliver_on")
public func rac_signal_deliver_on(_ source: CSignal?, _ scheduler: CScheduler?) -> CSignal? {
  let function: StaticString = "rac_signal_deliver_on"
  if Border.isBrokenChain(source) { return nil }
  return Border.use(
    scheduler, .schedulers, as: Scheduler.self, function, otherwise: { _ in nil }
  ) { scheduler in Border.derive(source, function) { $0.deliverOn(scheduler) } }
}

/// Subscribes to the source on a scheduler.
///
/// Disposing before its turn has come means it is never subscribed to.
///
/// - Parameter source: borrowed.
/// - Parameter scheduler: borrowed, retained.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -subscribeOn:. Since: 0.1
@_cdecl("rac_signal_subscribe_on")
public func rac_signal_subscribe_on(_ source: CSignal?, _ scheduler: CScheduler?) -> CSignal? {
  let function: StaticString = "rac_signal_subscribe_on"
  if Border.isBrokenChain(source) { return nil }
  return Border.use(
    scheduler, .schedulers, as: Scheduler.self, function, otherwise: { _ in nil }
  ) { scheduler in Border.derive(source, function) { $0.subscribeOn(scheduler) } }
}
