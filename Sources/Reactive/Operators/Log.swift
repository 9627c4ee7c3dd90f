import CRAC

/// Events that a log may have.
public struct LoggedEvents: OptionSet, Sendable {
  /// A bit for each.
  public let rawValue: Int

  /// Of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Values.
  public static let values = LoggedEvents(rawValue: 1)
  /// An error at the end.
  public static let errors = LoggedEvents(rawValue: 2)
  /// A completion at the end.
  public static let completions = LoggedEvents(rawValue: 4)
  /// Values and ends.
  public static let all: LoggedEvents = [.values, .errors, .completions]
}

extension SignalProtocol {
  /// Writes events to the library's log, standard error unless a program has set another: the
  /// signal's name and the event.
  ///
  ///     source  --1--2--|
  ///     log     --1--2--|
  ///     result  --1--2--|
  ///
  /// - Parameters:
  ///   - name: the signal's, in the log and when it is traced.
  ///   - events: which ones.
  ///
  /// RAC: -logAll, -logNext, -logError, -logCompleted.
  public func log(_ name: String? = nil, _ events: LoggedEvents = .all) -> Signal<Value> {
    // A name belongs to the signal, which others may have: so this names a signal of its own.
    var result = name == nil ? signal : named(name!)
    if events == .all { return result.derive { rac_signal_log_all($0) } }
    if events.contains(.values) { result = result.derive { rac_signal_log_next($0) } }
    if events.contains(.errors) { result = result.derive { rac_signal_log_error($0) } }
    if events.contains(.completions) { result = result.derive { rac_signal_log_completed($0) } }
    return result
  }

  /// The same signal under a name, for logs and traces.
  ///
  /// RAC: -setNameWithFormat:.
  public func named(_ name: String) -> Signal<Value> {
    let result: Signal<Value> = derive { rac_signal_skip($0, 0) }
    withExtendedLifetime(result) { _ = rac_signal_set_name(result.pointer, name) }
    return result
  }
}
