/// Sends each value through `transform`.
///
///     source   1  2  3
///     map x 10 10 20 30
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes an owned value to `*out`; a failure ends the sequence with an
///   error.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -map:. Since: 0.1
@c public func rac_sequence_map(
  _ source: CSequence?, _ context: CContext?, _ transform: rac_map_fn?, _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, context, transform, destroy) { $0.map($1, $2) }
}

/// One value in place of each value.
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed; the sequence retains it.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -mapReplace:. Since: 0.1
@c public func rac_sequence_map_replace(_ source: CSequence?, _ value: rac_value) -> CSequence? {
  Border.sequence(from: source, value) { source, value in
    source.through { $0.mapReplace(value) }
  }
}

/// The values for which `predicate` says true.
///
///     source      1  2  3  4
///     filter even    2     4
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the sequence with an error.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -filter:. Since: 0.1
@c public func rac_sequence_filter(
  _ source: CSequence?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, context, predicate, destroy) { $0.filter($1, $2) }
}

/// The values that do not equal `value`; nil drops nil.
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed; the sequence retains it.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -ignore:. Since: 0.1
@c public func rac_sequence_ignore(_ source: CSequence?, _ value: rac_value) -> CSequence? {
  Border.sequence(from: source, value) { source, value in
    source.through { $0.ignore(value) }
  }
}

/// Gives, for each tuple, the result of `reduce` for its elements. A value that is no tuple is an
/// error.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the elements and how many there are; writes an owned value to `*out`.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -reduceEach:. Since: 0.1
@c public func rac_sequence_reduce_each(
  _ source: CSequence?, _ context: CContext?, _ reduce: rac_reduce_each_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, context, reduce, destroy) { $0.reduceEach($1, $2) }
}

/// The running result of `reduce`. The start itself is not among the values.
///
///     source   1  2  3
///     scan 0,+ 1  3  6
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; the sequence retains it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value and the next one, writes an owned value to `*out`.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -scanWithStart:reduce:. Since: 0.1
@c public func rac_sequence_scan(
  _ source: CSequence?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, start, context, reduce, destroy) { $0.scan($1, $2, $3) }
}

/// An operator of your own, as rac_signal_step() is for signals.
///
///     source         1    2  3    4
///     odd ones twice 1 1     3 3
///
/// There is one state. The end of the sequence is an event as that of a signal is.
///
/// - Parameter source: borrowed.
/// - Parameter state_size: in bytes, up to 2^28; 0: `step->state` is NULL.
/// - Parameter context: passed to the callbacks.
/// - Parameter step: called for each value, and the end.
/// - Parameter clear: called once, when nothing can call `step` with that state any more, to free
///   what the state holds; may be NULL.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND. Since: 0.1
@c public func rac_sequence_step(
  _ source: CSequence?, _ state_size: CSize, _ context: CContext?, _ step: rac_step_fn?,
  _ clear: rac_clear_fn?, _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(from: source, context, step, destroy) { source, context, step in
    StepBlock.size(state_size).map { size in
      source.through { $0.step(size, context, step, clear) }
    }
  }
}

/// rac_sequence_scan() with a callback that is told how many values came before.
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; the sequence retains it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value, the next one and its index; writes an owned value to
///   `*out`.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -scanWithStart:reduceWithIndex:. Since: 0.1
@c public func rac_sequence_scan_with_index(
  _ source: CSequence?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_index_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, start, context, reduce, destroy) {
    $0.scanWithIndex($1, $2, $3)
  }
}

/// Gives, for each value, the result of `reduce` for the one before it and itself. The result is
/// not fed back.
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; stands before the first.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the value before and the value, writes an owned value to `*out`.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -combinePreviousWithStart:reduce:. Since: 0.1
@c public func rac_sequence_combine_previous(
  _ source: CSequence?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, start, context, reduce, destroy) {
    $0.combinePrevious($1, $2, $3)
  }
}

/// The values that do not equal the one before them.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -distinctUntilChanged. Since: 0.1
@c public func rac_sequence_distinct_until_changed(_ source: CSequence?) -> CSequence? {
  Border.sequence(from: source) { source in
    source.through { $0.distinctUntilChanged() }
  }
}

/// The same values, all computed now.
///
/// Of a sequence without an end it never returns. An error among the values stays where it is.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND, or where it cannot be read
///   now: RAC_EDEADLK, RAC_ETIMEDOUT or RAC_ERANGE. May block. RAC: -eagerSequence. Since: 0.1
@c public func rac_sequence_eager(_ source: CSequence?) -> CSequence? {
  guard let source = Border.sequence(source), Border.isReady() else { return nil }
  let (sequence, status) = source.evaluated()
  if Border.recorded(Reading(status: status)).status < 0 { return nil }
  return Border.give(sequence)
}

/// The same values; sequences derived from it are computed when they are asked for.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -lazySequence. Since: 0.1
@c public func rac_sequence_lazy(_ source: CSequence?) -> CSequence? {
  guard let source = Border.sequence(source) else { return nil }
  return Border.give((source as? EagerSequence)?.lazy ?? source)
}
