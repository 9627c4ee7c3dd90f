import CRACShims

/// Runs an action at regular times until disposed. -after:repeatingEvery:withLeeway:schedule:
///
/// Times are counted from the first one, so that they do not drift; times that were missed because
/// the scheduler was busy are left out. A leeway lets a time be late by so much, so that the times
/// of several jobs fall together; a virtual clock is exact, and so is a recording.
final class RepeatingJob: Job {
  private let interval: Int64
  private let leeway: Int64
  private let scheduler: Scheduler
  private let action: rac_action_fn
  private var context: Context?
  private var due: Int64 = 0

  init(
    _ scheduler: Scheduler, interval: Int64, leeway: Int64 = 0, _ context: Context,
    _ action: @escaping rac_action_fn
  ) {
    self.scheduler = scheduler
    self.interval = interval
    let isExact = leeway == 0 || scheduler.kind == .virtual || rac_recording_is_on()
    self.leeway = isExact ? 0 : leeway
    self.context = context
    self.action = action
    super.init()
    // Not in `start`: by then it may be in a scope, and be disposed at any time.
    timers = scheduler.timerHome
  }

  func start(after delay: Int64) {
    due = scheduler.now.saturatingAdd(delay)
    scheduler.schedule(self, at: wakeTime)
  }

  override func perform() {
    guard claim() else { return }
    Unfinished.within { action(context?.pointer) }
    let now = scheduler.now
    let (next, overflow) = due.addingReportingOverflow(interval)
    // Past the last time a clock can show, where a virtual one may stand, there is no next time.
    if overflow || Process.isClosed { return finish() }
    due = next
    if due < now {
      let missed = (now &- due) / interval &+ 1
      due = due &+ missed &* interval
    }
    if rewind() { scheduler.schedule(self, at: wakeTime) } else { finish() }
  }

  /// The last multiple of the leeway that is not too late.
  private var wakeTime: Int64 {
    guard leeway > 0 else { return due }
    let (latest, overflow) = due.addingReportingOverflow(leeway)
    return overflow ? due : latest / leeway &* leeway
  }

  override func drop() { context = nil }
}
