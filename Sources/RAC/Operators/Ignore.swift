extension Signal {
  /// Drops the values that equal `ignored`; nil drops nil.
  ///
  /// ```
  /// source   --1--2--1--3--|
  /// ignore 1 -----2-----3--|
  /// ```
  /// C: rac_signal_ignore. RAC: -ignore:
  @inline(never)
  func ignore(_ ignored: Value) -> Signal {
    let ignored = OwnedValue(ignored)
    return lift("ignore:") { IgnoreSink(ignored, $0) }
  }
}

private final class IgnoreSink: Stage {
  private let ignored: OwnedValue

  init(_ ignored: OwnedValue, _ downstream: Sink) {
    self.ignored = ignored
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if !value.isEqual(ignored.value) { downstream.next(value) }
  }
}
