/// Subscribes to the source again whenever it completes, for ever.
///
///     source --1--2|
///     repeat --1--2--1--2--1--2--1--
///
/// An error ends it. A source that completes at once is subscribed to in a loop, without recursion,
/// until somebody below disposes.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -repeat. Rx: repeat. Since: 0.1
@_cdecl("rac_signal_repeat")
public func rac_signal_repeat(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_repeat") { $0.repeated() }
}

extension Signal {
  func repeated() -> Signal { relay("repeat") { RepeatRelay($0, $1) } }
}

private final class RepeatRelay: Relay {
  private let source: Signal

  init(_ source: Signal, _ downstream: Sink) {
    self.source = source
    super.init(downstream)
  }

  override func nextSource() -> Signal? { source }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.reference(source)
  }
}
