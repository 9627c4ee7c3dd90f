import CRACShims

/// A subscription through fused operators: a row of steps, one or many, and a loop over what they
/// are.
///
/// ```
///   subject          Row: map, filter, scan         CallbackSink
/// (SubjectCore) -->  runs the three in a loop  -->  { next, … }
/// ```
/// Values that nobody has to release go from step to step in the loop. One that a callback has made
/// with a reference is sent on by a call, and released when all below have heard it.
class Row: BulkFilter {
  private final let first: UnsafePointer<RowStep.Form>
  /// Those of the steps that have one, in order.
  fileprivate(set) final var states: UnsafeMutablePointer<Value>?
  /// The call of what is below.
  private final let bottom: Leaf
  private final let keeper: Unmanaged<RowKeeper>

  init(
    _ keeper: RowKeeper, _ forms: UnsafePointer<RowStep.Form>, _ count: Int32,
    _ states: UnsafeMutablePointer<Value>?, _ downstream: Sink
  ) {
    first = forms
    self.states = states
    bottom = Leaf(to: downstream)
    self.keeper = .passRetained(keeper)
    super.init(downstream, height: downstream.height &+ count)
  }

  deinit {
    if let states {
      keeper._withUnsafeGuaranteedRef { $0.release(states) }
    }
    if Stack.isTooShort(toTakeApart: height) {
      below._withUnsafeGuaranteedRef { Stack.outlive($0) }
    }
    // In this order: the subscriber's destroy comes before the operators'.
    below.drop()
    keeper.drop()
  }

  override final func visit(_ visitor: inout Visitor) {
    visitor.reference(below.toOpaque())
    visitor.reference(keeper.toOpaque())
    visitStates(&visitor)
  }

  fileprivate func visitStates(_ visitor: inout Visitor) {
    keeper._withUnsafeGuaranteedRef { $0.visit(states, &visitor) }
  }

  override final func keeps(_ object: Object, toTheEnd: Bool) -> Bool {
    toTheEnd && below._withUnsafeGuaranteedRef { $0.keeps(object, toTheEnd: true) }
  }

  override final var leaf: Leaf? {
    Leaf(
      function: { context, value in
        Unmanaged<Row>.fromOpaque(context.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
          $0.run(from: $0.first, Words(value))
        }
      },
      context: Unmanaged.passUnretained(self).toOpaque())
  }

  override final func next(_ value: Value) { run(from: first, Words(value)) }
  override final func error(_ error: Value) { self.error(error, from: first) }
  override final func completed() { completed(from: first) }

  /// The loop. The kinds are few, so that no table of jumps is made of them, and the first is the
  /// quickest.
  final func run(from start: UnsafePointer<RowStep.Form>, _ value: Words) {
    var form = start
    var value = value
    while scope.isActive {
      let place = RowPlace(row: .passUnretained(self), form: form)
      let next: Words?
      if _fastPath(form.pointee.isMap), case .map(let transform, let context) = form.pointee {
        next = map(transform, context, value, at: place)
      } else {
        switch form.pointee {
        case .filter(let predicate, let context):
          next = filter(predicate, context, value, at: place)
        case .scan(let reduce, let context, let state):
          next = scan(reduce, context, states.unsafelyUnwrapped + Int(state), value, at: place)
        case .call(let step, _):
          next = step._withUnsafeGuaranteedRef { $0.next(value.value, at: place).map { Words($0) } }
        default:
          return bottom.function(bottom.context, value.value)
        }
      }
      guard let next else { return }
      value = next
      form += 1
    }
  }

