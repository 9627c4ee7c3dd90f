import CRACShims

/// The first value.
///
/// - Parameter sequence: borrowed.
/// - Parameter out: gets the value, owned, or with RAC_ESTREAM the error. May be NULL.
/// - Returns: RAC_OK; RAC_EEMPTY when there is none; else as said above. May block. RAC: -head.
///   Since: 0.1
@discardableResult
@c public func rac_sequence_head(_ sequence: CSequence?, _ out: COut<rac_value>?) -> rac_status {
  Border.read(sequence, into: out) { Reading($0.head()) }
}

/// The sequence of all values behind the first.
///
/// Nothing more is computed than is needed to know where that begins: of a rac_sequence_create()
/// the tail callback alone is called. After the last value an empty sequence follows.
///
/// - Parameter sequence: borrowed.
/// - Parameter out: gets one reference, or NULL. May be NULL.
/// - Returns: RAC_OK; RAC_EEMPTY when the sequence is known to be empty, and nothing follows; else
///   as said above. May block. RAC: -tail. Since: 0.1
@discardableResult
@c public func rac_sequence_tail(_ sequence: CSequence?, _ out: COut<CSequence?>?) -> rac_status {
  out?.pointee = nil
  let reading = Border.read(sequence) { sequence in
    switch sequence.tail() {
    case .sequence(let rest):
      out?.pointee = Border.give(rest)
      return Reading(status: Status.ok)
    case .end: return .none
    case .failed(let error): return Reading(status: Status.stream, value: error)
    case .refused(let status): return Reading(status: status)
    }
  }
  reading.value.release()
  return reading.status
}

/// Whether there is no value. Computes the first one.
///
/// - Parameter sequence: borrowed.
/// - Parameter out: gets the answer; may be NULL.
/// - Returns: RAC_OK, else as said above. May block. Since: 0.1
@discardableResult
@c public func rac_sequence_is_empty(_ sequence: CSequence?, _ out: COut<Bool>?) -> rac_status {
  Border.ask(sequence, out) {
    let first = Reading($0.head())
    if first.isFailure { return first }
    first.value.release()
    return .found(.bool(first.status == Status.empty))
  }
}

/// All values, as a tuple. Of a sequence without an end it never returns.
///
/// - Parameter sequence: borrowed.
/// - Parameter out: gets an owned tuple, or with RAC_ESTREAM the error. May be NULL.
/// - Returns: RAC_OK, RAC_ENOMEM, else as said above. May block. RAC: -array. Since: 0.1
@discardableResult
@c public func rac_sequence_to_array(
  _ sequence: CSequence?, _ out: COut<rac_value>?
) -> rac_status {
  Border.read(sequence, into: out) { $0.collected() }
}

/// The result of `reduce` over all values, from the first to the last.
///
/// - Parameter sequence: borrowed.
/// - Parameter start: borrowed; the result for no values.
/// - Parameter context: passed to `reduce`.
/// - Parameter reduce: gets the running value and the next one, writes an owned value to `*out`.
/// - Parameter out: gets an owned value, or with RAC_ESTREAM the error. May be NULL.
/// - Returns: RAC_OK, else as said above. May block. RAC: -foldLeftWithStart:reduce:. Since: 0.1
@discardableResult
@c public func rac_sequence_fold_left(
  _ sequence: CSequence?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ out: COut<rac_value>?
) -> rac_status {
  fold(sequence, start, reduce, out) { $0.foldLeft($1, context, $2) }
}

/// The result of `reduce` over all values, from the last to the first, as far as it is wanted.
///
/// `reduce` gets a value and the result for the values after it. The first call comes without that
/// result: if `reduce` answers it, nothing after the value is computed; if it returns RAC_PENDING,
/// it is called again once the result is known. Values that wait for that take memory, but no
/// stack.
///
/// - Parameter sequence: borrowed.
/// - Parameter start: borrowed; the result for an empty sequence.
/// - Parameter context: passed to `reduce`.
/// - Parameter reduce: gets a value and a lent rest or NULL, writes an owned value to `*out`.
/// - Parameter out: gets an owned value, or with RAC_ESTREAM the error. May be NULL.
/// - Returns: RAC_OK, else as said above. May block. RAC: -foldRightWithStart:reduce:. Since: 0.1
@discardableResult
@c public func rac_sequence_fold_right(
  _ sequence: CSequence?, _ start: rac_value, _ context: CContext?, _ reduce: rac_fold_right_fn?,
  _ out: COut<rac_value>?
) -> rac_status {
  fold(sequence, start, reduce, out) { $0.foldRight($1, context, $2) }
}

