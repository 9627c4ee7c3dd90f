import CRAC

/// An error that nobody handles: one at which an observation without a completion ended, or a
/// binding of a property.
public struct UnhandledError: Sendable, CustomStringConvertible {
  /// The very instance that was thrown.
  public let error: any Error
  /// The name of the signal that was observed, empty for a nameless one. Where names are recorded,
  /// those of the chain: "[[clock] -filter] -map".
  public let chain: String
  /// The value that was being delivered, as it prints; nil where that is not known. Only another
  /// language's observers fail at a value.
  public let value: String?

  /// The line that stands in the log where there is no handler.
  public var description: String {
    let place = chain.isEmpty ? "" : " of \"\(chain)\""
    let value = value.map { ", at the value \($0)" } ?? ""
    return "nobody handles the error\(place): \(error)\(value)"
  }
}

/// Where errors go that nobody handles.
public enum UnhandledErrors {
  /// Is told of each, on the thread where the error arrives, on several at once if it comes to
  /// that. With nil, as at first, each is a line in the log: on standard error, unless C's
  /// `rac_set_log` has redirected it.
  ///
  ///     UnhandledErrors.handler = { logger.error("\($0)") }
  ///
  /// The process has one handler, for signals observed in any language; C's
  /// `rac_set_unhandled_error` replaces it.
  public static var handler: (@Sendable (UnhandledError) -> Void)? {
    get { current.withLock { $0?.body } }
    set {
      let context = newValue.map { UnhandledContext($0) }
      // The old handler is let go of here, outside of the lock.
      withExtendedLifetime(current.withLock { replace(&$0, context) }) {}
    }
  }

  private static let current = Locked<UnhandledContext?>(nil)

  private static func replace(
    _ current: inout UnhandledContext?, _ next: UnhandledContext?
  ) -> UnhandledContext? {
    let before = current
    current = next
    if let next {
      _ = rac_set_unhandled_error(next.passed, UnhandledContext.call, UnhandledContext.release)
    } else {
      _ = rac_set_unhandled_error(nil, nil, nil)
    }
    return before
  }
}

private final class UnhandledContext: Context, @unchecked Sendable {
  let body: @Sendable (UnhandledError) -> Void

  init(_ body: @escaping @Sendable (UnhandledError) -> Void) {
    self.body = body
    super.init()
  }

  static var call: rac_unhandled_error_fn {
    { context, report in
      let report = report.unsafelyUnwrapped.pointee
      let error = UnhandledError(
        error: decode(error: report.error), chain: String(cString: report.chain),
        value: report.value.map { described($0.pointee) })
      context.with(UnhandledContext.self) { $0.body(error) }
    }
  }
}
