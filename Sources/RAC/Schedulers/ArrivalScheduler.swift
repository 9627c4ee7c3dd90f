/// Where an operator that waits lets time pass: on the scheduler that is current when a value arrives, or
/// on a background one of the operator's own.
struct ArrivalScheduler {
  private var spare: Scheduler?

  mutating func here() -> Scheduler {
    if let current = Scheduler.current { return current }
    if let spare { return spare }
    let fresh = BackgroundScheduler(priority: 0, name: nil)
    spare = fresh
    return fresh
  }
}
