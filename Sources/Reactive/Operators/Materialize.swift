import CRAC

extension SignalProtocol {
  /// Sends every event as a value, the end as well; then completes, also after an error.
  ///
  ///     source       --1--2--#
  ///     materialize  --a--b--(c|)   a: <1>, b: <2>, c: <#>
  ///
  /// RAC: -materialize.
  public func materialize() -> Signal<Event<Value>> {
    let source = signal
    return withExtendedLifetime(source) {
      converting(rac_signal_materialize(source.pointer)) { event in
        switch rac_event_get_type(event) {
        case RAC_EVENT_NEXT: .value(try decoded(rac_event_get_value(event)))
        case RAC_EVENT_ERROR: .failed(decode(error: rac_event_get_error(event)))
        default: .finished
        }
      }
    }
  }

  /// Turns values that are events back into events; the first that is an end ends the signal.
  ///
  ///     source         --a--b--c--d--|   a: <1>, b: <2>, c: <#>, d: <3>
  ///     dematerialize  --1--2--#
  ///
  /// RAC: -dematerialize.
  public func dematerialize<T: Sendable>() -> Signal<T> where Value == Event<T> {
    let context = MapContext { value, out in
      guard let event: Event<T> = decode(value) else { return raiseMismatch(value, Value.self) }
      switch event {
      case .value(let value):
        out.pointee = withEncoded(value) { rac_value_event_next($0) }
      case .failed(let error):
        let error = encode(error: error)
        out.pointee = rac_value_event_error(error)
        rac_value_release(error)
      case .finished:
        out.pointee = rac_value_event_completed()
      }
      return 0
    }
    return derive { source in
      let events = rac_signal_map(source, context.passed, MapContext.call, MapContext.release)
      defer { if let events { rac_release(UnsafeMutableRawPointer(events)) } }
      return rac_signal_dematerialize(events)
    }
  }
}
