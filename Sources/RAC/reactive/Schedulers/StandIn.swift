import CRACShims
import Synchronization

/// Two threads that take turns at waiting for deadlines: leader/followers (Schmidt and others,
/// Pattern-Oriented Software Architecture 2, 2000).
///
/// Waking a worker for each deadline takes longer than most jobs do. So the thread that waits, the
/// leader, runs what is due itself, and before it begins sets an alarm to a moment after the next
/// deadline. If that rings while the leader is still at it, the thread that sleeps on the alarm
/// takes the lead, and the leader of before, when it comes back, takes the place at the alarm. As
/// long as jobs are short nobody but the leader ever wakes. Deadlines of the scheduler whose jobs
/// it runs have to wait for these in any case: while there are no others, as with the one timer of
/// many programs, no alarm is set.
///
/// docs/Concurrency.md says why no deadline is missed.
final class StandIn {
  /// Nanoseconds that a deadline may have to wait for a job.
  private static let patience: Int64 = 200_000

  /// The leader that runs jobs; 0: the leader waits for deadlines.
  private let busy = Atomic<UInt>(0)
  /// Whose jobs it runs, or ran last.
  private let home = Atomic<UInt>(0)
  /// Somebody sleeps on the alarm, or is about to.
  private let isThere = Atomic<Bool>(false)

  private let lock = Lock()
  // Under the lock.
  private var descriptor: Int32 = -1
  private var isHired = false
  /// `.max`: it is off.
  private var alarm: Int64 = .max
  /// It is to ring now; a later set does not change that.
  private var isRinging = false

  /// Whether there is one; if not it is on its way.
  @inline(__always)
  func isReady(_ hire: () -> Bool) -> Bool {
    isThere.load(ordering: .acquiring) || isOnItsWay(hire)
  }

  /// False: the leader had better leave jobs to others.
  @inline(never)
  private func isOnItsWay(_ hire: () -> Bool) -> Bool {
    lock.locked {
      if isHired { return }
      // Tried once: where the system is short of threads or descriptors the workers do.
      isHired = true
      descriptor = rac_shim_alarm_open()
      if descriptor >= 0, !hire() { forget() }
    }
    return false
  }

  /// In a forked child: the descriptor is the parent's.
  func forget() {
    if descriptor >= 0 { rac_shim_alarm_close(descriptor) }
    descriptor = -1
  }

  // MARK: The leader

  /// It is about to run jobs of `home`. Somebody has to see to deadlines of others meanwhile, but
  /// not before `soonest`.
  func begin(_ home: UInt, in queue: TimerQueue, _ soonest: Int64) {
    // A Dekker pair: an inserting thread publishes its deadline before it reads these, and this
    // thread writes these before it looks for the first deadline. One of the two sees the other.
    self.home.store(home, ordering: .sequentiallyConsistent)
    busy.store(currentThread().token, ordering: .sequentiallyConsistent)
    lock.locked {
      set(queue.awaitsOthers(than: home) ? max(queue.firstDeadline ?? .max, soonest) : .max)
    }
  }

  /// It has run them. False: the lead is somebody else's.
  func end() -> Bool {
    busy.replace(currentThread().token, with: 0).exchanged
  }

  // MARK: Any thread

  /// A deadline was inserted that is now the first, or another owner's; and the leader does not
  /// wait.
  func expect(_ deadline: Int64, in queue: TimerQueue) {
    if busy.load(ordering: .sequentiallyConsistent) == 0 { return }
    if !queue.awaitsOthers(than: home.load(ordering: .sequentiallyConsistent)) { return }
    lock.locked {
      if deadline.saturatingAdd(StandIn.patience) < alarm { set(deadline) }
    }
  }

  /// It looks at the hook of threads.
  func ring() {
    lock.locked {
      if descriptor < 0 { return }
      isRinging = true
      rac_shim_alarm_set(descriptor, 1)
    }
  }

  private func set(_ deadline: Int64) {
    let time = deadline.saturatingAdd(StandIn.patience)
    if time == alarm || isRinging { return }
    alarm = time
    rac_shim_alarm_set(descriptor, time == .max ? 0 : max(1, time))
  }

  // MARK: The other one

  /// Sleeps until it has the lead.
  func takeOver(_ visit: inout ThreadHook.Visit) {
    while true {
      visit.renew()
      isThere.store(true, ordering: .releasing)
      rac_shim_alarm_wait(descriptor)
      // Before it may have the lead: the leader of before may be here at once.
      isThere.store(false, ordering: .releasing)
      lock.locked {
        isRinging = false
        alarm = .max
      }
      let leader = busy.load(ordering: .acquiring)
      if leader != 0, busy.replace(leader, with: 0).exchanged { return }
    }
  }
}
