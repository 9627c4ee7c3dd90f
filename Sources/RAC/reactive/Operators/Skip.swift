/// Drops the first `count` values.
///
///     source --1--2--3--|
///     skip 2 --------3--|
///
/// - Parameter source: borrowed.
/// - Parameter count: how many; 0 drops none.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -skip:. Rx: skip. Since: 0.1
@c public func rac_signal_skip(_ source: CSignal?, _ count: CSize) -> CSignal? {
  Border.derive(source) { $0.skip(Border.count(count)) }
}

extension Signal {
  func skip(_ count: Int) -> Signal { lift("skip:", SkipStep(count)) }
}

/// State: how many are left to be dropped.
private final class SkipStep: RowStep {
  init(_ count: Int) { super.init(state: .int64(Int64(count))) }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    if place.number == 0 { return value }
    place.number &-= 1
    return nil
  }

  override func mostNumbers(at place: RowPlace) -> Int { .max }

  override func sift(
    _ numbers: inout Numbers, to target: UnsafeMutableRawPointer, room: Int, at place: RowPlace
  ) -> Int {
    let skipped = min(Int(place.number), numbers.count)
    place.number &-= Int64(skipped)
    numbers.drop(skipped)
    return numbers.move(to: target, room: room)
  }
}
