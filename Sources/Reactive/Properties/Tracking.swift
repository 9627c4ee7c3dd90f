import CRAC
import Observation
import Synchronization

/// Tells Observation of a property's changes: made when the property is read by `tracked` for the
/// first time, since it observes the property, which is work at each change.
@usableFromInline
struct LazyTracker: ~Copyable, Sendable {
  private let reference = AtomicLazyReference<ChangeTracker>()

  @usableFromInline init() {}

  /// Notes that the property is read now; false: `begin` first.
  @usableFromInline
  func read() -> Bool {
    guard let tracker = reference.load() else { return false }
    tracker.read()
    return true
  }

  @usableFromInline @inline(never)
  func begin<Value>(_ signal: Signal<Value>) {
    let made = ChangeTracker()
    if reference.storeIfNil(made) === made {
      // The value of now is told as well: another thread may have read before this began.
      signal.observe { _ in made.tell() }
    }
    _ = read()
  }
}

/// Stands for a property in Observation.
final class ChangeTracker: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let isReadOnMain = Atomic<Bool>(false)
  /// Whether the main actor is to hear once more.
  private let isDueOnMain = Atomic<Bool>(false)

  /// The key path leads here. The values are the property's.
  var change: Void { () }
  /// Made once: written as `\.change` at each read it would be looked up.
  nonisolated(unsafe) private static let path: KeyPath<ChangeTracker, Void> = \.change

  func read() {
    if !isReadOnMain.load(ordering: .relaxed) && MainLoop.isCurrent {
      isReadOnMain.store(true, ordering: .relaxed)
    }
    registrar.access(self, keyPath: ChangeTracker.path)
  }

  func tell() {
    registrar.withMutation(of: self, keyPath: ChangeTracker.path) {}
    // Observation begins to listen behind the closure that it tracks. A change by another thread
    // in between nobody hears: the main actor hears of it once more, when its closure is over.
    if isReadOnMain.load(ordering: .relaxed) && !MainLoop.isCurrent
      && !isDueOnMain.exchange(true, ordering: .acquiringAndReleasing)
    {
      Scheduler.main.schedule { [self] in
        isDueOnMain.store(false, ordering: .releasing)
        registrar.withMutation(of: self, keyPath: ChangeTracker.path) {}
      }
    }
  }
}
