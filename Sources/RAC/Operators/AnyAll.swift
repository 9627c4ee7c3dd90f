extension Signal {
  /// Sends true and completes at the first value that `predicate` says yes to, at any value without a
  /// predicate; false at the end, whichever it is.
  ///
  /// ```
  /// source  --1--2--3--|
  /// any > 1 -----true|
  /// ```
  /// C: rac_signal_any. RAC: -any, -any:
  func any(_ context: Context, _ predicate: rac_predicate_fn?) -> Signal {
    lift("any:") { VerdictSink(decidedBy: true, context, predicate, $0) }
  }

  /// Sends false and completes at the first value that `predicate` says no to; true at the completion,
  /// false at an error.
  ///
  /// ```
  /// source  --1--2--3--|
  /// all < 9 -----------true|
  /// ```
  /// C: rac_signal_all. RAC: -all:
  func all(_ context: Context, _ predicate: @escaping rac_predicate_fn) -> Signal {
    lift("all:") { VerdictSink(decidedBy: false, context, predicate, $0) }
  }
}

private final class VerdictSink: Stage {
  private let decisive: Bool
  private let context: Context
  private let pointer: UnsafeMutableRawPointer?
  private let predicate: rac_predicate_fn?
  private var hasEnded = false

  init(
    decidedBy decisive: Bool, _ context: Context, _ predicate: rac_predicate_fn?,
    _ downstream: Sink
  ) {
    self.decisive = decisive
    self.context = context
    pointer = context.pointer
    self.predicate = predicate
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive, !hasEnded else { return }
    var answer = true
    if let predicate {
      answer = false
      let status = predicate(pointer, value, &answer)
      if Callback.hasFailed(status) { return end(with: status) }
    }
    if answer == decisive { decide(decisive) }
  }

  override func error(_ error: Value) { decide(false) }
  override func completed() { decide(!decisive) }

  private func decide(_ verdict: Bool) {
    if hasEnded { return }
    hasEnded = true
    downstream.next(.bool(verdict))
    downstream.completed()
  }

  /// The callback's own failure is no verdict.
  private func end(with status: rac_status) {
    hasEnded = true
    let error = Callback.error(from: status)
    downstream.error(error)
    error.release()
  }
}
