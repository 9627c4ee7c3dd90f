import CRAC
import Observation
import Synchronization

extension PropertyProtocol {
  /// Begins to tell Observation of this property's changes, and notes that it is read now.
  @usableFromInline
  func track(by tracker: borrowing LazyTracker, _ signal: () -> Signal<Value>) {
    tracker.get(observing: signal).read()
  }
}

/// What tells Observation of a property's changes: made when the property is read by `tracked` for
/// the first time, since it observes the property, which is work at each change.
@usableFromInline
struct LazyTracker: ~Copyable, Sendable {
  private let reference = AtomicLazyReference<ChangeTracker>()

  @usableFromInline init() {}

  func get<Value>(observing signal: () -> Signal<Value>) -> ChangeTracker {
    if let tracker = reference.load() { return tracker }
    let made = ChangeTracker()
    let tracker = reference.storeIfNil(made)
    if tracker === made {
      // The value of now is told as well: another thread may have read before this began.
      signal().observe { _ in made.tell() }
    }
    return tracker
  }
}

/// Stands for a property in Observation.
final class ChangeTracker: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let isReadOnMain = Atomic<Bool>(false)
  /// Whether the main actor is to hear once more.
  private let isDueOnMain = Atomic<Bool>(false)

  /// What the key path leads to. The values are the property's.
  var change: Void { () }

  func read() {
    if !isReadOnMain.load(ordering: .relaxed) && MainLoop.isCurrent {
      isReadOnMain.store(true, ordering: .relaxed)
    }
    registrar.access(self, keyPath: \.change)
  }

  func tell() {
    registrar.withMutation(of: self, keyPath: \.change) {}
    // Observation begins to listen behind the closure that it tracks. A change by another thread
    // in between nobody hears: the main actor hears of it once more, when its closure is over.
    if isReadOnMain.load(ordering: .relaxed) && !MainLoop.isCurrent
      && !isDueOnMain.exchange(true, ordering: .acquiringAndReleasing)
    {
      Scheduler.main.schedule { [self] in
        isDueOnMain.store(false, ordering: .releasing)
        registrar.withMutation(of: self, keyPath: \.change) {}
      }
    }
  }
}
