/// Runs an action at regular times until disposed. -after:repeatingEvery:withLeeway:schedule:
///
/// Times are counted from the first one, so that they do not drift; times that were missed because the
/// scheduler was busy are left out.
final class RepeatingJob: Job {
  private let interval: Int64
  private let scheduler: Scheduler
  private let action: rac_action_fn
  private var context: Context?
  private var due: Int64 = 0

  init(
    _ scheduler: Scheduler, interval: Int64, _ context: Context, _ action: @escaping rac_action_fn
  ) {
    self.scheduler = scheduler
    self.interval = interval
    self.context = context
    self.action = action
  }

  func start(after delay: Int64) {
    let (time, overflow) = scheduler.now.addingReportingOverflow(delay)
    due = overflow ? .max : time
    timers = scheduler.timerQueue
    scheduler.schedule(self, at: due)
  }

  override func perform() {
    guard claim() else { return }
    action(context?.pointer)
    let now = scheduler.now
    let (next, overflow) = due.addingReportingOverflow(interval)
    due = overflow ? .max : next
    if due < now {
      let missed = (now &- due) / interval &+ 1
      due = due &+ missed &* interval
    }
    if rewind() { scheduler.schedule(self, at: due) } else { finish() }
  }

  override func drop() { context = nil }
}
