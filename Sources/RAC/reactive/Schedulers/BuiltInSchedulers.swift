/// The schedulers that exist once in a process.
extension Scheduler {
  static var immediate: ImmediateScheduler {
    @inline(__always) get { theImmediate.unsafelyUnwrapped }
  }
  static var main: MainScheduler {
    @inline(__always) get { theMain.unsafelyUnwrapped }
  }
  static var immediateHandle: OpaquePointer { theImmediateHandle.unsafelyUnwrapped }
  static var mainHandle: OpaquePointer { theMainHandle.unsafelyUnwrapped }

  /// Called when the library is loaded, and again when a forked child begins anew: the handles and
  /// the descriptor stay the same.
  static func boot() {
    let (immediate, main) = (ImmediateScheduler(), MainScheduler())
    if let theMain { main.inherit(theMain) }
    theImmediate = immediate
    theMain = main
    theImmediateHandle = Handles.makeImmortal(immediate, .plainScheduler, theImmediateHandle)
    theMainHandle = Handles.makeImmortal(main, .plainScheduler, theMainHandle)
    WorkerPool.boot()
    TimerThread.boot()
    PollThread.boot()
    RestingJobs.boot()
    BackgroundScheduler.serveWorkers()
  }
}

@exclusivity(unchecked) nonisolated(unsafe) private var theImmediate: ImmediateScheduler? = nil
@exclusivity(unchecked) nonisolated(unsafe) private var theMain: MainScheduler? = nil
@exclusivity(unchecked) nonisolated(unsafe) private var theImmediateHandle: OpaquePointer? = nil
@exclusivity(unchecked) nonisolated(unsafe) private var theMainHandle: OpaquePointer? = nil
