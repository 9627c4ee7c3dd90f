/// An event of a command.
enum CommandChange {
  /// The enabled signal said so, or failed.
  case turned(on: Bool)
  case failed(Value)
  case allowedConcurrent(Bool)
  /// An execution wants to begin; one has ended; one cannot end any more, because its source is
  /// gone.
  case begun, ended, lost
  /// The last handle is gone.
  case released
}

/// News for a command's subscribers.
enum CommandNews {
  case executing(Bool)
  case enabled(Bool)
  /// The enabled signal has failed. The error is owned.
  case failed(Value)
  case released
  /// The command was released, and no execution is left that could end.
  case finished
}

/// Whether a command may execute, and what there is to be said about it.
///
/// A value: changes in, news out, it calls nobody. The command keeps it behind a lock and tells the
/// news afterwards, so that of two executions that race for one place, one gets it.
struct CommandState {
  /// The last value of the enabled signal; without one the command is on.
  private var isOn = true
  private(set) var allowsConcurrent = false
  /// Executions that have begun and not ended.
  private var running = 0
  /// Those of them that still can.
  private var awaited = 0
  private var isReleased = false
  private var failure: Value?

  /// A truth that is told: the latest one, and how many changes of it are still to be told. It
  /// turns over and over, so that their number says all.
  private struct Toggle {
    var latest: Bool
    var untold = 0

    mutating func become(_ now: Bool) {
      if now == latest { return }
      latest = now
      untold &+= 1
    }

    mutating func next() -> Bool? {
      guard untold > 0 else { return nil }
      untold &-= 1
      return untold & 1 == 0 ? latest : !latest
    }
  }
  private var executing = Toggle(latest: false)
  private var enabled = Toggle(latest: true)
  /// Until the enabled signal has failed or the command is released.
  private var tellsEnabled = false
  private var hasReleaseToTell = false
  private var hasFinishToTell = false

  var isExecuting: Bool { running > 0 }
  /// Whether no execution is left that could end.
  var isSettled: Bool { awaited == 0 }
  var isEnabled: Bool { isOn && (allowsConcurrent || running == 0) }

  /// Whether the command is enabled to begin with; changes of that are news from here on.
  mutating func beginTelling() -> Bool {
    enabled.latest = isEnabled
    tellsEnabled = failure == nil
    return isEnabled
  }

  /// False for an execution that may not begin.
  mutating func apply(_ change: CommandChange) -> Bool {
    switch change {
    case .turned(let on): isOn = on
    case .failed(let error):
      isOn = false
      failure = error.retained()
      tellsEnabled = false
    case .allowedConcurrent(let allowed): allowsConcurrent = allowed
    case .begun:
      guard isEnabled else { return false }
      running &+= 1
      awaited &+= 1
    case .ended:
      running &-= 1
      awaited &-= 1
    case .lost: awaited &-= 1
    case .released:
      isReleased = true
      tellsEnabled = false
      hasReleaseToTell = true
    }
    executing.become(isExecuting)
    if tellsEnabled { enabled.become(isEnabled) }
    hasFinishToTell = isReleased && isSettled
    return true
  }

  mutating func nextNews() -> CommandNews? {
    if let flag = executing.next() { return .executing(flag) }
    if let flag = enabled.next() { return .enabled(flag) }
    if let error = failure.take() { return .failed(error) }
    if hasReleaseToTell {
      hasReleaseToTell = false
      return .released
    }
    if hasFinishToTell {
      hasFinishToTell = false
      return .finished
    }
    return nil
  }
}
