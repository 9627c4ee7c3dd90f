/// Waits for the first value of a signal.
///
/// Inside a callback that a send or a drain brought about, or a job, it does not wait: it answers
/// at once or fails with RAC_EDEADLK. On the main thread the main scheduler runs while this waits,
/// unless another thread runs it: values that have to come through it come (deliver_on main, a
/// delay subscribed to there), and its other jobs run, too. rac_main_stop() then ends it as if the
/// time had passed.
///
/// - Parameter signal: borrowed; subscribed to here, disposed before this returns.
/// - Parameter timeout: in seconds; negative waits for ever.
/// - Parameter out: gets an owned value: the first one, or with RAC_ESTREAM the error. May be NULL.
/// - Returns: RAC_OK, RAC_EEMPTY (completed without a value), RAC_ESTREAM, RAC_ETIMEDOUT,
///   RAC_EDEADLK, RAC_EINVAL (NaN), RAC_ENULL, RAC_ESTALE, RAC_EKIND. May block. RAC:
///   -firstOrDefault:success:error:. Since: 0.1
@discardableResult
@c public func rac_signal_first(
  _ signal: CSignal?, _ timeout: Double, _ out: COut<rac_value>?
) -> rac_status {
  read(signal, timeout, out) { $0 }
}

/// Waits until a signal has completed.
///
/// - Parameter signal: borrowed; subscribed to here, disposed before this returns.
/// - Parameter timeout: in seconds; negative waits for ever.
/// - Parameter error: gets the error, owned, with RAC_ESTREAM; may be NULL.
/// - Returns: RAC_OK when it completed; else as rac_signal_first(). May block. RAC:
///   -waitUntilCompleted:. Since: 0.1
@discardableResult
@c public func rac_signal_wait_until_completed(
  _ signal: CSignal?, _ timeout: Double, _ error: COut<rac_value>?
) -> rac_status {
  let status = read(signal, timeout, error, emptyIsFine: true) { $0.ignoreValues() }
  return status == Status.empty ? Status.ok : status
}

/// Waits until a signal has completed and gives all its values.
///
/// - Parameter signal: borrowed; subscribed to here, disposed before this returns.
/// - Parameter timeout: in seconds; negative waits for ever.
/// - Parameter out: gets an owned tuple, or with RAC_ESTREAM the error. May be NULL.
/// - Returns: as rac_signal_first(). May block. RAC: -toArray. Since: 0.1
@discardableResult
@c public func rac_signal_to_array(
  _ signal: CSignal?, _ timeout: Double, _ out: COut<rac_value>?
) -> rac_status {
  read(signal, timeout, out) { $0.collect() }
}

/// rac_signal_first() with a value for when there is none.
///
/// - Parameter signal: borrowed; subscribed to here, disposed before this returns.
/// - Parameter timeout: in seconds; negative waits for ever.
/// - Parameter fallback: borrowed; given in `out` when no value came.
/// - Parameter out: gets an owned value in any case: the first one, or the fallback. May be NULL.
/// - Parameter error: gets the error, owned, with RAC_ESTREAM; may be NULL.
/// - Returns: RAC_OK, also for a completion without a value; else as rac_signal_first(). May block.
///   RAC: -firstOrDefault:success:error:. Since: 0.1
@discardableResult
@c public func rac_signal_first_or_default(
  _ signal: CSignal?, _ timeout: Double, _ fallback: rac_value,
  _ out: COut<rac_value>?, _ error: COut<rac_value>?
) -> rac_status {
  firstOrDefault(signal, timeout, fallback, out, error, runsMain: false)
}

