import CRACShims
import Synchronization

/// Waits for the first event of a signal in the calling thread.
///
/// Inside a callback or a job it never blocks: the thread might be waiting for itself. There it takes
/// what comes at once, or gives up.
final class BlockingRead: Sink {
  private let answered = Atomic<UInt32>(0)
  /// Written before `answered`, owned by whoever reads them.
  private var value = Value.null
  private var status = Status.empty

  /// The main scheduler is run meanwhile: a job there says that the answer has come.
  private let runsMain: Bool
  private let arrival = Atomic<Bool>(false)
  private var hasArrived: Bool { arrival.load(ordering: .acquiring) }

  private init(runsMain: Bool = false) {
    self.runsMain = runsMain
    super.init(scope: Scope())
  }

  override func next(_ value: Value) {
    if scope.isActive { answer(Status.ok, value) }
  }
  override func error(_ error: Value) { answer(Status.stream, error) }
  override func completed() { answer(Status.empty, .null) }

  private func answer(_ status: rac_status, _ value: Value) {
    guard scope.close() else { return }
    self.status = status
    self.value = value.retained()
    answered.store(1, ordering: .releasing)
    rac_shim_futex_wake(atomicAddress(answered), .max)
    if runsMain {
      engine.main.schedule(ClosureJob { self.arrival.store(true, ordering: .releasing) })
    }
  }

  /// The status, and a value that the caller owns. A negative timeout waits for ever.
  static func first(of signal: Signal, timeout: Int64) -> (rac_status, Value) {
    let read = BlockingRead()
    let deadline = rac_shim_now() &+ timeout
    signal.subscribe(read)
    while read.answered.load(ordering: .acquiring) == 0 {
      let isForbidden = currentThread().isInsideEngine
      let left = timeout < 0 ? -1 : max(0, deadline &- rac_shim_now())
      let isOver = isForbidden || !rac_shim_futex_wait(atomicAddress(read.answered), 0, left)
      // Of closing here and answering there, one wins; an answer on its way is waited for.
      if isOver && read.scope.close() {
        return (isForbidden ? Status.deadlock : Status.timedOut, .null)
      }
    }
    return (read.status, read.value)
  }

  /// The same, but the calling thread runs the main scheduler until the answer has come, or
  /// until it is stopped, which counts as a timeout.
  static func firstRunningMain(of signal: Signal, timeout: Int64) -> (rac_status, Value) {
    if currentThread().isInsideEngine { return (Status.deadlock, .null) }
    let read = BlockingRead(runsMain: true)
    var deadline: Int64? = timeout < 0 ? nil : rac_shim_now() &+ timeout
    signal.subscribe(read)
    while !read.hasArrived {
      let hasRun = engine.main.run(until: deadline) { read.hasArrived }
      if read.hasArrived { break }
      if read.scope.close() { return (hasRun ? Status.timedOut : Status.busy, .null) }
      // An answer is on its way: here, or to the thread that runs the main scheduler.
      deadline = nil
      if !hasRun {
        while read.answered.load(ordering: .acquiring) == 0 {
          _ = rac_shim_futex_wait(atomicAddress(read.answered), 0, -1)
        }
        break
      }
    }
    return (read.status, read.value)
  }
}
