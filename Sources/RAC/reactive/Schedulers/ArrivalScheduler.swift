import CRACShims

/// The parameters of an operator of time: how long, and on which scheduler, if any.
struct Timing {
  let nanoseconds: Int64
  let scheduler: Scheduler?

  /// Longer than anybody waits.
  var isEndless: Bool { nanoseconds >= Int64.max / 2 }

  /// The time there, for a caller that only reads the clock.
  var now: Int64 { scheduler?.now ?? ArrivalScheduler.now }

  /// Where the time passes that begins now.
  var home: Scheduler {
    var arrival = ArrivalScheduler(scheduler)
    return arrival.here()
  }
}

/// Where an operator that waits lets time pass: on the scheduler it was given, or else on the one
/// that is current when a value arrives, or on a background one of the operator's own.
struct ArrivalScheduler {
  private let given: Scheduler?
  private var spare: Scheduler?

  init(_ given: Scheduler? = nil) { self.given = given }

  /// The time there, for a caller that only reads the clock: all real schedulers have the same.
  static var now: Int64 { Scheduler.current?.now ?? rac_recording_read_clock() }

  /// Whether time is slept through.
  var sleeps: Bool { given === Scheduler.immediate }

  mutating func here() -> Scheduler { found().takeUnretainedValue() }

  /// The same without a reference, for a caller that is done with it before the thread, or this,
  /// lets go of it.
  mutating func found() -> Unmanaged<Scheduler> {
    if let given { return .passUnretained(given) }
    let thread = currentThread()
    // Not on the immediate one, which attached threads have: it would hold up the sender, and with
    // it the value that a throttle waits for.
    if let current = thread.pointee.scheduler,
      current != Unmanaged.passUnretained(Scheduler.immediate).toOpaque()
    {
      return .fromOpaque(current)
    }
    if thread.pointee.is_main { return .passUnretained(Scheduler.main) }
    if let spare { return .passUnretained(spare) }
    let fresh = BackgroundScheduler(priority: 0, name: nil)
    spare = fresh
    return .passUnretained(fresh)
  }
}
