import CRACShims
import Synchronization

/// Everything the library has one of. Made once, when the library is loaded: lazily initialised
/// globals would cost a check at every use and spin in the Embedded build.
final class Engine {
  let pool = WorkerPool()
  let timers = TimerThread()
  let immediate = ImmediateScheduler()
  let main = MainScheduler()
  let subscriptions = BackgroundScheduler(priority: 0, name: nil)
  let waits = WaitGraph()
  let diagnostics = Diagnostics()
  /// rac_set_subscribe_inline
  let subscribesInline = Atomic<Bool>(false)
  let pointerTypes = PointerTypes()
  /// See ChangeClock.
  let stamps = Atomic<UInt64>(0)
  /// The error for which there may be no memory when it is needed.
  let noMemory: Value
  let immediateHandle: OpaquePointer
  let mainHandle: OpaquePointer

  init() {
    noMemory = .needed(
      .error(domain: "rac", code: Int64(Status.noMemory), message: "not enough memory"))
    immediateHandle = Handles.makeImmortal(immediate, .plainScheduler)
    mainHandle = Handles.makeImmortal(main, .plainScheduler)
  }
}

nonisolated(unsafe) private var theEngine: Engine? = nil

var engine: Engine {
  @inline(__always) get { theEngine.unsafelyUnwrapped }
}

@_cdecl("rac_engine_boot")
func bootEngine() {
  Slots.boot()
  PropertyCell.boot()
  theEngine = Engine()
  engine.diagnostics.readEnvironment()
  startupObjects = rac_shim_live_total()
}

/// What the engine itself keeps alive, not counted as the user's.
nonisolated(unsafe) var startupObjects: Int64 = 0

@_cdecl("rac_engine_thread_exit")
func threadExits(_ thread: UnsafeMutablePointer<rac_thread>?) {
  guard let thread, !rac_shim_forked else { return }
  Slots.abandonSpares(thread)
  Callback.discardRaised(thread, from: 0)
}

@_cdecl("rac_engine_forked")
func processForked() { Slots.forget() }
