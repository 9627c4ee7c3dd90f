import CRACShims

/// A signal of a child process: its output, and how it ends.
///
///     the child prints --a\n---b\n--exits
///     spawn            s-a-----b----e|   (s: it has started; e: its status)
///
/// A subscription starts the program. It sends tuples of two, a number of rac_child_event and what
/// came: RAC_CHILD_STARTED and the number of the process; RAC_CHILD_OUTPUT or RAC_CHILD_ERRORS and
/// a line of its standard output or error, a string, or bytes if it is not UTF-8; RAC_CHILD_ENDED
/// and its status as waitpid() gives it, for WIFEXITED() and its like. That is the last one: it
/// comes when the child has ended and whoever had its outputs has closed them. A status that is not
/// 0 is no error.
///
/// When the subscription is disposed, or ends by an error, the child gets SIGTERM, and SIGKILL when
/// it has not ended in time. It is reaped on the scheduler, and before RAC_CHILD_ENDED comes.
///
/// The child has the descriptors 0, 1 and 2, and others only if the program has not made them
/// close-on-exec. None of its signals is blocked; those that the program handles, and SIGPIPE, have
/// the system's action there.
///
/// - Parameter arguments: borrowed array of texts, NULL after the last; the signal has a copy. The
///   first is the program, which is looked for in PATH if it has no slash. No shell sees them.
/// - Parameter environment: borrowed array of texts such as "LANG=C", NULL after the last; the
///   signal has a copy. NULL: that of this process when it starts.
/// - Parameter directory: borrowed; the signal has a copy. The directory that it works in; NULL:
///   that of this process.
/// - Parameter input: borrowed, retained; strings and bytes for its standard input, which is closed
///   at the end of the signal. What the child does not read yet waits; sources that can wait are
///   held when 65,536 bytes do, see rac_set_default_marks(). An error of the signal's is the
///   stream's. When the child closes its input the signal is disposed. NULL: its input is empty.
/// - Parameter options: 0, or several of RAC_SPAWN_OUTPUT and RAC_SPAWN_ERRORS: its standard output
///   and its standard error come as events; otherwise they are those of this process.
///   RAC_SPAWN_BYTES: they come as bytes, as with rac_signal_chunks(), not as lines of at most
///   65,536 bytes. RAC_SPAWN_GROUP: it has a process group of its own, which gets the signals, and
///   of which nothing is left.
/// - Parameter grace: seconds from SIGTERM to SIGKILL; 0: SIGKILL at once.
/// - Parameter scheduler: borrowed; reads, writes and sends there. NULL is the main one. Not the
///   immediate one, nor a virtual one.
/// - Returns: one reference; it fails with errors of domain RAC_SYSTEM_ERROR_DOMAIN: with that of
///   exec, ENOENT where there is no such program or directory; EMFILE where no descriptor is left;
///   ECHILD where somebody else has reaped the child; with RAC_ERANGE, of domain "rac", at a line
///   that is too long. NULL with RAC_ENULL, RAC_EINVAL, RAC_ENOMEM, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_spawn(
  _ arguments: CList<CString?>?, _ environment: CList<CString?>?, _ directory: CString?,
  _ input: CSignal?, _ options: UInt32, _ grace: Double, _ scheduler: CScheduler?
) -> CSignal? {
  guard let arguments, arguments[0] != nil else {
    return Border.fail(Status.null, "there is no program")
  }
  guard options & ~SpawnSignal.Option.all == 0 else {
    return Border.fail(Status.invalid, "no such options")
  }
  guard let grace = Border.duration(grace), let input = Border.ifGiven(input, Border.signal),
    let home = Border.home(scheduler, "rac_signal_spawn"), Border.keepsTime(home),
    home.canPoll() || Border.refuseThread(), Border.isReady()
  else { return nil }
  guard let program = rac_shim_program(arguments, environment, directory) else {
    Border.refuseMemory()
    return Border.none(Status.noMemory)
  }
  return Border.give {
    SpawnSignal(program, input, options, grace, home).named("rac_signal_spawn")
  }
}

private final class SpawnSignal: Signal {
  enum Option {
    static let outputs = UInt32(RAC_SPAWN_OUTPUT) | UInt32(RAC_SPAWN_ERRORS)
    static let all = outputs | UInt32(RAC_SPAWN_BYTES) | UInt32(RAC_SPAWN_GROUP)
  }

  private let program: UnsafeMutablePointer<rac_program>
  let input: Signal?
  let options: UInt32
  let grace: Int64
  let scheduler: Scheduler

  init(
    _ program: UnsafeMutablePointer<rac_program>, _ input: Signal?, _ options: UInt32,
    _ grace: Int64,
    _ scheduler: Scheduler
  ) {
    self.program = program
    self.input = input
    self.options = options
    self.grace = grace
    self.scheduler = scheduler
    // Two stages write.
    super.init(depth: (input?.depth ?? 0) &+ 3)
  }

