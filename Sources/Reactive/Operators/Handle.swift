import CRAC

extension SignalProtocol {
  /// Runs `action` before each value goes on.
  ///
  ///     source      --1--2--|
  ///     action      --1--2---
  ///     handleNext  --1--2--|
  ///
  /// RAC: -doNext:. Rx: tap, doOnNext.
  public func handleNext(_ action: @escaping @Sendable (Value) -> Void) -> Signal<Value> {
    derive {
      rac_signal_do_next(
        $0, hearing(action), Hearing.call, Hearing.release)
    }
  }

  /// Runs `action` before an error goes on.
  ///
  ///     source       --1--2--#
  ///     action       --------#
  ///     handleError  --1--2--#
  ///
  /// RAC: -doError:.
  public func handleError(_ action: @escaping @Sendable (any Error) -> Void) -> Signal<Value> {
    derive {
      rac_signal_do_error(
        $0, hearing(raw: { action(decode(error: $0)) }), Hearing.call, Hearing.release)
    }
  }

  /// Runs `action` before the completion goes on.
  ///
  ///     source            --1--2--|
  ///     action            --------|
  ///     handleCompletion  --1--2--|
  ///
  /// RAC: -doCompleted:.
  public func handleCompletion(_ action: @escaping @Sendable () -> Void) -> Signal<Value> {
    derive {
      rac_signal_do_completed(
        $0, ActionContext(action).passed, ActionContext.call, ActionContext.release)
    }
  }

  /// Runs `action` before an error or a completion goes on; not when observing is disposed.
  ///
  ///     source     --1--2--|
  ///     action     --------x
  ///     handleEnd  --1--2--|
  ///
  /// RAC: -finally:. Rx: doOnTerminate.
  public func handleEnd(_ action: @escaping @Sendable () -> Void) -> Signal<Value> {
    derive {
      rac_signal_finally(
        $0, ActionContext(action).passed, ActionContext.call, ActionContext.release)
    }
  }

  /// Runs `action` before the source is observed.
  ///
  ///     source       --1--2--|
  ///     action       x
  ///     handleStart  --1--2--|
  ///
  /// RAC: -initially:. Rx: doOnSubscribe.
  public func handleStart(_ action: @escaping @Sendable () -> Void) -> Signal<Value> {
    derive {
      rac_signal_initially(
        $0, ActionContext(action).passed, ActionContext.call, ActionContext.release)
    }
  }
}
