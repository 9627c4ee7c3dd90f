import CRAC

extension SignalProtocol<Bool> {
  /// Sends the opposite of each value.
  ///
  ///     source  --t--0--|   t: true
  ///     not     --f--t--|   f: false
  ///
  /// RAC: -not.
  public func not() -> Signal<Bool> { derive { rac_signal_not($0) } }

  /// Sends whether the latest values of both are true, whenever one changes and both have sent one.
  ///
  ///     source  --1------------0--|
  ///     other   -----0----1-------|
  ///     and     -----f----t----f--|   1: true, 0: false, t: true, f: false
  ///
  /// RAC: -and.
  public func and<Other: SignalProtocol<Bool>>(_ other: Other) -> Signal<Bool> {
    both(other) { rac_signal_and($0) }
  }

  /// Sends whether one of the latest values of both is true, whenever one changes and both have
  /// sent one.
  ///
  ///     source  --1------------0--|
  ///     other   -----0----1-------|
  ///     or      -----t----t----t--|   1: true, 0: false, t: true
  ///
  /// RAC: -or.
  public func or<Other: SignalProtocol<Bool>>(_ other: Other) -> Signal<Bool> {
    both(other) { rac_signal_or($0) }
  }

  private func both<Other: SignalProtocol<Bool>>(
    _ other: Other, _ combine: (OpaquePointer?) -> OpaquePointer?
  ) -> Signal<Bool> {
    derive(with: other) { first, second in
      let pairs = rac_signal_combine_latest_with(first, second)
      defer { if let pairs { rac_release(UnsafeMutableRawPointer(pairs)) } }
      return combine(pairs)
    }
  }
}
