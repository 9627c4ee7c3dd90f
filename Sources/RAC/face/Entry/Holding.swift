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

/// Takes a hold back, which then leaves nothing in line.
private final class TakingBack: Disposable {
  private let job: HeldAction
  private let asked: Object

  init(_ job: HeldAction, _ asked: Object) {
    self.job = job
    self.asked = asked
  }

  override var isDisposed: Bool { job.isDisposed }

  override func dispose() {
    if job.isDisposed { return }
    job.dispose()
    var spent = HeldJobs.none
    withUnsafeMutablePointer(to: &spent) { _ = Holding.holds(asked, .tidy($0)) }
    spent.resume()
  }
}

/// Asking on behalf of a subscriber or a subject. The context goes when nobody waits.
enum Holding {
  static func ask(_ target: Object) -> rac_status {
    guard isActive(target) else { return Status.done }
    return holds(asked(target), .now) ? Status.pending : Status.ok
  }

  static func hold(
    _ target: Object, on scheduler: Scheduler?, _ waiting: COut<CDisposable?>?, _ context: Context,
    _ action: @escaping rac_action_fn
  ) -> rac_status {
    let answer = ask(target)
    if answer != Status.pending { return answer }
    var home = ArrivalScheduler(scheduler)
    let job = HeldAction(home.here(), context, action)
    let asked = asked(target)
    guard holds(asked, .job(job)) else {
      job.dispose()
      return Status.ok
    }
    waiting?.pointee = Border.given(Handles.make(TakingBack(job, asked), .plainDisposable))
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

  /// What may be kept: a subject ends with its last reference.
  private static func asked(_ target: Object) -> Object { (target as? Subject)?.core ?? target }

  fileprivate static func holds(_ asked: Object, _ question: Question) -> Bool {
    if let core = asked as? SubjectCore { return core.holds(question) }
    return (asked as? Subscriber)?.holds(question) ?? false
  }
}
