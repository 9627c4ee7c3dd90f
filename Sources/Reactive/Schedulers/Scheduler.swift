import CRAC

/// Where and when things run: one at a time, in the order in which they came.
///
/// RAC: RACScheduler.
public final class Scheduler: Sendable {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?
  /// Tasks that sleep by its clock.
  let sleepers = Sleepers()
  /// Of a virtual one.
  private let tasks: VirtualTasks?

  init(adopting pointer: OpaquePointer?, tasks: VirtualTasks? = nil) {
    self.pointer = pointer
    self.tasks = tasks
  }

  deinit { if let pointer { rac_release(UnsafeMutableRawPointer(pointer)) } }

  /// Runs things at once, on the thread that schedules them. RAC: +immediateScheduler.
  public static let immediate = Scheduler(adopting: rac_scheduler_immediate())

  /// The main actor's: a job here may call `MainActor.assumeIsolated`. RAC: +mainThreadScheduler.
  public static let main: Scheduler = {
    _ = MainLoop.isServed
    return Scheduler(adopting: rac_scheduler_main())
  }()

  /// How soon the things of a background scheduler get a thread when there are more of them than
  /// threads.
  public enum Priority: Sendable {
    /// Before all others.
    case high
    /// The default.
    case standard
    /// After the others.
    case low
    /// When nothing else waits.
    case background

    var number: Int32 {
      switch self {
      case .high: 2
      case .standard: 0
      case .low: -2
      case .background: -32768
      }
    }
  }

  /// A new one on the library's threads. RAC: +schedulerWithPriority:name:.
  public static func background(named name: String? = nil, priority: Priority = .standard)
    -> Scheduler
  {
    Scheduler(adopting: rac_scheduler_background(priority.number, name))
  }

  /// A new one whose time stands still until it is told to pass, by `advance(by:)`: for tests.
  public static func virtual() -> Scheduler {
    Scheduler(adopting: rac_scheduler_virtual(), tasks: VirtualTasks())
  }

  /// A new one whose things run on an actor, many of them in one turn of its. It keeps the actor.
  public convenience init<A: Actor>(actor: A) {
    let context = EnqueueContext { scheduler in
      let turn = Reference(scheduler)
      Task { await actor.take(turn) }
    }
    self.init(
      adopting: rac_scheduler_over_queue(
        nil, context.passed, EnqueueContext.call, EnqueueContext.release))
  }

  /// A new one whose things run on any queue: a serial `DispatchQueue`, an event loop of NIO's, a
  /// pool of threads. Many of them run in one turn of the queue, one at a time even on a pool.
  ///
  ///     let scheduler = Scheduler { queue.async(execute: $0) }
  ///     let scheduler = Scheduler { eventLoop.execute($0) }
  ///
  /// Things with a delay join the others when their time has come.
  ///
  /// - Parameters:
  ///   - name: for debugging.
  ///   - enqueue: has the queue run the closure it gets, once and soon. It is called by whichever
  ///     thread brings work, and must not wait, nor run the closure itself.
  ///
  /// RAC: RACTargetQueueScheduler.
  public convenience init(
    named name: String? = nil,
    enqueue: @escaping @Sendable (_ turn: @escaping @Sendable () -> Void) -> Void
  ) {
    let context = EnqueueContext { scheduler in
      let turn = Reference(scheduler)
      enqueue { withExtendedLifetime(turn) { _ = rac_scheduler_take_turn(turn.pointer, 0) } }
    }
    self.init(
      adopting: rac_scheduler_over_queue(
        name, context.passed, EnqueueContext.call, EnqueueContext.release))
  }

  /// The time that has passed on the scheduler's clock, from a beginning of its own.
  public var now: Duration {
    withExtendedLifetime(self) { Duration(seconds: rac_scheduler_now(pointer)) }
  }

  /// Whether this is something that it runs.
  var isCurrent: Bool {
    let current = rac_scheduler_current()
    defer { rac_release(UnsafeMutableRawPointer(current)) }
    return withExtendedLifetime(self) { pointer != nil && pointer == current }
  }

