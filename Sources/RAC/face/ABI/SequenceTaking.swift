/// All but the first `count` values.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many; 0 drops none.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -skip:. Since: 0.1
@c public func rac_sequence_skip(_ source: CSequence?, _ count: CSize) -> CSequence? {
  Border.sequence(from: source) { source in
    source.through { $0.skip(Border.count(count)) }
  }
}

/// The first `count` values. Those after them are never computed.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many; 0 makes an empty sequence.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -take:. Since: 0.1
@c public func rac_sequence_take(_ source: CSequence?, _ count: CSize) -> CSequence? {
  Border.sequence(from: source) { $0.take(Border.count(count)) }
}

/// The values before the first for which `predicate` says true.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the sequence with an error.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -takeUntilBlock:. Since: 0.1
@c public func rac_sequence_take_until_predicate(
  _ source: CSequence?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, context, predicate, destroy) {
    $0.take(untilAnswer: true, $1, $2)
  }
}

/// The values before the first for which `predicate` says false.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the sequence with an error.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -takeWhileBlock:. Since: 0.1
@c public func rac_sequence_take_while(
  _ source: CSequence?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, context, predicate, destroy) {
    $0.take(untilAnswer: false, $1, $2)
  }
}

/// The values from the first on for which `predicate` says true.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the sequence with an error.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -skipUntilBlock:. Since: 0.1
@c public func rac_sequence_skip_until_predicate(
  _ source: CSequence?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, context, predicate, destroy) {
    $0.skip(untilAnswer: true, $1, $2)
  }
}

/// The values from the first on for which `predicate` says false.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the sequence with an error.
/// - Parameter destroy: runs when nothing can call any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -skipWhileBlock:. Since: 0.1
@c public func rac_sequence_skip_while(
  _ source: CSequence?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSequence? {
  Border.sequence(through: source, context, predicate, destroy) {
    $0.skip(untilAnswer: false, $1, $2)
  }
}
