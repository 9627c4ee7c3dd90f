extension Signal {
  /// Passes values until `predicate` first answers `end`; completes in place of that value.
  ///
  /// ```
  /// source        --1--2--3--1--|
  /// takeWhile < 3 --1--2--|
  /// ```
  /// C: rac_signal_take_until_block, rac_signal_take_while_block.
  /// RAC: -takeUntilBlock:, -takeWhileBlock:
  @inline(never)
  func take(
    untilAnswer end: Bool, _ context: Context, _ predicate: @escaping rac_predicate_fn
  ) -> Signal {
    lift(end ? "takeUntilBlock:" : "takeWhileBlock:") {
      TakeWhileSink(untilAnswer: end, context, predicate, $0)
    }
  }

  /// Drops values until `predicate` first answers `begin`; passes that value and all after it.
  ///
  /// ```
  /// source        --1--2--3--1--|
  /// skipWhile < 3 --------3--1--|
  /// ```
  /// C: rac_signal_skip_until_block, rac_signal_skip_while_block.
  /// RAC: -skipUntilBlock:, -skipWhileBlock:
  @inline(never)
  func skip(
    untilAnswer begin: Bool, _ context: Context, _ predicate: @escaping rac_predicate_fn
  ) -> Signal {
    lift(begin ? "skipUntilBlock:" : "skipWhileBlock:") {
      SkipWhileSink(untilAnswer: begin, context, predicate, $0)
    }
  }
}

private final class TakeWhileSink: Stage {
  private let end: Bool
  private let context: Context
  private let pointer: UnsafeMutableRawPointer?
  private let predicate: rac_predicate_fn
  private var hasEnded = false

  init(
    untilAnswer end: Bool, _ context: Context, _ predicate: @escaping rac_predicate_fn,
    _ downstream: Sink
  ) {
    self.end = end
    self.context = context
    pointer = context.pointer
    self.predicate = predicate
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive, !hasEnded else { return }
    var answer = false
    let status = predicate(pointer, value, &answer)
    if Callback.hasFailed(status) {
      fail(status)
    } else if answer == end {
      completed()
    } else {
      downstream.next(value)
    }
  }

  override func error(_ error: Value) {
    if !hasEnded { downstream.error(error) }
    hasEnded = true
  }

  override func completed() {
    if hasEnded { return }
    hasEnded = true
    downstream.completed()
  }
}

private final class SkipWhileSink: Stage {
  private let begin: Bool
  private let context: Context
  private let pointer: UnsafeMutableRawPointer?
  private let predicate: rac_predicate_fn
  private var hasBegun = false

  init(
    untilAnswer begin: Bool, _ context: Context, _ predicate: @escaping rac_predicate_fn,
    _ downstream: Sink
  ) {
    self.begin = begin
    self.context = context
    pointer = context.pointer
    self.predicate = predicate
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if hasBegun { return downstream.next(value) }
    guard scope.isActive else { return }
    var answer = false
    let status = predicate(pointer, value, &answer)
    if Callback.hasFailed(status) { return fail(status) }
    guard answer == begin else { return }
    hasBegun = true
    downstream.next(value)
  }
}
