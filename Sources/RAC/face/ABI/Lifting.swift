/// Calls a function with the latest values of several signals: as soon as all have sent one, and
/// then whenever one of them sends. At once where they send at once, and also if there is no
/// subscriber to the results.
///
///     a    --1-----2--|
///     b    ----x------y--|
///     lift ----c---d--e--|   c: f(1,x), d: f(2,x), e: f(2,y)
///
/// It goes on, also when both handles are released, until all of the signals have completed, one of
/// them or the function fails, or the subscription is disposed. Of no signals at all it makes one
/// that completes, without a call.
///
/// - Parameter signals: borrowed.
/// - Parameter count: how many.
/// - Parameter subscription: gets one reference to what ends it, to be released; NULL if this
///   fails. May be NULL. rac_dispose_and_wait() returns when `destroy` has run.
/// - Parameter context: passed to the callbacks.
/// - Parameter function: gets the values in the order of the signals, and `count`; writes an owned
///   value to `*out`, which is the unit if it does not. A failure ends the results, with an error.
/// - Parameter destroy: runs after the last call; may be NULL.
/// - Returns: one reference to a signal of the results, which replays the last one, and the end;
///   NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -rac_liftSelector:withSignalsFromArray:.
///   Since: 0.1
@c public func rac_lift(
  _ signals: CList<CSignal?>?, _ count: CSize,
  _ subscription: COut<CDisposable?>?, _ context: CContext?,
  _ function: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  subscription?.pointee = nil
  guard let signals = Border.signals(signals, count) else { return nil }
  return lift(.combineLatest(signals), subscription, context, function)
}

/// Calls a function with the elements of each tuple that a signal sends: rac_lift() for arguments
/// that were put together elsewhere.
///
///     arguments --a--b--|   a: (1,x), b: (2,y)
///     lift      --c--d--|   c: f(1,x), d: f(2,y)
///
/// A value that is no tuple ends the results with an error.
///
/// - Parameter arguments: borrowed; a signal of tuples.
/// - Parameter subscription: gets one reference to what ends it, to be released; NULL if this
///   fails. May be NULL. rac_dispose_and_wait() returns when `destroy` has run.
/// - Parameter context: passed to the callbacks.
/// - Parameter function: gets the elements, and how many they are; writes an owned value to `*out`,
///   which is the unit if it does not. A failure ends the results, with an error.
/// - Parameter destroy: runs after the last call; may be NULL.
/// - Returns: as rac_lift(). RAC: -rac_liftSelector:withSignalOfArguments:. Since: 0.1
@c public func rac_lift_arguments(
  _ arguments: CSignal?, _ subscription: COut<CDisposable?>?, _ context: CContext?,
  _ function: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  subscription?.pointee = nil
  guard let arguments = Border.signal(arguments) else { return nil }
  return lift(arguments, subscription, context, function)
}

private func lift(
  _ arguments: Signal, _ subscription: UnsafeMutablePointer<CDisposable?>?, _ context: Context,
  _ callback: rac_reduce_each_fn?, _ function: StaticString = #function
) -> CSignal? {
  if Process.isOver { return Border.none(Border.refuseOver(function)) }
  guard let callback else { return Border.fail(Status.null, "a callback is NULL", in: function) }
  if arguments.depth > Signal.maximumDepth {
    return Border.fail(Status.range, "more than 4096 operators in one chain", in: function)
  }
  let lifted = arguments.liftFunction(context, callback)
  subscription?.pointee = Handles.make(lifted.subscription, .plainDisposable)
  return Border.given(Handles.make(lifted.results, .plainSignal))
}
