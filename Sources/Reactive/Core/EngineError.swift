import CRAC

/// An error that the library itself makes, or that a C program sent. Errors of yours come out as
/// the very instances that went in, and never as this.
public struct EngineError: Error, Hashable, CustomStringConvertible {
  /// The maker: "rac" for a refused call, "rac.signal", "rac.command", "rac.system", or a name of a
  /// C program's.
  public let domain: String
  /// The error's number in its domain.
  public let code: Int
  /// For people.
  public let message: String

  /// For a program that speaks C's errors.
  public init(domain: String, code: Int, message: String) {
    self.domain = domain
    self.code = code
    self.message = message
  }

  /// The message, with domain and code.
  public var description: String { "\(message) (\(domain) \(code))" }

  static let typeMismatchDomain = "rac.swift"

  /// A `timeout` operator's.
  public var isTimeout: Bool { domain == "rac.signal" && code == Int(RAC_SIGNAL_TIMED_OUT) }
  /// A bound's that was full.
  public var isOverflow: Bool { domain == "rac.signal" && code == Int(RAC_SIGNAL_OVERFLOW) }
  /// A command's that was executed while it was disabled.
  public var isNotEnabled: Bool { domain == "rac.command" && code == Int(RAC_COMMAND_NOT_ENABLED) }
  /// A value came that is not of the signal's type: a C program sent it.
  public var isTypeMismatch: Bool { domain == EngineError.typeMismatchDomain }

  /// The errno, if the system has refused something: a descriptor's error, a file's.
  public var systemErrorNumber: Int32? {
    domain == RAC_SYSTEM_ERROR_DOMAIN ? Int32(exactly: code) : nil
  }

  /// A value was wanted of a signal that completed without one.
  public var isEmpty: Bool { domain == "rac" && code == Int(RAC_EEMPTY) }

  static let empty = EngineError(
    domain: "rac", code: Int(RAC_EEMPTY), message: "the signal completed without a value")

  @usableFromInline
  static func typeMismatch<T>(_ value: rac_value, _ expected: T.Type) -> EngineError {
    EngineError(
      domain: typeMismatchDomain, code: 1,
      message: "\(described(value)) is not a value of type \(expected)")
  }

  /// The error of this thread's latest refused call.
  static func latest() -> EngineError {
    EngineError(
      domain: "rac", code: Int(rac_last_error_code()),
      message: rac_last_error_message().map { String(cString: $0) } ?? "the library refused")
  }
}

/// How the engine prints a value, or the beginning of that.
func described(_ value: rac_value) -> String {
  var buffer = [CChar](repeating: 0, count: 128)
  _ = rac_value_describe(value, &buffer, buffer.count)
  return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}