  override final func sift(
    _ numbers: inout Numbers, to target: UnsafeMutableRawPointer, room: Int
  ) -> Int {
    var most = room
    var form = first
    while case .call(let step, _) = form.pointee {
      let place = RowPlace(row: .passUnretained(self), form: form)
      most = min(most, step._withUnsafeGuaranteedRef { $0.mostNumbers(at: place) })
      form += 1
    }
    guard case .bottom = form.pointee, most > 0 else { return 0 }
    form = first
    var kept = 0
    while case .call(let step, _) = form.pointee {
      let place = RowPlace(row: .passUnretained(self), form: form)
      if form == first {
        kept = step._withUnsafeGuaranteedRef {
          $0.sift(&numbers, to: target, room: most, at: place)
        }
      } else {
        var passed = Numbers(target, kept, numbers.form)
        kept = step._withUnsafeGuaranteedRef {
          $0.sift(&passed, to: target, room: kept, at: place)
        }
      }
      form += 1
    }
    return kept
  }

  final func error(_ error: Value, from start: UnsafePointer<RowStep.Form>) {
    var form = start
    while true {
      switch form.pointee {
      case .bottom: return below._withUnsafeGuaranteedRef { $0.error(error) }
      case .call(let step, _):
        let place = RowPlace(row: .passUnretained(self), form: form)
        guard step._withUnsafeGuaranteedRef({ $0.error(error, at: place) }) else { return }
      default: break
      }
      form += 1
    }
  }

  override final func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    var form = first
    var withValue = withValue
    while true {
      switch form.pointee {
      case .bottom:
        return below._withUnsafeGuaranteedRef { $0.goesAtEnd(withValue: withValue, &visitor) }
      case .call(let step, _):
        if step._withUnsafeGuaranteedRef({ $0.sendsAtEnd }) { withValue = true }
      default: break
      }
      form += 1
    }
  }

  @inline(__always)
  final func completed(from start: UnsafePointer<RowStep.Form>) {
    var form = start
    while true {
      switch form.pointee {
      case .bottom: return below._withUnsafeGuaranteedRef { $0.completed() }
      case .call(let step, _):
        let place = RowPlace(row: .passUnretained(self), form: form)
        guard step._withUnsafeGuaranteedRef({ $0.completed(at: place) }) else { return }
      default: break
      }
      form += 1
    }
  }
}

/// A row of a single step with a state, which so needs no block of its own.
final class StatefulRow: Row {
  private var state: Value

  /// Takes the state over.
  init(_ step: RowStep, _ forms: UnsafePointer<RowStep.Form>, _ state: Value, _ downstream: Sink) {
    self.state = state
    super.init(step, forms, 1, nil, downstream)
    states = withUnsafeMutablePointer(to: &self.state) { $0 }
  }

  deinit {
    states = nil
    state.release()
  }

  /// The step may be one of many with a state, of which this row runs one.
  override fileprivate func visitStates(_ visitor: inout Visitor) { visitor.value(state) }
}

/// A value as the two words that it is. As a C structure it would be put together of its five
/// fields at each step of the loop.
struct Words {
  let head: UInt64
  let bits: Int64

  init(_ value: Value) { self = unsafeBitCast(value, to: Words.self) }

  /// Of a scalar: the rest of what a callback left in its head does not count.
  init(scalar: Value) {
    head = UInt64(scalar.kind)
    bits = scalar.bits
  }

  var value: Value { unsafeBitCast(self, to: Value.self) }
}

// MARK: Results of callbacks

extension Row {
  /// Calls one that writes a value. Returns what goes on in the loop, or nil: see `finish`.
  final func made(at place: RowPlace, _ call: (UnsafeMutablePointer<Value>) -> rac_status) -> Words?
  {
    var out = Value.null
    // The callback writes no more than that: the stack needs no guard.
    let status = _withUnprotectedUnsafeMutablePointer(to: &out) { call($0) }
    if Callback.hasFailed(status) || out.kind > Value.Kind.double {
      place.finish(status, out)
      return nil
    }
    return Words(scalar: out)
  }
}

extension RowPlace {
  /// Sends what a callback has made, and releases it; or else the stream fails.
  func finish(_ status: rac_status, _ out: Value) {
    var out = out
    if Callback.hasFailed(status) {
      fail(status)
    } else if accepts(&out) {
      send(out)
    }
    out.release()
  }
}
