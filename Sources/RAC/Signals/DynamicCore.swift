import Synchronization

/// The inside of an operator that subscribes to signals while it runs.
///
/// Subscribing calls user code, so it happens outside the gate: `start` only notes it. Whoever leaves
/// the gate then does what was noted, one after another in a loop, so that a million inner signals that
/// complete at once cost no stack.
class DynamicCore: CombiningCore {
  private let lock = Lock()
  private var starts = Fifo<(Signal, Input)>()
  private let waiting = Atomic<Int>(0)
  private let isStarting = Atomic<Bool>(false)

  /// Inside the gate: subscribes the input to the signal as soon as the gate is left.
  final func start(_ signal: Signal, _ input: Input) {
    lock.locked { starts.append((signal, input)) }
    waiting.wrappingAdd(1, ordering: .releasing)
  }

  override final func afterLeaving() {
    while waiting.load(ordering: .acquiring) > 0 {
      if isStarting.exchange(true, ordering: .acquiringAndReleasing) { return }
      while let (signal, input) = takeStart() {
        if input.scope.isActive { signal.subscribe(input) }
      }
      isStarting.store(false, ordering: .sequentiallyConsistent)
    }
  }

  private func takeStart() -> (Signal, Input)? {
    lock.lock()
    defer { lock.unlock() }
    guard let start = starts.popFirst() else { return nil }
    waiting.wrappingSubtract(1, ordering: .relaxed)
    return start
  }

  /// What was sent should have been a signal.
  final func failWithoutSignal() {
    let error = Value.error("rac", Status.kind, "a signal was expected, another value was sent")
    end(error: error)
    error.release()
  }
}
