import CRAC

extension SignalProtocol {
  /// Sends the value with an index, counted from 0, and completes; fails when the source has not so
  /// many.
  ///
  ///     source          --a--b--c--d--|
  ///     element(at: 2)  --------(c|)
  ///
  /// Rx: elementAt. Combine: output(at:).
  public func element(at index: Int) -> Signal<Value> {
    derive { rac_signal_element_at($0, index) }
  }
}
