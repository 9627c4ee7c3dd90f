import CRAC

extension SignalProtocol {
  /// Sends an array of all values when the source completes.
  ///
  ///     source   --1--2--|
  ///     collect  --------(a|)   a: [1,2]
  ///
  /// RAC: -collect. Rx: toArray.
  public func collect() -> Signal<[Value]> {
    let source = signal
    return withExtendedLifetime(source) {
      converting(rac_signal_collect(source.pointer)) { try parts(of: $0) }
    }
  }

  /// Sends how many values came, when the source completes.
  ///
  ///     source  --a--b--c--|
  ///     count   -----------(3|)
  ///
  /// Rx: count.
  public func count() -> Signal<Int> { derive { rac_signal_count($0) } }
}
