/// What became of reading a sequence: a status for the caller, and a value that it owns.
struct Reading {
  let status: rac_status
  var value = Value.null

  static func found(_ value: Value) -> Reading { Reading(status: Status.ok, value: value) }
  static var none: Reading { Reading(status: Status.empty) }

  init(status: rac_status, value: Value = .null) {
    self.status = status
    self.value = value
  }

  /// Neither a value nor an end.
  var isFailure: Bool { status != Status.ok && status != Status.empty }

  /// What was asked for, or why there is none.
  init(_ pulled: Pulled) {
    switch pulled {
    case .value(let value): self = .found(value)
    case .end: self = .none
    case .failed(let error): self = Reading(status: Status.stream, value: error)
    case .refused(let status): self = Reading(status: status)
    }
  }
}

/// Reading as a whole. All of it goes on in loops.
extension ValueSequence {
  /// Calls with each value, lent, until there is an answer; `end` when there is none.
  private func forEach(atEnd end: () -> Reading, _ body: (Value) -> Reading?) -> Reading {
    var walk = Walk(self)
    while true {
      switch walk.next() {
      case .value(let value):
        let answer = body(value)
        value.release()
        if let answer { return answer }
      case .end: return end()
      case let other: return Reading(other)
      }
    }
  }

  /// RAC: -foldLeftWithStart:reduce:
  func foldLeft(_ start: Value, _ context: UnsafeMutableRawPointer?, _ reduce: rac_reduce_fn)
    -> Reading
  {
    var running = start.retained()
    let result = forEach(atEnd: { .found(running.retained()) }) { value in
      switch Pulled.result({ reduce(context, running, value, $0) }) {
      case .value(let next):
        running.release()
        running = next
        return nil
      case let other: return Reading(ofCallback: other)
      }
    }
    running.release()
    return result
  }

  /// The callback is asked with the first value alone, and says whether it needs what the rest folds to.
  /// Values it needs that for wait in a list. RAC: -foldRightWithStart:reduce:
  func foldRight(_ start: Value, _ context: UnsafeMutableRawPointer?, _ reduce: rac_fold_right_fn)
    -> Reading
  {
    var waiting: [Value] = []
    var result = forEach(atEnd: { .found(start.retained()) }) { value in
      var needsRest = false
      let pulled = Pulled.result {
        let status = reduce(context, value, nil, $0)
        needsRest = status == Status.pending
        return status
      }
      if needsRest {
        if case .value(let unused) = pulled { unused.release() }
        waiting.append(value.retained())
        return nil
      }
      return Reading(ofCallback: pulled)
    }
    while let value = waiting.popLast() {
      if result.status == Status.ok {
        var rest = result.value
        result = Reading(ofCallback: Pulled.result { reduce(context, value, &rest, $0) })
        rest.release()
      }
      value.release()
    }
    return result
  }

  /// The first value that a predicate says `answer` to. RAC: -objectPassingTest:, -any:, -all:
  func first(
    answered answer: Bool, _ context: UnsafeMutableRawPointer?, _ predicate: rac_predicate_fn
  ) -> Reading {
    forEach(atEnd: { .none }) { value in
      var says = false
      let status = asCallback { predicate(context, value, &says) }
      if status < 0 { return Reading(status: Status.stream, value: Failure.error(from: status)) }
      return says == answer ? .found(value.retained()) : nil
    }
  }

  /// A tuple of all values. RAC: -array
  func collected() -> Reading {
    var values: [Value] = []
    let result = forEach(atEnd: {
      let tuple = values.withUnsafeBufferPointer { Value.tuple($0) }
      return tuple.map { .found($0) } ?? Reading(status: Status.noMemory)
    }) {
      values.append($0.retained())
      return nil
    }
    for value in values { value.release() }
    return result
  }

  /// Whether the values are equal, one by one. A sequence equals itself without a look. RAC: -isEqual:
  func isEqual(_ other: ValueSequence) -> Reading {
    if self === other { return .found(.bool(true)) }
    var (a, b) = (Walk(self), Walk(other))
    while true {
      let (mine, its) = (Reading(a.next()), Reading(b.next()))
      let bothAreThere = mine.status == Status.ok && its.status == Status.ok
      let areSame = bothAreThere && mine.value.isEqual(its.value)
      if areSame {
        mine.value.release()
        its.value.release()
        continue
      }
      if mine.isFailure {
        its.value.release()
        return mine
      }
      mine.value.release()
      if its.isFailure { return its }
      its.value.release()
      return .found(.bool(mine.status == Status.empty && its.status == Status.empty))
    }
  }

  /// The first value's, so that also what never ends has one. RAC: -hash
  func hashed() -> Reading {
    let first = Reading(head())
    if first.isFailure { return first }
    let hash = first.status == Status.ok ? first.value.hash : 0
    first.value.release()
    return .found(.int64(Int64(bitPattern: hash)))
  }
}

extension Reading {
  /// A callback of a fold has no way to end the sequence: RAC_EEMPTY is a failure like others.
  fileprivate init(ofCallback pulled: Pulled) {
    if case .end = pulled {
      self.init(status: Status.stream, value: Failure.error(from: Status.empty))
    } else {
      self.init(pulled)
    }
  }
}