  deinit { rac_shim_free(program) }

  override var contexts: Object? { input?.contexts }
  override func visit(_ visitor: inout Visitor) { visitor.reference(input) }

  override func attach(_ sink: Sink) {
    if sink.scope.isActive { Child(self, sink).begin(self) }
  }

  func start(_ child: inout rac_child) -> Int32 {
    let pipes = (options & Option.outputs) << 1 | (input == nil ? 0 : 1)
    return rac_platform_spawn(program, pipes, options & UInt32(RAC_SPAWN_GROUP) != 0, &child)
  }
}

/// A child process. It lives until the child has ended, longer than its subscription perhaps. What
/// it sends and hears is on the scheduler; it may be disposed anywhere.
private final class Child: Link {
  /// So many bytes wait at its input before the sources above rest.
  private static let mark = 65_536

  private let options: UInt32
  private let grace: Int64
  let scheduler: Scheduler
  /// Those of its input, which may have ended.
  private let contexts: Object?
  private let height: Int32
  private let subscription: Scope
  /// The jobs that read and write, and this.
  private let parts = Scope()
  /// How many outputs are still open; and whether they have been begun with.
  private var outputs = 0
  private var isBegun = false

  /// Guards what follows.
  private let lock = Lock()
  private var process = rac_child()
  /// nil: the subscription is over.
  private var sink: Sink?
  /// The parts to begin with. The signal is not kept longer: it might keep a subject.
  private var start = Start()
  private var status: Int32 = 0
  private var hasEnded = false
  /// Kills it when its time is over.
  private var killer: Job?

  private struct Start {
    var source: Signal?
    var input, output, errors: Descriptor?
  }

  init(_ signal: SpawnSignal, _ sink: Sink) {
    options = signal.options
    grace = signal.grace
    scheduler = signal.scheduler
    contexts = signal.contexts
    self.sink = sink
    height = sink.height
    subscription = sink.scope
  }

  func begin(_ signal: SpawnSignal) {
    let result = signal.start(&process)
    if result < 0 {
      hasEnded = true
      return scheduler.schedule(ClosureJob { self.fail(0 &- result) }, in: subscription)
    }
    let ends = process.ends
    start = Start(
      source: signal.input, input: Child.file(ends.0, true), output: Child.file(ends.1, false),
      errors: Child.file(ends.2, false))
    let exit = ChildEnd(self, process.exit, scheduler)
    exit.prepare()
    subscription.add(parts)
    parts.add(self)
    scheduler.schedule(ClosureJob { self.goOn() }, in: parts)
    exit.begin()
  }

  private static func file(_ end: Int32, _ isWriting: Bool) -> Descriptor? {
    guard end >= 0 else { return nil }
    var identity = rac_identity()
    _ = rac_platform_look(end, isWriting, &identity)
    return Descriptor(end, identity, isOwned: true)
  }

  private func takeStart() -> Start {
    lock.locked {
      let taken = start
      start = Start()
      return taken
    }
  }

  private func goOn() {
    let start = takeStart()
    send(RAC_CHILD_STARTED, .int64(Int64(process.pid)))
    read(start.output, RAC_CHILD_OUTPUT)
    read(start.errors, RAC_CHILD_ERRORS)
    if let source = start.source, let input = start.input {
      let feeding = Scope()
      parts.add(feeding)
      let bound = Mark.isOn ? Bound(Child.mark, .wait) : nil
      source.lift("spawn:") { ChildFeed(self, $0) }
        .written(
          to: input, UInt32(RAC_WRITING_OTHER), bound, scheduler, isPipe: true, "rac_signal_spawn"
        )
        .subscribe(ChildInput(self, feeding, height))
    }
    isBegun = true
    endIfDone()
  }

  private func read(_ file: Descriptor?, _ event: Int32) {
    guard let file, parts.isActive else { return }
    outputs &+= 1
    let isBytes = options & UInt32(RAC_SPAWN_BYTES) != 0
    let reader = isBytes ? ChunkReader(file, 65_536) : LineReader(file, 65_536)
    let sink = ChildOutput(self, event, parts, height)
    wait(Source("rac_signal_spawn", reader, sink, scheduler))
  }

  /// One of its events.
  func send(_ event: Int32, _ value: Value) {
    guard let sink = lock.locked({ sink }), subscription.isActive else { return }
    guard let pair = Child.pair(event, value) else { return fail(Int32(RAC_SHIM_NO_MEMORY)) }
    sink.next(owned: pair)
  }

  func holds(_ question: Question) -> Bool {
    // Asked under a lock, where this must not be the last to let go of the sink.
    if case .holder = question { return false }
    return lock.locked { sink }.map { $0.holds(question) } ?? false
  }

  /// Owned; nil: there is no memory for it.
  private static func pair(_ event: Int32, _ value: Value) -> Value? {
    value.retainedIfPossible().flatMap { kept in
      .tuple(2) { $0 == 0 ? .int64(Int64(event)) : kept }
    }
  }

