import CRAC

extension SignalProtocol {
  /// Sends one value in place of each value.
  ///
  ///     source    --1--2--3--|
  ///     mapTo(7)  --7--7--7--|
  ///
  /// RAC: -mapReplace:. Rx: mapTo.
  @inlinable
  public func mapTo<T: Sendable>(_ value: T) -> Signal<T> {
    // Not `map(to:)`: a trailing closure would fit that, too, and each `map` of a chain would
    // double the type checker's work.
    derive { source in withEncoded(value) { rac_signal_map_replace(source, $0) } }
  }
}
