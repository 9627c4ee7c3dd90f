/// The result of reading a sequence: a status for the caller, and a value that it owns.
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

  /// The value, or why there is none.
  @inline(never)
  init(_ pulled: ReadResult) {
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
  /// RAC: -foldLeftWithStart:reduce:
  func foldLeft(_ start: Value, _ context: UnsafeMutableRawPointer?, _ reduce: rac_reduce_fn)
    -> Reading
  {
    var walk = Walk(self)
    var running = Reading.found(start.retained())
    while running.status == Status.ok {
      let next = Reading(walk.next())
      if next.status == Status.empty { return running }
      let old = running.value
      running =
        next.isFailure
        ? next : Reading(ofCallback: ReadResult.result { reduce(context, old, next.value, $0) })
      old.release()
      if !next.isFailure { next.value.release() }
    }
    return running
  }

  /// The callback is asked with the first value alone, and says whether it needs what the rest
  /// folds to. Values it needs that for wait in a list. RAC: -foldRightWithStart:reduce:
  func foldRight(_ start: Value, _ context: UnsafeMutableRawPointer?, _ reduce: rac_fold_right_fn)
    -> Reading
  {
    var walk = Walk(self)
    var waiting = ValueLine()
    var result: Reading
    while true {
      let next = Reading(walk.next())
      if next.status == Status.empty {
        result = .found(start.retained())
        break
      }
      if next.isFailure {
        result = next
        break
      }
      let alone: ReadResult? = asCallback {
        var out = Value.null
        let status = reduce(context, next.value, nil, &out)
        if Callback.hasFailed(status) || status != Status.pending {
          return ReadResult.admitted(out, status)
        }
        out.release()
        return nil
      }
      guard let alone else {
        waiting.append(next.value)
        continue
      }
      result = Reading(ofCallback: alone)
      next.value.release()
      break
    }
    while let value = waiting.popLast() {
      if result.status == Status.ok {
        var rest = result.value
        result = Reading(ofCallback: ReadResult.result { reduce(context, value, &rest, $0) })
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
    var walk = Walk(self)
    while true {
      let next = Reading(walk.next())
      if next.status != Status.ok { return next }
      var says = false
      let error: Value? = asCallback {
        let status = predicate(context, next.value, &says)
        return Callback.hasFailed(status) ? Callback.error(from: status) : nil
      }
      if error == nil && says == answer { return next }
      next.value.release()
      if let error { return Reading(status: Status.stream, value: error) }
    }
  }

  /// A tuple of all values. RAC: -array
  func collected() -> Reading {
    var walk = Walk(self)
    var values = ValueLine()
    while true {
      let next = Reading(walk.next())
      if next.status == Status.empty { break }
      if next.isFailure { return next }
      values.append(next.value)
    }
    return values.takeTuple().map { .found($0) } ?? Reading(status: Status.noMemory)
  }

  /// Whether the values are equal, one by one. A sequence equals itself without a look. RAC:
  /// -isEqual:
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
  @inline(never)
  fileprivate init(ofCallback pulled: ReadResult) {
    if case .end = pulled {
      self.init(status: Status.stream, value: Callback.error(from: Status.empty))
    } else {
      self.init(pulled)
    }
  }
}
