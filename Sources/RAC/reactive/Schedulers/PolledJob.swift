import CRACShims

/// A job that waits for its descriptor, is run when that is ready, and waits for it again.
///
/// The descriptor is its own, a number that nobody else closes. It is open until the job is over:
/// disposed while it waits, at once; while it runs, when it returns.
class PolledJob: PausableJob {
  final let scheduler: Scheduler
  final var isWriting = false
  /// -1 before it is opened, and when it is over. Set under the poller's lock.
  final private(set) var descriptor: Int32 = -1
  /// A file that the system does not poll, such as one on a disk: it need not wait. Set under that
  /// lock.
  final var isAlwaysReady = false
  /// Why it could not be opened, an errno, or a status of the library's. Read when it runs.
  final private(set) var failure: Int32 = 0

  /// How many values it may still deliver before others get their turn.
  private final var leftOfTurn = Portion.share

  /// The poller's own, under its lock: the name in the set, 0 when it is not there; whether it will
  /// be reported, so that nobody else schedules it.
  final var pollName: UInt64 = 0
  final var isArmed = false

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  enum Turn {
    /// Until the descriptor is ready again.
    case waits
    /// There is more to deliver already.
    case hasMore
    /// Until there is room below: it is in line there.
    case rests
    /// Until somebody schedules it.
    case isIdle
    case isOver
  }

  /// Its descriptor, or an errno with its sign turned.
  func open() -> Int32 { -1 }

  /// What `open` gave.
  func close(_ descriptor: Int32) { rac_shim_descriptor_close(descriptor) }

  /// Delivers at most so many values; how many.
  func deliver(atMost limit: Int) -> (Turn, count: Int) { (.isOver, 0) }

  /// Before it is in a scope, so that nobody disposes it meanwhile.
  final func prepare() {
    let opened = open()
    if opened >= 0 { descriptor = opened } else { failure = 0 &- opened }
  }

  /// Waits from now on. Where it cannot it runs once, to say so.
  final func begin() {
    if failure == 0 {
      let result = scheduler.poller.add(self)
      if result == 0 { return scheduler.hasPolled() }
      if result != -Int32(RAC_SHIM_NOT_POLLED) { failure = 0 &- result }
    }
    scheduler.schedule(self)
  }

  /// Under the poller's lock: the number, for somebody to close.
  final func takeDescriptor() -> Int32 {
    let taken = descriptor
    descriptor = -1
    return taken
  }

  /// In a forked child: its descriptor is the parent's.
  final func fail(_ reason: Int32) { failure = reason }

  override final func perform() { _ = perform(atMost: .max) }

  override final func perform(atMost limit: Int) -> Portion {
    guard claim() else { return Portion(count: 0) }
    let (turn, count) = deliver(atMost: min(limit, leftOfTurn))
    leftOfTurn &-= count
    if case .isOver = turn {
      finish()
    } else if !rewind() {
      finish()
    } else if turn == .rests {
      leftOfTurn = Portion.share
      if !rest() { goOn() }
    } else if turn == .isIdle {
      leftOfTurn = Portion.share
    } else if turn == .hasMore || isAlwaysReady {
      // A job that was cut short goes on first; one that has had its share goes behind the others.
      if count == limit && leftOfTurn > 0 { return Portion(count: count, isCut: true) }
      leftOfTurn = Portion.share
      scheduler.schedule(self)
    } else {
      leftOfTurn = Portion.share
      if !scheduler.poller.arm(self) { scheduler.schedule(self) }
    }
    return Portion(count: max(1, count))
  }

  override final func goOn() { scheduler.schedule(self) }

  override func drop() {
    super.drop()
    scheduler.poller.remove(self)
  }
}
