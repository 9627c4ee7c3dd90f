import Synchronization

/// The inside of an operator that subscribes to signals while it runs.
///
/// Subscribing calls user code, so it happens outside the gate: `start` only notes it. Whoever leaves
/// the gate then does what was noted, one after another in a loop, so that a million inner signals that
/// complete at once cost no stack.
class DynamicCore: CombiningCore {
  private let lock = Lock()
  private var starts = Fifo<Start>()
  private let waiting = Atomic<Int>(0)
  private let isStarting = Atomic<Bool>(false)

  private struct Start {
    let signal: Signal
    let input: Input
    /// The input that this one replaces.
    let replaced: Scope?
  }

  /// Inside the gate: subscribes the input to the signal as soon as the gate is left.
  ///
  /// `replaced` is closed after that, so that what both signals share is not given up in between. But
  /// it is closed at once while a signal is being subscribed to or waits for it: it may be that one,
  /// and not come to an end before it is told to.
  final func start(_ signal: Signal, _ input: Input, replacing replaced: Scope? = nil) {
    var replaced = replaced
    if replaced != nil,
      waiting.load(ordering: .acquiring) > 0 || isStarting.load(ordering: .acquiring)
    {
      replaced.take()?.close()
    }
    let start = Start(signal: signal, input: input, replaced: replaced)
    lock.locked { starts.append(start) }
    waiting.wrappingAdd(1, ordering: .releasing)
  }

  override final func afterLeaving() {
    while waiting.load(ordering: .acquiring) > 0 {
      if isStarting.exchange(true, ordering: .acquiringAndReleasing) { return }
      while let start = takeStart() {
        if start.input.scope.isActive { start.signal.subscribe(start.input) }
        start.replaced?.close()
      }
      // An exchange, so that who was turned away has noted his signal before the look that follows.
      _ = isStarting.exchange(false, ordering: .acquiringAndReleasing)
    }
  }

  private func takeStart() -> Start? {
    lock.lock()
    defer { lock.unlock() }
    guard let start = starts.popFirst() else { return nil }
    // Who sees it taken sees that somebody is starting it.
    waiting.wrappingSubtract(1, ordering: .releasing)
    return start
  }

  /// What was sent should have been a signal.
  final func failWithoutSignal() {
    let error = Value.error("rac", Status.kind, "a signal was expected, another value was sent")
    end(error: error)
    error.release()
  }
}
