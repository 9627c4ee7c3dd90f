/// The place of a step among the fused steps of a subscription: its state, and the steps below.
struct RowPlace: Outlet {
  let row: Unmanaged<Row>
  let form: UnsafePointer<RowStep.Form>

  var isActive: Bool { row._withUnsafeGuaranteedRef { $0.scope.isActive } }

  /// A value, at once: all below have heard it when this returns.
  func send(_ value: Value) {
    row._withUnsafeGuaranteedRef { $0.run(from: form + 1, Words(value)) }
  }

  func error(_ error: Value) {
    row._withUnsafeGuaranteedRef { $0.error(error, from: form + 1) }
  }

  func complete() {
    row._withUnsafeGuaranteedRef { $0.completed(from: form + 1) }
  }

  @inline(never)
  func fail(_ status: rac_status) {
    let error = Callback.error(from: status)
    self.error(error)
    error.release()
  }

  @inline(never)
  func fail(_ status: rac_status, _ message: StaticString, at value: Value) {
    let error = Value.error("rac", status, message, underlying: value)
    self.error(error)
    error.release()
  }
}

// MARK: The state, of a step that has one

extension RowPlace {
  private var memory: UnsafeMutablePointer<Value> {
    var place: Int32 = 0
    if case .call(_, let state) = form.pointee { place = state }
    return row._withUnsafeGuaranteedRef { $0.states.unsafelyUnwrapped + Int(place) }
  }

  /// Owned; a writer releases the value before.
  var state: Value {
    get { memory.pointee }
    nonmutating set { memory.pointee = newValue }
  }

  /// Takes the value over.
  func keep(_ value: Value) {
    let old = state
    state = value
    old.release()
  }

  /// A state that is a number.
  var number: Int64 {
    get { memory.pointee.bits }
    nonmutating set { memory.pointee.bits = newValue }
  }

  /// A state that is a truth value.
  var flag: Bool {
    get { number != 0 }
    nonmutating set { number = newValue ? 1 : 0 }
  }
}
