import CRAC

extension SignalProtocol where Value: Equatable {
  /// Drops the values that equal one.
  ///
  ///     source       --1--2--1--3--|
  ///     ignoring(1)  -----2-----3--|
  ///
  /// RAC: -ignore:.
  @inlinable
  public func ignoring(_ value: Value) -> Signal<Value> {
    guard isComparedByEngine(Value.self) else { return filter { $0 != value } }
    return derive { source in withEncoded(value) { rac_signal_ignore(source, $0) } }
  }
}

extension SignalProtocol {
  /// Sends the end only.
  ///
  ///     source          --1--2--|
  ///     ignoringValues  --------|
  ///
  /// RAC: -ignoreValues. Rx: ignoreElements. Combine: ignoreOutput.
  public func ignoringValues() -> Signal<Value> { derive { rac_signal_ignore_values($0) } }
}
