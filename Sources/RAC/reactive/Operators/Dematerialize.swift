/// Turns event values back into events; the first that is an end ends the stream.
///
///     source        --a--b--c--d--|   a: <1>, b: <2>, c: <#>, d: <3>
///     dematerialize --1--2--#
///
/// A value that is no event ends it with an error.
///
/// - Parameter source: borrowed; a signal of values of kind RAC_EVENT.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -dematerialize. Rx: dematerialize. Since: 0.1
@c public func rac_signal_dematerialize(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.lift("dematerialize", DematerializeStep()) }
}

/// State: whether it has ended.
private final class DematerializeStep: RowStep {
  init() { super.init(state: .bool(false)) }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    if place.flag { return nil }
    if value.eventType == .next { return value.eventPayload }
    place.flag = true
    switch value.eventType {
    case .error: place.error(value.eventPayload)
    case .completed: place.complete()
    default: place.fail(Status.kind, "an event was expected, another value was sent", at: value)
    }
    return nil
  }

  override func error(_ error: Value, at place: RowPlace) -> Bool { ends(at: place) }
  override func completed(at place: RowPlace) -> Bool { ends(at: place) }

  private func ends(at place: RowPlace) -> Bool {
    defer { place.flag = true }
    return !place.flag
  }
}
