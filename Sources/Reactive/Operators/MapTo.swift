import CRAC

extension SignalProtocol {
  /// Sends one value in place of each value.
  ///
  ///     source     --1--2--3--|
  ///     map(to: 7) --7--7--7--|
  ///
  /// RAC: -mapReplace:. Rx: mapTo.
  @inlinable
  public func map<T: Sendable>(to value: T) -> Signal<T> {
    derive { source in withEncoded(value) { rac_signal_map_replace(source, $0) } }
  }
}
