/// Makes a resource for each subscription, a signal with it, and releases it when the subscription
/// is over.
///
///     acquire a
///     use     --1--2--|
///     using   --1--2--|
///     release --------a
///
/// The resource is released once: when the signal ends, after it was disposed and before its end is
/// heard; when the subscription is disposed; and when nobody can send to it any more. If `acquire`
/// fails nothing was made, and if `use` fails the resource is released; the failure is the stream's
/// error.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter acquire: writes the resource, an owned value, to `*out`.
/// - Parameter use: gets the resource, writes a signal, transferred, to `*out`; NULL counts as an
///   empty one.
/// - Parameter release: gets the resource; may be NULL where releasing the value is all there is to
///   do.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL.
///
/// Rx: using. Since: 0.1
@c public func rac_signal_using(
  _ context: CContext?, _ acquire: rac_factory_fn?, _ use: rac_signal_fn?, _ release: rac_next_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let acquire, let use else { return Border.fail(Status.null, "acquire or use is NULL") }
  return Border.give { UsingSignal(context, acquire, use, release).named("using:") }
}

private final class UsingSignal: Signal {
  private let context: Context
  private let acquire: rac_factory_fn
  private let use: rac_signal_fn
  private let release: rac_next_fn?

  init(
    _ context: Context, _ acquire: @escaping rac_factory_fn, _ use: @escaping rac_signal_fn,
    _ release: rac_next_fn?
  ) {
    self.context = context
    self.acquire = acquire
    self.use = use
    self.release = release
  }

  override var contexts: Object? { context }

  override func attach(_ sink: Sink) {
    guard sink.scope.runsSource else { return }
    let resource = Stage(sink).result { acquire(context.pointer, $0) }
    context.calledBack()
    guard let resource else { return }
    let used = SignalCallback.call { use(context.pointer, resource, $0) }
    // From here on the resource is the cleanup's, which may be all that is left of the
    // subscription.
    let cleanup = Cleanup(Closure(context, .release(resource, release)))
    let bottom = CleanupSink(cleanup, sink, waits: false)
    switch used {
    case .signal(let signal): signal.subscribe(bottom)
    case .failure(let error): bottom.error(owned: error)
    }
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(context) }
}
