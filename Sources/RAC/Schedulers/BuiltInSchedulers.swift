/// The schedulers there is one of.
extension Scheduler {
  static var immediate: ImmediateScheduler {
    @inline(__always) get { theImmediate.unsafelyUnwrapped }
  }
  static var main: MainScheduler {
    @inline(__always) get { theMain.unsafelyUnwrapped }
  }
  static var immediateHandle: OpaquePointer { theImmediateHandle.unsafelyUnwrapped }
  static var mainHandle: OpaquePointer { theMainHandle.unsafelyUnwrapped }

  /// Called once, when the library is loaded.
  static func boot() {
    let (immediate, main) = (ImmediateScheduler(), MainScheduler())
    theImmediate = immediate
    theMain = main
    theImmediateHandle = Handles.makeImmortal(immediate, .plainScheduler)
    theMainHandle = Handles.makeImmortal(main, .plainScheduler)
    WorkerPool.boot()
    TimerThread.boot()
    BackgroundScheduler.serveWorkers()
  }
}

nonisolated(unsafe) private var theImmediate: ImmediateScheduler? = nil
nonisolated(unsafe) private var theMain: MainScheduler? = nil
nonisolated(unsafe) private var theImmediateHandle: OpaquePointer? = nil
nonisolated(unsafe) private var theMainHandle: OpaquePointer? = nil
