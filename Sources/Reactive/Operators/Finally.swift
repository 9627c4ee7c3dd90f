import CRAC

extension SignalProtocol {
  /// Runs `action` once for each observation, when it is over, however: after its end has been
  /// heard, when it is disposed, or when nobody can send to it any more.
  ///
  ///     source   --1--2--|
  ///     finally  --1--2--|
  ///     action   --------x
  ///
  ///     source        --1--2--3--|
  ///     subscription  ^------!
  ///     finally       --1--2--
  ///     action        -------x
  ///
  /// RAC's `-finally:`, which runs before the end and not when observing is disposed, is
  /// `handleEnd`. Rx: finalize, doFinally.
  public func finally(_ action: @escaping @Sendable () -> Void) -> Signal<Value> {
    derive {
      rac_signal_do_finally(
        $0, ActionContext(action).passed, ActionContext.call, ActionContext.release)
    }
  }
}
