import CRAC

// Errors on their way into the engine and out of it. An error of Swift's travels as the underlying
// value of one of the engine's, whose message is for logs and for C, and comes out as the same
// instance.

/// Owned.
@usableFromInline
func encode(error: any Error) -> rac_value {
  if let error = error as? EngineError, error.domain != EngineError.typeMismatchDomain {
    return rac_value_error(error.domain, Int64(error.code), error.message)
  }
  let box = encode(box: ValueBox(error as any Error))
  defer { rac_value_release(box) }
  return rac_value_error_underlying(
    String(reflecting: type(of: error)), 0, String(describing: error), box)
}

@usableFromInline
func decode(error: rac_value) -> any Error {
  let underlying = rac_error_get_underlying(error)
  if let error = box(in: underlying)?.value(as: (any Error).self) { return error }
  return EngineError(
    domain: rac_error_get_domain(error).map { String(cString: $0) } ?? "",
    code: Int(rac_error_get_code(error)),
    message: rac_error_get_message(error).map { String(cString: $0) } ?? "")
}

/// The answer of a callback whose closure has thrown.
@usableFromInline
func raise(_ error: any Error) -> rac_status {
  let value = encode(error: error)
  let status = rac_raise(value)
  rac_value_release(value)
  return status
}

/// The answer of a callback that was sent a value of another type.
@usableFromInline @inline(never)
func raiseMismatch<T>(_ value: rac_value, _ expected: T.Type) -> rac_status {
  raise(EngineError.typeMismatch(value, expected))
}