  /// Runs `action` as soon as its turn comes. Disposing takes it back.
  @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> Disposable {
    withExtendedLifetime(self) {
      Disposable(
        adopting: rac_schedule(
          pointer, ActionContext(action).passed, ActionContext.call, ActionContext.release))
    }
  }

  /// Runs `action` when some time has passed. A negative one is refused: nothing runs, and what is
  /// returned says that it is disposed.
  @discardableResult
  public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void)
    -> Disposable
  {
    withExtendedLifetime(self) {
      Disposable(
        adopting: rac_schedule_after(
          pointer, delay.seconds, ActionContext(action).passed, ActionContext.call,
          ActionContext.release))
    }
  }

  /// Runs `action` when some time has passed, and then again and again, until it is disposed.
  ///
  /// - Parameters:
  ///   - delay: until the first time. Where it is negative nothing runs, and what is returned says
  ///     that it is disposed.
  ///   - interval: from one time to the next, more than zero, or the same.
  ///   - tolerance: how late it may come, so that several wake-ups can be one.
  ///   - action: runs on the scheduler.
  @discardableResult
  public func schedule(
    after delay: Duration, every interval: Duration, tolerance: Duration = .zero,
    _ action: @escaping @Sendable () -> Void
  ) -> Disposable {
    withExtendedLifetime(self) {
      Disposable(
        adopting: rac_schedule_repeating(
          pointer, delay.seconds, interval.seconds, tolerance.seconds,
          ActionContext(action).passed, ActionContext.call, ActionContext.release))
    }
  }

  /// Lets time pass on a virtual scheduler, and runs what becomes due. Others are left alone.
  ///
  /// Asynchronous functions that signals run meanwhile, as `asyncMap` does, run here as well, in
  /// the same order each time, and may sleep by `clock`.
  public func advance(by duration: Duration) {
    letTasksRun { _ = rac_virtual_advance_by(pointer, duration.seconds) }
  }

  /// Runs tasks of signals that are observed by `body` when `body` lets time pass.
  package func letTasksRun<Result>(during body: () throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) {
      guard let tasks else { return try body() }
      return try tasks.during(pointer, body)
    }
  }

  /// Lets time pass on a virtual scheduler while nothing runs: jobs that become due come late, with
  /// the next advance. Others are left alone.
  public func sleep(for duration: Duration) {
    withExtendedLifetime(self) { _ = rac_virtual_sleep(pointer, duration.seconds) }
  }
}

extension Actor {
  fileprivate func take(_ turn: Reference) {
    withExtendedLifetime(turn) { _ = rac_scheduler_take_turn(turn.pointer, 0) }
  }
}

/// Has a queue of the program's take a turn. Not generic over the queue.
private final class EnqueueContext: Context, @unchecked Sendable {
  /// Gets a reference of its own to the scheduler.
  let body: @Sendable (OpaquePointer) -> Void

  init(_ body: @escaping @Sendable (OpaquePointer) -> Void) {
    self.body = body
    super.init()
  }

  static var call: rac_enqueue_fn {
    { context, scheduler in
      rac_retain(UnsafeMutableRawPointer(scheduler))
      context.with(EnqueueContext.self) { $0.body(scheduler.unsafelyUnwrapped) }
    }
  }
}

/// Calls `body` with the scheduler's pointer, for an operator of time. nil stands for the main
/// scheduler in the main actor's code, and elsewhere for NULL, the scheduler that is current at the
/// subscription.
func serving<Result>(_ scheduler: Scheduler?, _ body: (OpaquePointer?) -> Result) -> Result {
  let scheduler = scheduler ?? (MainLoop.isCurrent ? .main : nil)
  return withExtendedLifetime(scheduler) { body(scheduler?.pointer) }
}

extension SignalProtocol {
  /// For the operators that keep time: the source's pointer and the scheduler's.
  @usableFromInline
  func derive<T>(
    on scheduler: Scheduler?, _ make: (OpaquePointer?, OpaquePointer?) -> OpaquePointer?
  )
    -> Signal<T>
  {
    serving(scheduler) { pointer in derive { make($0, pointer) } }
  }
}
