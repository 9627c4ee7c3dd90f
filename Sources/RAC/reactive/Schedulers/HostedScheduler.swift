import Synchronization

/// A serial queue drained by a queue, or a pool of threads, of the host's. RACTargetQueueScheduler.
///
/// When there is work the host is asked for one turn. Turns may come from any thread, and also
/// without having been asked for: one that finds another under way leaves its work to that one.
final class HostedScheduler: QueueScheduler {
  /// A TurnState.
  private let word = Atomic<UInt32>(TurnState.idle.rawValue)
  /// The handle that was lent with the last turn asked for, until a turn begins; else 0.
  private let lent = Atomic<UInt>(0)
  private let context: Context
  private let enqueue: rac_enqueue_fn

  init(_ name: SignalName?, _ context: Context, _ enqueue: @escaping rac_enqueue_fn) {
    self.context = context
    self.enqueue = enqueue
    super.init(name)
  }

  override var kind: HandleKind { .hosted }

  override func wake() {
    if Process.isClosed { return lastHandleReleased() }
    let handle = makeHandle()
    // Alive by now: a thread that finds it dead knows that no turn can come.
    lent.store(UInt(bitPattern: handle), ordering: .releasing)
    currentThread().away { enqueue(context.pointer, handle) }
    context.calledBack()
    _ = Handles.release(handle: handle)
  }

  /// Runs at most `limit` values and other jobs, and asks for another turn if that leaves some. How
  /// many; more than the limit when that turn came before this one was over, none when another is
  /// under way.
  func takeTurn(_ limit: Int) -> Int {
    // First of all: the thread inside knows then that this turn was not lost.
    lent.store(0, ordering: .releasing)
    guard begin() else { return 0 }
    var count = 0
    while true {
      lent.store(0, ordering: .relaxed)
      count &+= runSlice(limit)
      if Process.isClosed { dropJobs() } else if !queue.fallAsleep() { wake() }
      if end() { return count }
    }
  }

  private var state: TurnState {
    TurnState(rawValue: word.load(ordering: .acquiring)) ?? .idle
  }

  /// One event, as one step of the word.
  private func step(_ event: (inout TurnState) -> Bool) -> Bool {
    while true {
      let before = state
      var after = before
      let answer = event(&after)
      let (isDone, _) = word.replace(before.rawValue, with: after.rawValue)
      if isDone { return answer }
    }
  }

  private func begin() -> Bool { step { $0.begin() } }
  private func end() -> Bool { step { $0.end() } }

  /// Perhaps nobody can take the turn that was asked for: then what waits for it goes, and the next
  /// job asks again. Mostly it was taken, or a new job has asked for another one that is on its
  /// way.
  override func lastHandleReleased() {
    guard isLost, begin() else { return }
    dropIfLost()
    var turnCame = false
    while !end() {
      dropIfLost()
      turnCame = true
    }
    // It has to come once more: this is not its thread.
    if turnCame { wake() }
  }

  private var isLost: Bool {
    if Process.isClosed { return true }
    let handle = OpaquePointer(bitPattern: lent.load(ordering: .acquiring))
    return handle.map { Handles.names(.hosted, $0) == nil } ?? false
  }

  /// One thread at a time.
  private func dropIfLost() {
    guard isLost else { return }
    lent.store(0, ordering: .relaxed)
    repeat {
      queue.gatherAwake()
      // Jobs that came behind a finished turn are not lost: that turn left them to this thread.
      if state == .runningAndAsked { return }
      queue.dropReady()
    } while !queue.fallAsleep()
  }
}