/// Whether `predicate` says true to a value. Goes no further than that.
///
/// - Parameter sequence: borrowed.
/// - Parameter context: passed to `predicate`.
/// - Parameter predicate: writes its answer to `*out`.
/// - Parameter out: gets the answer; may be NULL.
/// - Returns: RAC_OK, else as said above. May block. RAC: -any:. Since: 0.1
@discardableResult
@c public func rac_sequence_any(
  _ sequence: CSequence?, _ context: CContext?, _ predicate: rac_predicate_fn?, _ out: COut<Bool>?
) -> rac_status {
  guard let predicate else { return Failure.record(Status.null, "a callback is NULL") }
  return Border.ask(sequence, out) {
    $0.first(answered: true, context, predicate).asAnswer(found: true)
  }
}

/// Whether `predicate` says true to all values. Goes no further than to the first no.
///
/// - Parameter sequence: borrowed.
/// - Parameter context: passed to `predicate`.
/// - Parameter predicate: writes its answer to `*out`.
/// - Parameter out: gets the answer; may be NULL.
/// - Returns: RAC_OK, else as said above. May block. RAC: -all:. Since: 0.1
@discardableResult
@c public func rac_sequence_all(
  _ sequence: CSequence?, _ context: CContext?, _ predicate: rac_predicate_fn?, _ out: COut<Bool>?
) -> rac_status {
  guard let predicate else { return Failure.record(Status.null, "a callback is NULL") }
  return Border.ask(sequence, out) {
    $0.first(answered: false, context, predicate).asAnswer(found: false)
  }
}

/// The first value that `predicate` says true to.
///
/// - Parameter sequence: borrowed.
/// - Parameter context: passed to `predicate`.
/// - Parameter predicate: writes its answer to `*out`.
/// - Parameter out: gets the value, owned, or with RAC_ESTREAM the error. May be NULL.
/// - Returns: RAC_OK; RAC_EEMPTY when there is none; else as said above. May block. RAC:
///   -objectPassingTest:. Since: 0.1
@discardableResult
@c public func rac_sequence_object_passing_test(
  _ sequence: CSequence?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ out: COut<rac_value>?
) -> rac_status {
  out?.pointee = .null
  guard let predicate else { return Failure.record(Status.null, "a callback is NULL") }
  return Border.read(sequence, into: out) { $0.first(answered: true, context, predicate) }
}

/// Whether two sequences have equal values. A sequence equals itself without being read.
///
/// - Parameter sequence: borrowed.
/// - Parameter other: borrowed.
/// - Parameter out: gets the answer; may be NULL.
/// - Returns: RAC_OK, else as said above. May block. RAC: -isEqual:. Since: 0.1
@discardableResult
@c public func rac_sequence_is_equal(
  _ sequence: CSequence?, _ other: CSequence?, _ out: COut<Bool>?
) -> rac_status {
  Border.ask(sequence, out) { sequence in
    var result = Reading.none
    let status = Border.check(other, .sequence, as: ValueSequence.self) {
      result = sequence.isEqual($0)
      return Status.ok
    }
    return status < 0 ? Reading(status: status) : result
  }
}

/// A number that is the same for equal sequences. Computes the first value.
///
/// - Parameter sequence: borrowed.
/// - Parameter out: gets the number; may be NULL.
/// - Returns: RAC_OK, else as said above. May block. RAC: -hash. Since: 0.1
@discardableResult
@c public func rac_sequence_hash(_ sequence: CSequence?, _ out: COut<UInt64>?) -> rac_status {
  out?.pointee = 0
  let reading = Border.read(sequence) { $0.hashed() }
  if reading.status == Status.ok { out?.pointee = UInt64(bitPattern: reading.value.bits) }
  reading.value.release()
  return reading.status
}

extension Reading {
  /// A search as a yes or no.
  fileprivate func asAnswer(found answer: Bool) -> Reading {
    if isFailure { return self }
    value.release()
    return .found(.bool(status == Status.ok ? answer : !answer))
  }
}

private func fold<Callback>(
  _ sequence: CSequence?, _ start: rac_value, _ reduce: Callback?,
  _ out: UnsafeMutablePointer<rac_value>?, _ function: StaticString = #function,
  _ body: (ValueSequence, Value, Callback) -> Reading
) -> rac_status {
  out?.pointee = .null
  guard let reduce else { return Failure.record(Status.null, "a callback is NULL", in: function) }
  guard let start = Border.kept(start, function) else { return Border.refused() }
  defer { start.release() }
  return Border.read(sequence, into: out, function) { body($0, start, reduce) }
}
