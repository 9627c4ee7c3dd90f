import CRACShims

/// The inside of an error: domain, code, message, and perhaps an underlying value.
///
/// ```
/// word 1      code
/// payload     underlying value, then domain NUL message NUL
/// word 2      where the message starts
/// ```
struct ErrorBox {
  let box: Box

  init(_ box: Box) { self.box = box }

  var code: Int64 { Int64(box.word(1).pointee) }
  var underlying: UnsafeMutablePointer<Value> { box.payload.assumingMemoryBound(to: Value.self) }
  var domain: UnsafePointer<CChar> {
    UnsafePointer((box.payload + 16).assumingMemoryBound(to: CChar.self))
  }
  var message: UnsafePointer<CChar> {
    UnsafePointer(box.pointer(2).unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
  }
}

/// The error for which there may be no memory when it is needed.
nonisolated(unsafe) private var noMemory: Value? = nil

extension Value {
  /// Called once, when the library is loaded.
  static func bootErrors() {
    noMemory = .needed(
      .error(domain: "rac", code: Int64(Status.noMemory), message: "not enough memory"))
  }

  /// An owned error; nil when there is no memory for it. Retains `underlying`.
  static func error(
    domain: UnsafePointer<CChar>, code: Int64, message: UnsafePointer<CChar>,
    underlying: Value = .null
  ) -> Value? {
    let domainLength = Int(rac_shim_length(domain))
    let messageLength = Int(rac_shim_length(message))
    guard let underlying = underlying.retainedIfPossible() else { return nil }
    guard let box = Box.make(payload: 18 &+ domainLength &+ messageLength) else {
      underlying.release()
      return nil
    }
    let inside = ErrorBox(box)
    box.word(1).pointee = Int(code)
    inside.underlying.pointee = underlying
    rac_shim_copy(box.payload + 16, domain, domainLength &+ 1)
    let text = box.payload + 17 + domainLength
    rac_shim_copy(text, message, messageLength &+ 1)
    box.word(2).pointee = Int(bitPattern: text)
    return Value(Kind.error, flags: Flag.counted, pointer: box.base)
  }

  /// An error of the library's. Where there is no memory for it, the one that says so. A value that
  /// could hold a signal or a sequence is left out: one that remembers its error would hold itself.
  static func error(
    _ domain: StaticString, _ code: rac_status, _ message: StaticString, underlying: Value = .null
  ) -> Value {
    message.utf8Start.withMemoryRebound(to: CChar.self, capacity: message.utf8CodeUnitCount &+ 1) {
      error(
        domain, code, message: $0,
        underlying: underlying.kind <= Kind.object ? underlying : .null)
    }
  }

  /// The same with a text that was put together.
  static func error(
    _ domain: StaticString, _ code: rac_status, message: UnsafePointer<CChar>,
    underlying: Value = .null
  ) -> Value {
    domain.utf8Start.withMemoryRebound(to: CChar.self, capacity: domain.utf8CodeUnitCount &+ 1) {
      error(domain: $0, code: Int64(code), message: message, underlying: underlying)
        ?? noMemory.unsafelyUnwrapped.retained()
    }
  }

  /// An error of domain RAC_SYSTEM_ERROR_DOMAIN, owned. `operation` may be NULL.
  @inline(never)
  static func systemError(_ operation: UnsafePointer<CChar>?, _ error: Int32) -> Value {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 160) { text in
      let start = text.baseAddress.unsafelyUnwrapped
      _ = rac_shim_print_system_error(start, 160, operation, error)
      return .error(
        domain: RAC_SYSTEM_ERROR_DOMAIN, code: Int64(error), message: UnsafePointer(start))
        ?? noMemory.unsafelyUnwrapped.retained()
    }
  }

  var asError: ErrorBox? {
    guard kind == Kind.error, isCounted, let address else { return nil }
    return ErrorBox(Box(address))
  }
}
