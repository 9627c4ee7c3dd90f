/// When the pool wakes a worker, or starts one, as a value: it locks nothing and calls nothing.
/// WorkerPool feeds it events, under its lock, and does what it answers with the lock free.
///
/// At most one worker is on its way to work: called, started, or searching (the searching worker of
/// Go's scheduler). While there is one, more work wakes no other; when it has found something and
/// there is more, it calls the next. So a burst of work wakes no more threads than it needs.
struct PoolState: Equatable {
  enum Help: Equatable { case none, wake, start }

  /// How many workers there may be.
  let limit: Int
  private(set) var workers = 0
  private(set) var sleeping = 0
  /// Those that have a scheduler in hand.
  private(set) var working = 0
  /// Schedulers in line.
  private(set) var ready = 0
  /// Advanced whenever one is put in line or taken.
  private(set) var moves: UInt64 = 0
  private(set) var isSomeoneComing = false

  init(limit: Int) { self.limit = limit }

  /// A scheduler is put in line.
  mutating func added() {
    ready &+= 1
    moves &+= 1
  }

  /// There is more in line than is seen to.
  mutating func needsHelp() -> Help {
    if isSomeoneComing || ready == 0 { return .none }
    if sleeping > 0 {
      sleeping &-= 1
      isSomeoneComing = true
      return .wake
    }
    return starts() ? .start : .none
  }

  /// One more worker is to be started, unless there are enough.
  mutating func starts() -> Bool {
    if workers >= limit { return false }
    workers &+= 1
    isSomeoneComing = true
    return true
  }

  /// The system gave no thread for it. True: there is no worker at all for the schedulers in line.
  mutating func startFailed() -> Bool {
    workers &-= 1
    isSomeoneComing = false
    return workers == 0 && ready > 0
  }

  /// A worker has done with its scheduler.
  mutating func finished() { working &-= 1 }

  /// A worker looks for a scheduler; `wasCalled`: it is the one on its way. False: there is none,
  /// and it sleeps.
  mutating func looks(wasCalled: Bool) -> Bool {
    if wasCalled { isSomeoneComing = false }
    if ready == 0 {
      sleeping &+= 1
      return false
    }
    ready &-= 1
    working &+= 1
    moves &+= 1
    return true
  }
}