  func wait(_ job: PolledJob) {
    job.prepare()
    job.scope = parts
    parts.add(job)
    job.begin()
  }

  func outputEnded() {
    outputs &-= 1
    endIfDone()
  }

  /// It has ended, and is to be reaped.
  func ended(_ status: Int32) {
    lock.lock()
    self.status = status
    hasEnded = true
    let job = killer.take()
    if sink == nil { forget() }
    lock.unlock()
    job?.dispose()
    endIfDone()
  }

  /// Nobody knows when it ends: an errno, or a status of the library's.
  func lost(_ failure: Int32) {
    lock.lock()
    if failure == Int32(RAC_SHIM_NO_CHILD) { process.pid = 0 }
    rac_platform_child_signal(&process, true)
    rac_platform_child_forget(&process, true)
    process.pid = 0
    hasEnded = true
    lock.unlock()
    fail(failure)
  }

  private func endIfDone() {
    guard isBegun, outputs == 0, hasEnded, let sink = leave() else { return }
    if let pair = Child.pair(RAC_CHILD_ENDED, .int64(Int64(status))) { sink.next(owned: pair) }
    if subscription.isActive { sink.completed() }
  }

  func fail(_ failure: Int32) {
    let error: Value =
      failure == Status.fork
      ? .error("rac", failure, "opened before the process was forked")
      : .systemError("rac_signal_spawn", failure)
    fail(error)
    error.release()
  }

  func fail(_ error: Value) { leave()?.error(error) }

  override func dispose() { _ = leave() }

  /// The sink, for whoever ends the subscription. A child that has not ended is told to.
  private func leave() -> Sink? {
    lock.lock()
    let sink = sink.take()
    var job: Job?
    if sink != nil {
      if hasEnded {
        forget()
      } else {
        rac_platform_child_signal(&process, grace == 0)
        if grace > 0 { job = ClosureJob { self.kill() } }
      }
    }
    lock.unlock()
    guard let sink else { return nil }
    if let job { killLater(job) }
    _ = takeStart()
    parts.close()
    subscription.remove(parts)
    return sink
  }

  private func killLater(_ job: Job) {
    scheduler.schedule(job, after: grace)
    // The end disposes it, which only a job that has been scheduled allows.
    lock.lock()
    let isLate = hasEnded
    if !isLate { killer = job }
    lock.unlock()
    if isLate { job.dispose() }
  }

  private func kill() {
    lock.locked { if !hasEnded { rac_platform_child_signal(&process, true) } }
  }

  /// Under the lock.
  private func forget() {
    if process.has_group { rac_platform_child_signal(&process, true) }
    rac_platform_child_forget(&process, false)
  }
}

/// Waits for the end of a child, whether anybody hears of it or not.
private final class ChildEnd: PolledJob {
  private var child: Child?
  private let exit: Int32

  init(_ child: Child, _ exit: Int32, _ scheduler: Scheduler) {
    self.child = child
    self.exit = exit
    super.init(scheduler)
  }

  override func open() -> Int32 { exit }

  override func deliver(atMost limit: Int) -> (Turn, count: Int) {
    var status: Int32 = 0
    var result = 0 &- failure
    if result == 0 { result = rac_platform_child_look(descriptor, &status) }
    if result == -Int32(RAC_SHIM_AGAIN) { return (.waits, 0) }
    let child = child
    // The descriptor is closed before the end is heard.
    finish()
    if result == 0 { child?.ended(status) } else { child?.lost(0 &- result) }
    return (.isOver, 1)
  }

  override func drop() {
    super.drop()
    child = nil
  }
}

private final class ChildOutput: Sink {
  private let child: Child
  private let event: Int32

  init(_ child: Child, _ event: Int32, _ scope: Scope, _ height: Int32) {
    self.child = child
    self.event = event
    super.init(scope: scope, height: height &+ 1)
  }

  override func next(_ value: Value) { child.send(event, value) }
  override func holds(_ question: Question) -> Bool { child.holds(question) }
  override func error(_ error: Value) { child.fail(error) }
  override func completed() { child.outputEnded() }
}

/// Above the values that wait for room in the pipe to a child: an error does not wait.
private final class ChildFeed: Stage {
  private let child: Child

  init(_ child: Child, _ downstream: Sink) {
    self.child = child
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if value.isText { return super.next(value) }
    refuse(Status.kind, "a value to write is no text")
  }

  override func error(_ error: Value) { child.fail(error) }
}

/// Below what writes to a child: hears how many bytes are out, and that no more will be.
private final class ChildInput: Sink {
  private let child: Child

  init(_ child: Child, _ scope: Scope, _ height: Int32) {
    self.child = child
    super.init(scope: scope, height: height &+ 1)
  }

  override func error(_ error: Value) { child.fail(error) }
  override func completed() { scope.close() }
}
