/// The values of the sequences that `transform` makes of each value, one sequence after the other.
///
///     source     1    2
///     x -> x, x  1 1  2 2
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a sequence, transferred, to `*out`; NULL counts as an empty one.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -flattenMap:. Since: 0.1
@c public func rac_sequence_flatten_map(
  _ source: CSequence?, _ context: CContext?, _ transform: rac_sequence_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(from: source, context, transform, destroy) { $0.flatten($1, .map($2)) }
}

/// The values of the sequences in a sequence of sequences, one after the other.
///
/// nil counts as an empty sequence; another value that is no sequence is an error.
///
/// - Parameter source: borrowed; its values are of kind RAC_SEQUENCE.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -flatten. Since: 0.1
@c public func rac_sequence_flatten(_ source: CSequence?) -> CSequence? {
  Border.sequence(from: source) { $0.flatten() }
}

/// flatten_map whose callback may end the sequence; all other operators could be made of it.
///
/// Leaving `*out` NULL ends it too, as in RAC.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a sequence, transferred, to `*out`.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -bind:. Since: 0.1
@c public func rac_sequence_bind(
  _ source: CSequence?, _ context: CContext?, _ transform: rac_sequence_bind_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(from: source, context, transform, destroy) { $0.flatten($1, .bind($2)) }
}

/// The values of `source`, then those of `next`.
///
/// However long a chain of these is built, in whichever order, it costs no stack.
///
/// - Parameter source: borrowed.
/// - Parameter next: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -concat:. Since: 0.1
@c public func rac_sequence_concat(_ source: CSequence?, _ next: CSequence?) -> CSequence? {
  Border.sequence(from: source) { source in
    Border.sequence(next).map { .concat([source, $0]) }
  }
}

/// The values of all sequences, one after the other.
///
/// - Parameter sequences: borrowed array of borrowed sequences; may be NULL with count 0.
/// - Parameter count: how many; 0 makes an empty sequence.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +concat:. Since: 0.1
@c public func rac_sequence_concat_all(
  _ sequences: CList<CSequence?>?, _ count: CSize
) -> CSequence? {
  guard let parts = Border.sequences(sequences, count) else { return nil }
  return Border.give(.concat(parts))
}

/// A value, then those of the source.
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed; the sequence retains it.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -startWith:. Since: 0.1
@c public func rac_sequence_start_with(_ source: CSequence?, _ value: rac_value) -> CSequence? {
  Border.sequence(from: source, value) { $0.startWith($1) }
}

/// Tuples of the first values of all, of their second ones, and so on, as long as all have one.
///
///     a   1     2     3
///     b   x     y
///     zip (1,x) (2,y)
///
/// - Parameter sequences: borrowed array of borrowed sequences; may be NULL with count 0.
/// - Parameter count: how many; 0 makes an empty sequence, 1 one of tuples with one element.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +zip:, -zipWith:. Since: 0.1
@c public func rac_sequence_zip(_ sequences: CList<CSequence?>?, _ count: CSize) -> CSequence? {
  guard let parts = Border.sequences(sequences, count) else { return nil }
  return Border.give(.zip(parts))
}

/// Gives the result of `reduce` for the first values of all, for their second ones, and so on.
///
/// - Parameter sequences: borrowed array of borrowed sequences; may be NULL with count 0.
/// - Parameter count: how many; 0 makes an empty sequence.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets as many values as there are sequences; writes an owned value to `*out`.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +zip:reduce:. Since: 0.1
@c public func rac_sequence_zip_reduce(
  _ sequences: CList<CSequence?>?, _ count: CSize, _ context: CContext?,
  _ reduce: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CSequence? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let reduce else { return Border.fail(Status.null, "a callback is NULL") }
  guard let parts = Border.sequences(sequences, count) else { return nil }
  return Border.give(ValueSequence.zip(parts).through { $0.reduceEach(context, reduce) })
}
