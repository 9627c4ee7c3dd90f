/// Drops a value that equals the one before it; see rac_value_equal().
///
///     source   --1--1--2--1--|
///     distinct --1-----2--1--|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -distinctUntilChanged. Rx: distinctUntilChanged. Since: 0.1
@c public func rac_signal_distinct_until_changed(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.distinctUntilChanged() }
}

extension Signal {
  func distinctUntilChanged() -> Signal {
    lift("distinctUntilChanged", DistinctUntilChangedStep())
  }
}

/// State: the last value that was passed.
private final class DistinctUntilChangedStep: RowStep {
  init() { super.init(state: .nothing) }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    if place.state.isEqual(value) { return nil }
    place.keep(value.retained())
    return value
  }

  /// An object that is let go of may call somebody.
  override func mostNumbers(at place: RowPlace) -> Int { place.state.isCounted ? 0 : .max }

  override func sift(
    _ numbers: inout Numbers, to target: UnsafeMutableRawPointer, room: Int, at place: RowPlace
  ) -> Int {
    // The value that was passed last may be of any kind: only the next one is a number.
    if super.sift(&numbers, to: target, room: min(room, 1), at: place) == 0 { return 0 }
    let kept = numbers.moveChanges(to: target, room: room)
    place.state = Numbers(target + (kept &- 1) &* 8, 1, numbers.form).value
    return kept
  }
}