/// rac_signal_first_or_default() that runs the main scheduler on the calling thread while it waits,
/// whichever thread that is.
///
/// On the main thread the other one does the same, but inside callbacks, and where another thread
/// runs the main scheduler. The name is RAC's. rac_main_stop() ends it as if the time had passed.
///
/// - Parameter signal: borrowed; subscribed to here, disposed before this returns.
/// - Parameter timeout: in seconds; negative waits for ever. RAC waits for 10.
/// - Parameter fallback: borrowed; given in `out` when no value came.
/// - Parameter out: gets an owned value in any case: the first one, or the fallback. May be NULL.
/// - Parameter error: gets the error, owned, with RAC_ESTREAM; may be NULL.
/// - Returns: as rac_signal_first_or_default(); RAC_EBUSY when another thread runs the main
///   scheduler; always RAC_EDEADLK inside a callback or a job. May block. RAC:
///   -asynchronousFirstOrDefault:success:error:. Since: 0.1
@discardableResult
@c public func rac_signal_asynchronous_first_or_default(
  _ signal: CSignal?, _ timeout: Double, _ fallback: rac_value,
  _ out: COut<rac_value>?, _ error: COut<rac_value>?
) -> rac_status {
  firstOrDefault(signal, timeout, fallback, out, error, runsMain: true)
}

/// rac_signal_wait_until_completed() that runs the main scheduler on the calling thread while it
/// waits, whichever thread that is: see rac_signal_asynchronous_first_or_default().
///
/// - Parameter signal: borrowed; subscribed to here, disposed before this returns.
/// - Parameter timeout: in seconds; negative waits for ever. RAC waits for 10.
/// - Parameter error: gets the error, owned, with RAC_ESTREAM; may be NULL.
/// - Returns: RAC_OK when it completed; else as rac_signal_asynchronous_first_or_default(). May
///   block. RAC: -asynchronouslyWaitUntilCompleted:. Since: 0.1
@discardableResult
@c public func rac_signal_asynchronously_wait_until_completed(
  _ signal: CSignal?, _ timeout: Double, _ error: COut<rac_value>?
) -> rac_status {
  let status = read(signal, timeout, error, runsMain: true, emptyIsFine: true) { $0.ignoreValues() }
  return status == Status.empty ? Status.ok : status
}

private func firstOrDefault(
  _ signal: CSignal?, _ timeout: Double, _ fallback: rac_value,
  _ out: UnsafeMutablePointer<rac_value>?, _ error: UnsafeMutablePointer<rac_value>?,
  _ function: StaticString = #function, runsMain: Bool
) -> rac_status {
  out?.pointee = .null
  error?.pointee = .null
  return Border.take(fallback, function, otherwise: { $0 }) { fallback in
    var result = Value.null
    let status = read(
      signal, timeout, &result, function, runsMain: runsMain, emptyIsFine: true
    ) { $0 }
    let isValue = status == Status.ok
    if !isValue, let error { error.pointee = result } else if !isValue { result.release() }
    if let out {
      out.pointee = isValue ? result : fallback.retained()
    } else if isValue {
      result.release()
    }
    return status == Status.empty ? Status.ok : status
  }
}

private func read(
  _ signal: CSignal?, _ timeout: Double, _ out: UnsafeMutablePointer<rac_value>?,
  _ function: StaticString = #function, runsMain: Bool = false, emptyIsFine: Bool = false,
  _ prepare: (Signal) -> Signal
) -> rac_status {
  out?.pointee = .null
  guard let limit = Border.timeout(timeout, function), Border.isReady(function) else {
    return Border.refused()
  }
  return Border.check(signal, .signals, as: Signal.self, function) {
    if Border.lacksRoom(for: $0, function) { return Border.refused() }
    return finishRead(prepare($0), limit, out, function, runsMain, emptyIsFine)
  }
}

@inline(never)
private func finishRead(
  _ signal: Signal, _ limit: Int64, _ out: UnsafeMutablePointer<rac_value>?,
  _ function: StaticString = #function, _ runsMain: Bool, _ emptyIsFine: Bool
) -> rac_status {
  let (status, value) =
    runsMain
    ? BlockingRead.firstRunningMain(of: signal, timeout: limit)
    : BlockingRead.first(of: signal, timeout: limit)
  if let out { out.pointee = value } else { value.release() }
  switch status {
  case Status.deadlock:
    Failure.record(status, "waiting inside a callback would wait for itself", in: function)
  case Status.busy: Failure.record(status, "another thread runs the main scheduler", in: function)
  case Status.timedOut: Failure.record(status, "the time given has passed", in: function)
  case Status.closed: Border.refuseOver(function)
  case Status.stream: Failure.record(status, "the signal ended with an error", in: function)
  case Status.empty where !emptyIsFine:
    Failure.record(status, "the signal completed without a value", in: function)
  default: break
  }
  return status
}
