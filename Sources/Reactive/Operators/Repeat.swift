import CRAC

extension SignalProtocol {
  /// Observes the source again whenever it completes, for ever. An error ends it.
  ///
  ///     source    --1--2|
  ///     repeated  --1--2--1--2--1--2--1--
  ///
  /// RAC: -repeat.
  public func repeated() -> Signal<Value> { derive { rac_signal_repeat($0) } }

  /// Observes the source again after it completed, when the signal says so that `notifier` makes of
  /// how many times that was before.
  ///
  ///     source    --1--|
  ///     notifier       ---x
  ///     repeated  --1-------1---
  ///
  /// The first value of that signal is waited for. When it completes without one, so does the
  /// signal. Rx: repeatWhen.
  public func repeated<S: SignalProtocol>(
    when notifier: @escaping @Sendable (Int) throws -> S
  ) -> Signal<Value> {
    let context = SignalIndexContext { _, index, out in
      do {
        out.pointee = try notifier(index).signal.retainedPointer()
        return 0
      } catch {
        return raise(error)
      }
    }
    return derive {
      rac_signal_repeat_when(
        $0, context.passed, SignalIndexContext.call, SignalIndexContext.release)
    }
  }
}
