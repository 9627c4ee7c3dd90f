/// The stages below a stage, or below a step, and how both treat a failing callback of the user's.
protocol Outlet {
  func send(_ value: Value)
  func error(_ error: Value)
  /// Ends the stream with the error that a callback's failing status stands for.
  func fail(_ status: rac_status)
  /// Ends the stream because of what it was sent, which the error has as its underlying value.
  func fail(_ status: rac_status, _ message: StaticString, at value: Value)
}

extension Stage: Outlet {
  final func send(_ value: Value) { downstream.next(value) }

  @inline(never)
  final func fail(_ status: rac_status) {
    error(owned: Callback.error(from: status))
  }

  final func fail(_ status: rac_status, _ message: StaticString, at value: Value) {
    refuse(status, message, at: value)
  }
}

extension Outlet {
  func fail(_ status: rac_status, _ message: StaticString) { fail(status, message, at: .null) }
}

// MARK: Callbacks that write a value to `*out`

extension Outlet {
  /// Calls one. False: it failed, or wrote what is not sound, and the stream has failed with it.
  /// The value in `out` is to be released in any case.
  func fill(_ out: inout Value, _ call: (UnsafeMutablePointer<Value>) -> rac_status) -> Bool {
    let status = call(&out)
    if Callback.hasFailed(status) {
      fail(status)
      return false
    }
    return accepts(&out)
  }

  /// Calls one and sends what it wrote; `unwritten` if it writes nothing.
  func send(
    orElse unwritten: Value = .null, _ call: (UnsafeMutablePointer<Value>) -> rac_status
  ) {
    var out = unwritten
    if fill(&out, call) { send(out) }
    out.release()
  }

  /// Calls one; an owned value, sound and fit to be kept. nil: it failed, and the stream with it.
  func result(_ call: (UnsafeMutablePointer<Value>) -> rac_status) -> Value? {
    var out = Value.null
    let status = call(&out)
    if Callback.hasFailed(status) {
      fail(status)
      out.release()
      return nil
    }
    guard accepts(&out) else { return nil }
    // It outlives this call: a view must become a copy.
    return out.isCounted ? out : out.retained()
  }

  /// Checks what a callback wrote to `*out`. False: it was not sound, and the stream has failed.
  func accepts(_ out: inout Value) -> Bool {
    if out.kind > Value.Kind.double { return out.isOwnText || acceptsSlowly(&out) }
    out.makeScalar()
    return true
  }

  @inline(never)
  private func acceptsSlowly(_ out: inout Value) -> Bool {
    switch out.admitted() {
    case .sound: return true
    case .copied(let copy):
      out = copy
      return true
    case .refused(let status, let message):
      out = .null
      fail(status, message)
      return false
    }
  }
}
