import CRACShims

/// Goes through a sequence from the first value on, for loops:
///
///     rac_sequence_iterator *each = rac_sequence_iterate(sequence);
///     rac_value value;
///     while (rac_sequence_next(each, &value) == RAC_OK) {
///       ...
///       rac_value_release(value);
///     }
///     rac_release(each);
///
/// It releases the values it has passed, so a loop over a sequence that nothing else holds takes no
/// memory.
///
/// - Parameter sequence: borrowed; may be released at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -objectEnumerator.
///   Since: 0.1
@c public func rac_sequence_iterate(_ sequence: CSequence?) -> CSequenceIterator? {
  guard let sequence = Border.sequence(sequence) else { return nil }
  return Border.give(.sequenceIterator) { SequenceIterator(sequence) }
}

/// The next value of an iterator. Threads that share one get each value once.
///
/// - Parameter iterator: borrowed.
/// - Parameter out: gets the value, owned, or with RAC_ESTREAM the error; nil after the last. May
///   be NULL.
/// - Returns: RAC_OK; RAC_EEMPTY after the last value; else as said above. May block. RAC:
///   -nextObject. Since: 0.1
@discardableResult
@c public func rac_sequence_next(
  _ iterator: CSequenceIterator?, _ out: COut<rac_value>?
) -> rac_status {
  out?.pointee = .null
  return next(iterator, out)
}

/// The next value of an iterator, if it comes within some time. The time counts for every kind of
/// sequence, also when another thread computes the value. It replaces the time that was given when
/// the sequence was made of a signal.
///
/// With 0 it waits for no signal and no other thread, but still runs callbacks on the values that
/// are there. So a program may call it anywhere, also inside a callback.
///
/// - Parameter iterator: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter out: gets the value, owned, or with RAC_ESTREAM the error; nil otherwise. May be
///   NULL.
/// - Returns: RAC_OK; RAC_ETIMEDOUT when it did not come: then one may ask again; RAC_EINVAL for a
///   time that is negative or NaN; else as rac_sequence_next(). May block. Since: 0.1
@discardableResult
@c public func rac_sequence_next_for(
  _ iterator: CSequenceIterator?, _ seconds: Double, _ out: COut<rac_value>?
) -> rac_status {
  out?.pointee = .null
  guard let time = Border.duration(seconds) else { return Border.refused() }
  let deadline = time == 0 ? 0 : rac_shim_now().saturatingAdd(time)
  return ReadLimit.with(deadline) { next(iterator, out) }
}

private func next(
  _ iterator: CSequenceIterator?, _ out: UnsafeMutablePointer<rac_value>?,
  _ function: StaticString = #function
) -> rac_status {
  guard Border.isReady(function) else { return Border.refused() }
  return Border.check(iterator, .sequenceIterator, as: SequenceIterator.self, function) {
    Border.write(Border.recorded(Reading($0.next()), function), out)
  }
}
