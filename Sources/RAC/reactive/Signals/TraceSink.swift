/// Reports what passes one stage of a subscription. Put in when the subscription is made, so that a
/// subscription made while tracing is off pays nothing.
final class TraceSink: Stage {
  /// Not the signal: a subject would keep itself, by way of its subscribers.
  private let name: SignalName?
  private let number = Diagnostics.shared.countSubscription()
  private var ended = false

  init(_ name: SignalName?, _ downstream: Sink) {
    self.name = name
    super.init(downstream)
    report(RAC_TRACE_SUBSCRIBE, .null)
  }

  override func next(_ value: Value) {
    report(RAC_TRACE_NEXT, value)
    downstream.next(value)
  }

  override func error(_ error: Value) {
    ended = true
    report(RAC_TRACE_ERROR, error)
    downstream.error(error)
  }

  override func completed() {
    ended = true
    report(RAC_TRACE_COMPLETED, .null)
    downstream.completed()
  }

  /// Reports, if the subscription is traced, that the last reference to the subscriber that sends
  /// into the sink has gone without an end.
  static func drop(_ sink: Unmanaged<Sink>?) {
    guard Diagnostics.shared.isTracing else { return }
    sink?._withUnsafeGuaranteedRef { ($0 as? TraceSink)?.report(RAC_TRACE_DROPPED, .null) }
  }

  private func report(_ type: Int32, _ value: Value) {
    Diagnostics.shared.report(type, number, name, value)
  }

  deinit {
    if !ended { report(RAC_TRACE_DISPOSE, .null) }
  }
}
