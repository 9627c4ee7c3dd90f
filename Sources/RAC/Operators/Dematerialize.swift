/// Turns event values back into events; the first that is an end ends the stream.
///
///     source        --N1-N2-E--N3-|
///     dematerialize --1--2--#
///
/// A value that is no event ends it with an error.
///
/// - Parameter source: borrowed; a signal of values of kind RAC_EVENT.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -dematerialize. Rx: dematerialize. Since: 0.1
@_cdecl("rac_signal_dematerialize")
public func rac_signal_dematerialize(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_dematerialize") { $0.dematerialize() }
}

extension Signal {
  func dematerialize() -> Signal { lift("dematerialize") { DematerializeSink($0) } }
}

private final class DematerializeSink: Stage {
  private var hasEnded = false

  override func next(_ value: Value) {
    if hasEnded { return }
    switch value.eventType {
    case .next: downstream.next(value.eventPayload)
    case .error: error(value.eventPayload)
    case .completed: completed()
    case nil: fail(Status.kind, "an event was expected, another value was sent")
    }
  }

  override func error(_ error: Value) {
    if hasEnded { return }
    hasEnded = true
    downstream.error(error)
  }

  override func completed() {
    if hasEnded { return }
    hasEnded = true
    downstream.completed()
  }
}
