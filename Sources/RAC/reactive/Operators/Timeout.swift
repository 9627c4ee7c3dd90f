/// Fails when the source has not ended some time after the subscription. Values do not put it off.
///
///     source    --1--2--3--4--|
///     timeout 9 --1--2--3#
///
/// The error has the domain "rac.signal" and the code RAC_SIGNAL_TIMED_OUT. The source is disposed
/// before it is sent. The timeout of Rx, between values, is rac_signal_idle_timeout().
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; the error is sent there. NULL: the one that is
///   current at the subscription; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -timeout:onScheduler:. Since: 0.1
@c public func rac_signal_timeout(_ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?)
  -> CSignal?
{
  Border.derive(source, seconds, scheduler) { $0.timeout($1) }
}
