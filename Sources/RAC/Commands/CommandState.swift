/// What a command's subscribers are told, in the order it came about.
enum CommandNews {
  case executing(Bool)
  case enabled(Bool)
  /// The signal that says whether the command is enabled has failed. The error is owned.
  case failed(Value)
  /// The last handle is gone.
  case released
  /// The last handle is gone, and no execution is left that could end.
  case finished
}

/// Whether a command may run, and what has to be said about it.
///
/// A value: it calls nobody. The command keeps it behind a lock and does the telling afterwards, so that
/// of two executions that race for one place, one gets it.
struct CommandState {
  /// What the enabled signal said last; without one the command is on.
  private var isOn = true
  private var allowsConcurrent = false
  /// Executions that have begun and not ended.
  private var running = 0
  /// Those of them that still can: the source of the others is gone.
  private var awaited = 0
  private var hasFailed = false
  private var isReleased = false

  private var saidExecuting = false
  /// nil: nobody is told, because the first value is not known yet or the signal has ended.
  private var saidEnabled: Bool?
  private var news = Fifo<CommandNews>()

  var isEnabled: Bool { isOn && (allowsConcurrent || running == 0) }
  var isConcurrent: Bool { allowsConcurrent }

  mutating func nextNews() -> CommandNews? { news.popFirst() }

  /// Whether the command is enabled to begin with; changes are told from here on.
  mutating func beginTelling() -> Bool {
    if !hasFailed { saidEnabled = isEnabled }
    return isEnabled
  }

  mutating func turn(on: Bool) {
    isOn = on
    tell()
  }

  mutating func allowConcurrent(_ allowed: Bool) {
    allowsConcurrent = allowed
    tell()
  }

  /// The enabled signal failed: nobody can say any more whether the command may run.
  mutating func fail(_ error: Value) {
    isOn = false
    hasFailed = true
    saidEnabled = nil
    news.append(.failed(error.retained()))
  }

  /// Takes the place of an execution; false when there is none.
  mutating func begin() -> Bool {
    guard isEnabled else { return false }
    running &+= 1
    awaited &+= 1
    tell()
    return true
  }

  mutating func end() {
    running &-= 1
    awaited &-= 1
    tell()
    finish()
  }

  /// The source of an execution went away without an end: it runs for ever, as in RAC.
  mutating func lose() {
    awaited &-= 1
    finish()
  }

  mutating func release() {
    isReleased = true
    saidEnabled = nil
    news.append(.released)
    finish()
  }

  private mutating func finish() {
    if isReleased && awaited == 0 { news.append(.finished) }
  }

  private mutating func tell() {
    if saidExecuting != (running > 0) {
      saidExecuting.toggle()
      news.append(.executing(saidExecuting))
    }
    if let said = saidEnabled, said != isEnabled {
      saidEnabled = isEnabled
      news.append(.enabled(isEnabled))
    }
  }
}
