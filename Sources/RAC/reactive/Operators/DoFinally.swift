import Synchronization

/// Runs an action once for each subscription, when it is over: after its end has been heard, when
/// it is disposed, or when nobody can send to it any more.
///
///     source     --1--2--|
///     do_finally --1--2--|
///     action     --------x
///
///     source       --1--2--3--|
///     subscription ^------!
///     do_finally   --1--2--
///     action       -------x
///
/// A disposal runs it after the source was disposed, before rac_dispose() returns.
/// rac_signal_finally(), which is RAC's, runs before the end and not on disposal.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: runs on the thread that ends the subscription.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: finalize, doFinally. Since: 0.1
@c public func rac_signal_do_finally(
  _ source: CSignal?, _ context: CContext?, _ action: rac_action_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, action, destroy) { source, context, action in
    source.lift("doFinally:", holding: context) {
      CleanupSink(Cleanup(Closure(context, .action(action))), $0, waits: true)
    }
  }
}

/// The work that is done once when a subscription is over, by an end or by disposal. It stands in
/// the scope, and below the source.
final class Cleanup: Link {
  enum Work {
    case action(rac_action_fn)
    /// A resource, owned.
    case release(Value, rac_next_fn?)
  }

  private static let due = 0
  /// An end is on its way: it has to be heard first.
  private static let waiting = 1
  private static let done = 2

  private let state = Atomic<Int>(Cleanup.due)
  private let work: Closure<Work>

  init(_ work: Closure<Work>) { self.work = work }

  deinit { run(after: Cleanup.due) }

  override func dispose() { run(after: Cleanup.due) }

  /// Lets the end pass first.
  func after(_ end: () -> Void) {
    let (waits, _) = state.replace(Cleanup.due, with: Cleanup.waiting)
    end()
    if waits { run(after: Cleanup.waiting) }
  }

  private func run(after expected: Int) {
    let (isFirst, _) = state.replace(expected, with: Cleanup.done)
    guard isFirst else { return }
    switch work.function {
    case .action(let action): currentThread().asLast { action(work.pointer) }
    case .release(let resource, let release):
      if let release { currentThread().asLast { release(work.pointer, resource) } }
      resource.release()
    }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(work.context)
    if case .release(let resource, _) = work.function { visitor.value(resource) }
  }
}

/// Where it goes with the source, if nothing else comes before.
final class CleanupSink: Stage {
  private let cleanup: Cleanup
  private let waits: Bool

  /// Whether it waits until an end has been heard.
  init(_ cleanup: Cleanup, _ downstream: Sink, waits: Bool) {
    self.cleanup = cleanup
    self.waits = waits
    super.init(downstream)
    scope.add(cleanup)
  }

  deinit {
    cleanup.dispose()
    scope.remove(cleanup)
  }

  override func error(_ error: Value) {
    if waits { cleanup.after { downstream.error(error) } } else { downstream.error(error) }
  }

  override func completed() {
    if waits { cleanup.after { downstream.completed() } } else { downstream.completed() }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(cleanup)
    if scope.isActive { visitor.reference(cleanup) }
  }
}
