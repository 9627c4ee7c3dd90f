/// An action of the user's that waits for room: rac_subscriber_hold.
private final class HeldAction: PausableJob {
  private let scheduler: Scheduler
  private let action: rac_action_fn
  private var context: Context?

  init(_ scheduler: Scheduler, _ context: Context, _ action: @escaping rac_action_fn) {
    self.scheduler = scheduler
    self.context = context
    self.action = action
  }

  override func run() { action(context?.pointer) }
  override func goOn() { scheduler.schedule(self) }

  override func drop() {
    super.drop()
    context = nil
  }
}

/// Asking on behalf of a subscriber or a subject. The context goes when nobody waits.
enum Holding {
  static func hold(
    _ target: Object, on scheduler: Scheduler?, _ context: Context,
    _ action: @escaping rac_action_fn
  ) -> rac_status {
    guard isActive(target) else { return Status.done }
    guard holds(target, .now) else { return Status.ok }
    var home = ArrivalScheduler(scheduler)
    let job = HeldAction(home.here(), context, action)
    guard holds(target, .job(job)) else {
      job.dispose()
      return Status.ok
    }
    // Disposed with the subscription; at once if that is over.
    if let subject = target as? Subject {
      subject.upstream.add(Dependent(job))
    } else {
      (target as? Subscriber)?.add(job)
    }
    if !job.rest(), !job.isDisposed { job.goOn() }
    return Status.pending
  }

  private static func isActive(_ target: Object) -> Bool {
    (target as? Subscriber)?.isActive ?? true
  }

  private static func holds(_ target: Object, _ question: Question) -> Bool {
    if let subject = target as? Subject { return subject.holds(question) }
    return (target as? Subscriber)?.holds(question) ?? false
  }
}
