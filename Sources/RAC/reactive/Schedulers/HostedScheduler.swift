import Synchronization

/// A serial queue drained by a queue, or a pool of threads, of the host's. RACTargetQueueScheduler.
///
/// When there is work the host is asked for one turn. Turns may come from any thread, and also
/// without having been asked for: one that finds another under way leaves its work to that one.
final class HostedScheduler: QueueScheduler {
  private static let idle: UInt32 = 0
  private static let running: UInt32 = 1
  /// A turn came while another was under way, perhaps just after it had looked at the queue.
  private static let runningAndAsked: UInt32 = 2

  private let state = Atomic<UInt32>(HostedScheduler.idle)
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
    // Alive by now: whoever finds it dead knows that nobody can take the turn.
    lent.store(UInt(bitPattern: handle), ordering: .releasing)
    currentThread().away { enqueue(context.pointer, handle) }
    context.calledBack()
    _ = Handles.release(handle: handle)
  }

  /// Runs at most `limit` values and other jobs, and asks for another turn if that leaves some. How
  /// many; more than the limit when that turn came before this one was over, none when another is
  /// under way.
  func takeTurn(_ limit: Int) -> Int {
    // First of all: whoever is inside knows then that this turn was not lost.
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

  /// False: the turn under way does what there is to do.
  private func begin() -> Bool {
    while true {
      let (started, now) = state.compareExchange(
        expected: HostedScheduler.idle, desired: HostedScheduler.running,
        ordering: .acquiringAndReleasing)
      if started { return true }
      if now == HostedScheduler.runningAndAsked { return false }
      let (noted, _) = state.compareExchange(
        expected: HostedScheduler.running, desired: HostedScheduler.runningAndAsked,
        ordering: .acquiringAndReleasing)
      if noted { return false }
    }
  }

  /// False: a turn came meanwhile, and is now this one's to take.
  private func end() -> Bool {
    let before = state.exchange(HostedScheduler.idle, ordering: .acquiringAndReleasing)
    return before == HostedScheduler.running || !begin()
  }

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
      // What came behind a turn that is over is not lost: that turn left what there was to this
      // thread.
      if state.load(ordering: .acquiring) == HostedScheduler.runningAndAsked { return }
      queue.dropReady()
    } while !queue.fallAsleep()
  }
}
