/// Sends each value, and the completion, some time later; an error at once, in place of what waits.
///
///     source --1--2--|
///     delay  ----1--2--|
///
/// So it makes no pause for rac_signal_retry(): see there for one. It sends on the scheduler that is current
/// when the value arrives; without one, on a background scheduler.
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
///     source    --1--2--3--|
///     scheduler ---x--x--x--x
///     result    ---1--2--3--|
///
/// What is below is let go there too: a subscriber's destroy runs on the scheduler.
///
/// - Parameter source: borrowed.
/// - Parameter scheduler: borrowed, retained. A virtual one still ends with its last handle: then
///   nothing more is delivered, and the subscription ends without an event.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -deliverOn:. Since: 0.1
@_cdecl("rac_signal_deliver_on")
public func rac_signal_deliver_on(_ source: CSignal?, _ scheduler: CScheduler?) -> CSignal? {
  let function: StaticString = "rac_signal_deliver_on"
  if Border.isBrokenChain(source) { return nil }
  guard let scheduler = Border.scheduler(scheduler, function) else { return nil }
  return Border.derive(source, function) { $0.deliverOn(scheduler) }
}

/// Subscribes to the source on a scheduler.
///
///     scheduler   -----x
///     source           --1--2--|
///     result      -------1--2--|
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
  guard let scheduler = Border.scheduler(scheduler, function) else { return nil }
  return Border.derive(source, function) { $0.subscribeOn(scheduler) }
}

/// rac_signal_throttle() for the values that `predicate` says yes to. Any other value drops the one
/// that waits, and is sent at once.
///
///     source       --1-2--30-4---|
///     throttle < 9 -------30-----4|
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes to `*out` whether the value is to wait; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -throttle:valuesPassingTest:. Since: 0.1
@_cdecl("rac_signal_throttle_passing_test")
public func rac_signal_throttle_passing_test(
  _ source: CSignal?, _ seconds: Double, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_throttle_passing_test"
  guard let context = Border.context(context, destroy, function) else { return nil }
  if Border.isBrokenChain(source) { return nil }
  guard let time = Border.duration(seconds, function) else { return nil }
  return Border.derive(source, predicate, function) { $0.throttle(time, context, $1) }
}

/// Gathers values, and sends them as a tuple some time after the first of them.
///
///     source --1-2---------3--|
///     buffer ------(1,2)------(3)|
///
/// Nothing is sent when nothing came. A completion sends what has gathered, an error drops it.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; sends there. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -bufferWithTime:onScheduler:. Since: 0.1
@_cdecl("rac_signal_buffer_with_time")
public func rac_signal_buffer_with_time(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  let function: StaticString = "rac_signal_buffer_with_time"
  if Border.isBrokenChain(source) { return nil }
  guard let time = Border.duration(seconds, function),
    let scheduler = Border.timedScheduler(scheduler, function)
  else { return nil }
  return Border.derive(source, function) { $0.bufferWithTime(time, scheduler) }
}

/// Fails when the source has not ended some time after the subscription. Values do not put it off.
///
///     source    --1--2--3--4--|
///     timeout 9 --1--2--3X
///
/// The error has the domain "rac.signal" and the code RAC_SIGNAL_TIMED_OUT. The source is disposed
/// before it is sent.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; the error is sent there. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -timeout:onScheduler:. Since: 0.1
@_cdecl("rac_signal_timeout")
public func rac_signal_timeout(_ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?)
  -> CSignal?
{
  let function: StaticString = "rac_signal_timeout"
  if Border.isBrokenChain(source) { return nil }
  guard let time = Border.duration(seconds, function),
    let scheduler = Border.timedScheduler(scheduler, function)
  else { return nil }
  return Border.derive(source, function) { $0.timeout(time, scheduler) }
}

/// Sends on the main scheduler: at once on the main thread, or inside a job of the main scheduler, if
/// nothing is waiting to be sent there; else in its turn.
///
///     source on a thread  --1--2--3--|
///     main thread drains  ----x------x
///     result              ----1------23|
///
/// The order stays. What is below is let go there, too.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -deliverOnMainThread. Since: 0.1
@_cdecl("rac_signal_deliver_on_main")
public func rac_signal_deliver_on_main(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_deliver_on_main") { $0.deliverOnMain() }
}
