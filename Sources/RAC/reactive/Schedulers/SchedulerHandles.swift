import CRACShims

// Shared by the C functions of schedulers.

extension Border {
  /// The scheduler behind a handle.
  @inline(never)
  static func scheduler(_ handle: OpaquePointer?, _ function: StaticString = #function)
    -> Scheduler?
  {
    use(handle, .schedulers, as: Scheduler.self, function) { $0 }
  }

  /// Whether the stack bears what is scheduled; records that it does not.
  @inline(__always)
  static func hasRoom(on scheduler: Scheduler, _ function: StaticString = #function) -> Bool {
    if !Stack.isShort || scheduler !== Scheduler.immediate { return true }
    return refuse(Status.range, function, "the stack is full of jobs that schedule each other")
  }

  /// Whether somebody waits for the scheduler's deadlines; records that the system gives no thread.
  @inline(__always)
  static func keepsTime(_ scheduler: Scheduler, _ function: StaticString = #function) -> Bool {
    scheduler.keepsTime() || refuseThread(function)
  }

  /// The system gives no thread: false.
  static func refuseThread(_ function: StaticString = #function) -> Bool {
    refuse(Status.noMemory, function, "the system gives no thread")
  }

  @inline(never)
  private static func refuse(
    _ status: rac_status, _ function: StaticString, _ message: StaticString
  ) -> Bool {
    Failure.record(status, message, in: function)
    Failure.leaveNull()
    return false
  }

  /// A job that there was no memory to schedule: its context is destroyed.

  /// A scheduler that can let time pass without sleeping: not the immediate one.
  @inline(never)
  static func timedScheduler(_ handle: OpaquePointer?, _ function: StaticString = #function)
    -> Scheduler?
  {
    guard let scheduler = scheduler(handle, function) else { return nil }
    if scheduler !== Scheduler.immediate { return keepsTime(scheduler, function) ? scheduler : nil }
    return none(
      Failure.record(Status.invalid, "the immediate scheduler cannot wait or repeat", in: function))
  }

  /// The arguments of an operator of time: seconds, and a scheduler that may be NULL; nil, and the
  /// failure recorded, if they are invalid.
  @inline(never)
  static func timing(
    _ seconds: Double, _ scheduler: CScheduler?, _ function: StaticString = #function
  ) -> Timing? {
    guard let time = duration(seconds, function) else { return nil }
    if scheduler == nil { return Timing(nanoseconds: time, scheduler: nil) }
    guard let given = timedScheduler(scheduler, function) else { return nil }
    return Timing(nanoseconds: time, scheduler: given)
  }

  /// Seconds as nanoseconds; nil, and the failure recorded, for NaN and negative ones.
  @inline(never)
  static func duration(_ seconds: Double, _ function: StaticString = #function) -> Int64? {
    if let nanoseconds = Duration.nanoseconds(seconds) { return nanoseconds }
    return none(Failure.record(Status.invalid, "a time is negative or not a number", in: function))
  }

  /// Seconds as nanoseconds, -1 for ever; nil, and the failure recorded, for NaN.
  @inline(never)
  static func timeout(_ seconds: Double, _ function: StaticString = #function) -> Int64? {
    if seconds == seconds { return Duration.timeout(seconds) }
    return none(Failure.record(Status.invalid, "the timeout is not a number", in: function))
  }
}
