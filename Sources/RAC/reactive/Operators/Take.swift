/// Passes the first `count` values, then completes without waiting for the source.
///
///     source --1--2--3--|
///     take 2 --1--(2|)
///
/// Values that come during the delivery of the last one are dropped.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many; 0 completes at once without subscribing.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -take:. Rx: take. Since: 0.1
@c public func rac_signal_take(_ source: CSignal?, _ count: CSize) -> CSignal? {
  Border.derive(source) { $0.take(Border.count(count)) }
}

extension Signal {
  func take(_ count: Int) -> Signal {
    count == 0 ? EmptySignal().named("take:", self) : lift("take:", TakeStep(count))
  }
}

/// State: how many are left to be passed.
private final class TakeStep: RowStep {
  init(_ count: Int) { super.init(state: .int64(Int64(count))) }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    let left = place.number &- 1
    if left < 0 { return nil }
    place.number = left
    if left > 0 { return value }
    place.send(value)
    place.complete()
    return nil
  }

  /// The last one comes by itself.
  override func mostNumbers(at place: RowPlace) -> Int { Int(place.number) &- 1 }

  override func sift(
    _ numbers: inout Numbers, to target: UnsafeMutableRawPointer, room: Int, at place: RowPlace
  ) -> Int {
    let taken = numbers.move(to: target, room: room)
    place.number &-= Int64(taken)
    return taken
  }

  override func error(_ error: Value, at place: RowPlace) -> Bool { place.number > 0 }
  override func completed(at place: RowPlace) -> Bool { place.number > 0 }
}
