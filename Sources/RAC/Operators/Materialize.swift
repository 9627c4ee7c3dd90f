extension Signal {
  /// Sends every event as a value, the end as well; then completes, also after an error.
  ///
  /// ```
  /// source      --1--2--X
  /// materialize --N1-N2-X|
  /// ```
  /// C: rac_signal_materialize. RAC: -materialize
  func materialize() -> Signal { lift("materialize") { MaterializeSink($0) } }

  /// Turns event values back into events; ends at the first that is an end. A value that is no event
  /// is an error. C: rac_signal_dematerialize. RAC: -dematerialize
  func dematerialize() -> Signal { lift("dematerialize") { DematerializeSink($0) } }
}

private final class MaterializeSink: Stage {
  override func next(_ value: Value) { send(.event(.next, value)) }

  override func error(_ error: Value) {
    send(.event(.error, error))
    downstream.completed()
  }

  override func completed() {
    send(.event(.completed, .null))
    downstream.completed()
  }

  private func send(_ event: Value?) {
    guard let event else {
      return downstream.refuse(Status.noMemory, "not enough memory for an event")
    }
    downstream.next(event)
    event.release()
  }
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
