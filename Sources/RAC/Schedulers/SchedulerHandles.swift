import CRACShims

// What the C functions of schedulers share.

extension Border {
  /// The scheduler behind a handle.
  @inline(never)
  static func scheduler(_ handle: OpaquePointer?, _ function: StaticString) -> Scheduler? {
    use(handle, .schedulers, as: Scheduler.self, function) { $0 }
  }

  /// Whether what is scheduled has a thread to run on. Records that the system refused one.
  @inline(__always)
  static func isServed(_ scheduler: Scheduler, dated: Bool = false, _ function: StaticString)
    -> Bool
  {
    Staff.isComplete && !Stack.isShort || makeServed(scheduler, dated: dated, function)
  }

  @inline(never)
  private static func makeServed(_ scheduler: Scheduler, dated: Bool, _ function: StaticString)
    -> Bool
  {
    if Stack.isShort && scheduler === Scheduler.immediate {
      Failure.record(Status.range, function, "the stack is full of jobs that schedule each other")
    } else if scheduler.isServed(dated: dated) {
      return true
    } else {
      Failure.record(Status.noMemory, function, "the system gives no thread")
    }
    Failure.leaveNull()
    return false
  }

  /// A job that there was no memory to schedule: its context is destroyed.
  @inline(never)
  static func refuse(
    _ job: Unmanaged<Object>, _ place: Slot, _ function: StaticString
  ) -> OpaquePointer? {
    Slots.free(place)
    unsafeDowncast(job.takeRetainedValue(), to: Job.self).dispose()
    return none(refuseMemory(function))
  }

  /// A scheduler that can let time pass without sleeping: not the immediate one.
  @inline(never)
  static func timedScheduler(_ handle: OpaquePointer?, _ function: StaticString) -> Scheduler? {
    guard let scheduler = scheduler(handle, function) else { return nil }
    if scheduler !== Scheduler.immediate { return scheduler }
    return none(
      Failure.record(Status.invalid, function, "the immediate scheduler cannot wait or repeat"))
  }

  /// What an operator of time is given: seconds, and a scheduler that may be NULL; nil, and the
  /// failure recorded, where they will not do.
  @inline(never)
  static func timing(_ seconds: Double, _ scheduler: CScheduler?, _ function: StaticString)
    -> Timing?
  {
    guard let time = duration(seconds, function) else { return nil }
    if scheduler == nil { return Timing(nanoseconds: time, scheduler: nil) }
    guard let given = timedScheduler(scheduler, function) else { return nil }
    return Timing(nanoseconds: time, scheduler: given)
  }

  /// Seconds as nanoseconds; nil, and the failure recorded, for NaN and negative ones.
  @inline(never)
  static func duration(_ seconds: Double, _ function: StaticString) -> Int64? {
    if let nanoseconds = Duration.nanoseconds(seconds) { return nanoseconds }
    return none(Failure.record(Status.invalid, function, "a time is negative or not a number"))
  }
}
