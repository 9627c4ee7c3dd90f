import CRACShims
import Synchronization

/// Waits for the first event of a signal in the calling thread.
///
/// Inside a callback or a job it never blocks: the thread might be waiting for itself. There it
/// takes what comes at once, or gives up.
final class BlockingRead: Sink {
  private static let open: UInt32 = 0
  /// An event came and is being written down.
  private static let answering: UInt32 = 1
  private static let answered: UInt32 = 2
  private static let givenUp: UInt32 = 3
  /// Open, and the reader runs the main scheduler meanwhile: a job there says that the answer has
  /// come.
  private static let openOnMain: UInt32 = 4
  /// This, and not the scope, decides which event comes first: others may close the scope without
  /// an event.
  private let state = Atomic<UInt32>(BlockingRead.open)
  /// Written before the state says `answered`, owned by the reader.
  private var value = Value.null
  private var status = Status.empty

  private let arrival = Atomic<Bool>(false)
  private var hasArrived: Bool { arrival.load(ordering: .acquiring) }

  private init(runsMain: Bool = false) {
    super.init(scope: Scope())
    if runsMain { state.store(BlockingRead.openOnMain, ordering: .relaxed) }
  }

  override func next(_ value: Value) {
    answer(Status.ok, value)
  }
  override func error(_ error: Value) { answer(Status.stream, error) }
  override func completed() { answer(Status.empty, .null) }

  private func answer(_ status: rac_status, _ value: Value) {
    guard let before = leave(to: BlockingRead.answering) else { return }
    scope.close()
    self.status = status
    self.value = value.retained()
    state.store(BlockingRead.answered, ordering: .releasing)
    rac_shim_futex_wake(atomicAddress(state), .max)
    if before == BlockingRead.openOnMain {
      Scheduler.main.schedule(ClosureJob { self.arrival.store(true, ordering: .releasing) })
    }
  }

  /// The state before, for the thread that decides how the read ends; nil for others.
  private func leave(to next: UInt32) -> UInt32? {
    var before = BlockingRead.open
    while before == BlockingRead.open || before == BlockingRead.openOnMain {
      let (isMine, now) = state.replace(before, with: next)
      if isMine { return before }
      before = now
    }
    return nil
  }

  private func giveUp() -> Bool {
    guard leave(to: BlockingRead.givenUp) != nil else { return false }
    scope.close()
    return true
  }

  private var isAnswered: Bool { state.load(ordering: .acquiring) == BlockingRead.answered }

  private func wait(until deadline: Int64) -> Parker.End {
    Parker.wait(at: atomicAddress(state), until: deadline) {
      let now = state.load(ordering: .acquiring)
      return now == BlockingRead.answered ? nil : now
    }
  }

  /// Of giving up here and answering there, one wins: an answer on its way is waited for, which
  /// comes also when the library is closed. The status is that of the other case.
  private func finish(_ status: rac_status) -> (rac_status, Value) {
    if giveUp() { return (status, .null) }
    var end = Parker.End.woken
    while !isAnswered {
      if end == .forked { return (end.status, .null) }
      end = WaitGraph.waitsForSignal {
        Parker.sleep(at: atomicAddress(state), while: BlockingRead.answering, until: .max)
      }
    }
    return (self.status, value)
  }

  /// The status, and a value that the caller owns. A negative timeout waits for ever. On the main
  /// thread the main scheduler runs meanwhile, unless somebody else runs it.
  static func first(of signal: Signal, timeout: Int64) -> (rac_status, Value) {
    let read = BlockingRead()
    let deadline = timeout < 0 ? .max : rac_shim_now() &+ timeout
    signal.subscribe(read)
    if read.isAnswered { return (read.status, read.value) }
    let thread = currentThread()
    let isForbidden = thread.isInsideEngine
    if !isForbidden, thread.pointee.is_main, read.willRunMain(),
      let outcome = read.runMain(until: deadline)
    {
      return outcome
    }
    let status = isForbidden ? Status.deadlock : read.wait(until: deadline).status
    return read.finish(status)
  }

  /// The same, but the calling thread runs the main scheduler until the answer has come, or
  /// until it is stopped, which counts as a timeout.
  static func firstRunningMain(of signal: Signal, timeout: Int64) -> (rac_status, Value) {
    if currentThread().isInsideEngine { return (Status.deadlock, .null) }
    let read = BlockingRead(runsMain: true)
    let deadline = timeout < 0 ? .max : rac_shim_now() &+ timeout
    signal.subscribe(read)
    return read.runMain(until: deadline) ?? read.finish(Status.busy)
  }

  /// False: the answer has come already, or is being written.
  private func willRunMain() -> Bool {
    state.replace(BlockingRead.open, with: BlockingRead.openOnMain).exchanged
  }

  /// Until the main scheduler has got to the answer, or the read was given up. An answer that came
  /// at once waits behind the jobs that were there before it: these run, as in RAC. nil: another
  /// thread runs the scheduler.
  private func runMain(until deadline: Int64) -> (rac_status, Value)? {
    var deadline: Int64? = deadline == .max ? nil : deadline
    while !hasArrived {
      let hasRun = Scheduler.main.run(until: deadline) { hasArrived }
      if hasArrived { break }
      if !hasRun { return nil }
      if giveUp() { return (Parker.inVain, .null) }
      // An answer is on its way: here, or to the thread that runs the main scheduler.
      deadline = nil
      if Process.isClosed { break }
    }
    return finish(Parker.inVain)
  }
}
