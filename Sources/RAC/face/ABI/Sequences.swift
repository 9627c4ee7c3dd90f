import CRACShims

/// A sequence without values.
///
/// - Returns: one reference. RAC: +empty. Since: 0.1
@c public func rac_sequence_empty() -> CSequence? { Border.give(EmptySequence()) }

/// A sequence of one value.
///
/// - Parameter value: borrowed; the sequence retains it. nil is a value.
/// - Returns: one reference; NULL with RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM. RAC: +return:. Since:
///   0.1
@c public func rac_sequence_return(_ value: rac_value) -> CSequence? {
  guard let value = Border.kept(value) else { return nil }
  defer { value.release() }
  return Border.give(.just(value))
}

/// A sequence of the values of an array.
///
/// - Parameter values: borrowed; the sequence copies the array, and texts and bytes that are views.
///   NULL is allowed with count 0.
/// - Parameter count: how many.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: -rac_sequence of NSArray and the other collections. Since: 0.1
@c public func rac_sequence_from_values(_ values: CList<rac_value>?, _ count: CSize)
  -> CSequence?
{
  let tuple = Border.tuple(values, count)
  if tuple.isNull { return nil }
  defer { tuple.release() }
  return Border.give(TupleSequence(tuple))
}

/// A sequence of the parts of a value: the elements of a tuple, nil ones included; the characters
/// of a text, each a text; or bytes, each an integer from 0 to 255.
///
/// A character is a code point with the marks that belong to it: combining marks, variation
/// selectors, joined emoji, the two halves of a flag, CR LF. Marks of scripts that need Unicode's
/// tables stand for themselves.
///
/// - Parameter value: borrowed; the sequence retains it.
/// - Returns: one reference; NULL with RAC_EKIND for a value of another kind, RAC_EUTF8 or
///   RAC_ENOMEM. RAC: -rac_sequence of RACTuple and NSString. Since: 0.1
@c public func rac_sequence_from_elements(_ value: rac_value) -> CSequence? {
  switch value.kind {
  case Value.Kind.tuple, Value.Kind.string, Value.Kind.bytes: break
  default: return Border.fail(Status.kind, "the value is no tuple, no text and no bytes")
  }
  guard let kept = Border.kept(value) else { return nil }
  defer { kept.release() }
  if kept.kind == Value.Kind.tuple { return Border.give(TupleSequence(kept)) }
  let isText = kept.kind == Value.Kind.string
  return Border.give(TextSequence(kept, inCharacters: isText))
}

/// A sequence of integers at equal distances: start, start + step, start + 2 step, ….
///
/// It ends before an integer that does not fit into 64 bits.
///
/// - Parameter start: the first.
/// - Parameter step: from one to the next; may be negative or 0.
/// - Parameter count: how many; SIZE_MAX for no end.
/// - Returns: one reference. RAC: NSIndexSet's -rac_sequence, for one range of indexes. Since: 0.1
@c public func rac_sequence_range(_ start: Int64, _ step: Int64, _ count: CSize) -> CSequence? {
  let count = Border.count(count)
  return Border.give(RangeSequence(start, step, count == .max ? nil : count))
}

/// A sequence of two callbacks, each of which is called once at most, when what it makes is asked
/// for.
///
/// A callback that wants the sequence itself to follow keeps the number of its handle without a
/// reference, and retains it when it returns it.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter head: writes the first value, owned, to `*out`; RAC_EEMPTY makes the sequence empty.
/// - Parameter tail: writes what follows, transferred, to `*out`; NULL for nothing. May be NULL,
///   then nothing follows.
/// - Parameter destroy: runs when the sequence is gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL. RAC: +sequenceWithHeadBlock:tailBlock:. Since:
///   0.1
@c public func rac_sequence_create(
  _ context: CContext?, _ head: rac_factory_fn?, _ tail: rac_sequence_tail_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let head else { return Border.fail(Status.null, "head is NULL") }
  return Border.give(PairSequence(context, head, tail))
}

