import CRACShims
import Synchronization

/// Where a cold signal's subscriptions start.
enum SubscriptionScheduler {
  @exclusivity(unchecked) nonisolated(unsafe) private static var booted: BackgroundScheduler? = nil
  private static var background: BackgroundScheduler { booted.unsafelyUnwrapped }
  /// rac_set_subscribe_inline
  static let runsInlineEverywhere = Atomic<Bool>(false)

  /// Called once, when the library is loaded.
  static func boot() { booted = BackgroundScheduler(priority: 0, name: nil) }

  /// True where there is a current scheduler, so that subscribing may run right here.
  static var runsInline: Bool { runsInline(on: currentThread()) }

  /// The same where that is known.
  static func runsInline(on thread: Thread) -> Bool {
    thread.pointee.scheduler != nil || runsInlineOutsideJobs(thread)
  }

  private static func runsInlineOutsideJobs(_ thread: Thread) -> Bool {
    thread.pointee.attached > 0 || runsInlineEverywhere.load(ordering: .relaxed)
      || thread.pointee.is_main
  }

  /// Starts the subscription on the background scheduler kept for this, unless it is disposed
  /// first.
  static func schedule(_ sink: Sink, _ start: @escaping (Sink) -> Void) {
    guard WorkerPool.shared.start() else { return sink.failWithoutThread() }
    let job = ClosureJob { if sink.scope.isActive { start(sink) } }
    background.schedule(job, in: sink.scope)
  }
}
