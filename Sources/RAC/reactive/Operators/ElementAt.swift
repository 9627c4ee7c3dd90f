/// Sends the value with an index, counted from 0, and completes.
///
///     source       --a--b--c--d--|
///     element_at 2 --------(c|)
///
/// A source that completes sooner is an error, of domain "rac" and code RAC_ERANGE. For a value in
/// its place there are rac_signal_skip(), rac_signal_take() of 1 and rac_signal_default_if_empty(),
/// in a row.
///
/// - Parameter source: borrowed.
/// - Parameter index: how many values come before it.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: elementAt. Since: 0.1
@c public func rac_signal_element_at(_ source: CSignal?, _ index: CSize) -> CSignal? {
  Border.derive(source) { $0.lift("elementAt:", ElementAtStep(Border.count(index))) }
}

/// State: how many come before it; negative once it has ended.
private final class ElementAtStep: RowStep {
  init(_ index: Int) { super.init(state: .int64(Int64(index))) }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    let left = place.number
    if left >= 0 { place.number = left &- 1 }
    if left != 0 { return nil }
    place.send(value)
    place.complete()
    return nil
  }

  override func error(_ error: Value, at place: RowPlace) -> Bool { ends(at: place) }

  override func completed(at place: RowPlace) -> Bool {
    if ends(at: place) {
      place.fail(Status.range, "the source completed before that element")
    }
    return false
  }

  /// Or an error.
  override var sendsAtEnd: Bool { true }

  private func ends(at place: RowPlace) -> Bool {
    defer { place.number = -1 }
    return place.number >= 0
  }
}