/// A sequence of the values that a callback makes of a state, together with the next state.
///
/// With a state of its own in `context` it turns anything that gives one thing after another into a
/// sequence: the callback is called once for each value, in order.
///
/// - Parameter start: borrowed; the first state.
/// - Parameter context: passed to the callbacks.
/// - Parameter generate: writes a value and the next state, both owned; RAC_EEMPTY ends the
///   sequence. A place it leaves alone is nil: a callback that keeps its state in `context` writes
///   no `*next_state`.
/// - Parameter destroy: runs when the end was computed, or the sequence is gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: NSEnumerator's -rac_sequence. Since: 0.1
@c public func rac_sequence_generate(
  _ start: rac_value, _ context: CContext?, _ generate: rac_generate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let generate else { return Border.fail(Status.null, "generate is NULL") }
  guard let start = Border.kept(start) else { return nil }
  defer { start.release() }
  let cursor = GeneratorCursor(start, context, generate)
  return Border.give(LazySequence(cursor, depth: 1))
}

/// A sequence of the values that a signal sends from now on.
///
/// It subscribes now, and disposes the subscription when no reader can go on. Reading a value that
/// has not come yet waits for it, as rac_signal_first() does: inside a callback or a job it does
/// not wait but answers RAC_EDEADLK. The sequence ends when the signal completes, or when nobody
/// can send to it any more; with an error it ends with that.
///
/// A bound says how many values may wait for the reader. Values that were read stay as long as
/// somebody holds that part of the sequence; an iterator holds none of it. Values that give way to
/// others are not in the sequence. RAC_BOUND_ERROR: values that wait can still be read, then the
/// error. RAC_BOUND_WAIT and RAC_BOUND_REFUSE hold back sources that can wait, and the senders of a
/// subject, or of a rac_signal_create_bounded(), that has the same bound; values that get here all
/// the same are taken.
///
/// - Parameter signal: borrowed.
/// - Parameter timeout: how long to wait for one value, in seconds; then the answer is
///   RAC_ETIMEDOUT, and one may ask again. Negative waits for ever.
/// - Parameter bound: borrowed, retained. NULL, and RAC_BOUND_NONE: without a bound.
/// - Returns: one reference; NULL with RAC_EINVAL (NaN), RAC_ENULL, RAC_ESTALE or RAC_EKIND;
///   RAC_EBUSY when the bound is in use elsewhere. RAC: RACSignal's -sequence. Since: 0.1
@c public func rac_sequence_from_signal(_ signal: CSignal?, _ timeout: Double, _ bound: CBound?)
  -> CSequence?
{
  guard let limit = Border.timeout(timeout), let signal = Border.signal(signal),
    let bound = Border.bound(bound)
  else { return nil }
  guard let bound else { return Border.give(SignalSequence.capture(signal, timeout: limit)) }
  let sequence = Border.give(LazySequence.pulled(from: signal, timeout: limit, bound))
  return Border.made(sequence, with: bound)
}

/// A signal that sends the values of a sequence, each in a job of its own on a scheduler.
///
/// Other jobs on that scheduler get their turn between two values. The sequence is read in jobs,
/// where no call may block: one that is made of a signal has to have its values by then.
///
/// - Parameter sequence: borrowed.
/// - Parameter scheduler: borrowed; where the values are computed and sent.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -signalWithScheduler:, and -signal for a scheduler made for it. Since: 0.1
@c public func rac_sequence_signal(_ sequence: CSequence?, _ scheduler: CScheduler?) -> CSignal? {
  guard let sequence = Border.sequence(sequence),
    let scheduler = Border.scheduler(scheduler)
  else { return nil }
  return Border.give { SequenceSignal(sequence, scheduler).named("signal") }
}

/// A sequence as a value, for sequences of sequences. Such values are equal when they are the same
/// one.
///
/// - Parameter sequence: borrowed; the value retains it.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Since: 0.1
@c public func rac_value_sequence(_ sequence: CSequence?) -> rac_value {
  Border.use(
    sequence, .sequence, as: ValueSequence.self, otherwise: { _ in .null },
    { .sequence($0) })
}

/// The sequence in a sequence value, as a handle.
///
/// - Parameter value: borrowed.
/// - Returns: one reference, to be released; NULL with RAC_EKIND when it is no sequence. Since: 0.1
@c public func rac_value_to_sequence(_ value: rac_value) -> CSequence? {
  guard value.isCounted, let sequence = value.asSequence else {
    return Border.fail(Status.kind, "the value is no sequence")
  }
  return Border.give(sequence)
}
