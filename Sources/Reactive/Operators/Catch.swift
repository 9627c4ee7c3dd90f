import CRAC

extension SignalProtocol {
  /// On an error, goes on with the signal that `handler` makes of it. Errors of that signal are not
  /// caught.
  ///
  ///     source  --1--#
  ///     other        --2--|
  ///     catch   --1----2--|
  ///
  /// RAC: -catch:. Rx: catchError.
  public func `catch`(
    _ handler: @escaping @Sendable (any Error) throws -> Signal<Value>
  ) -> Signal<Value> {
    let context = SignalContext { error, out in
      do {
        out.pointee = try handler(decode(error: error)).retainedPointer()
        return 0
      } catch {
        return raise(error)
      }
    }
    return derive {
      rac_signal_catch($0, context.passed, SignalContext.call, SignalContext.release)
    }
  }

  /// On an error of a type, goes on with the signal that `handler` makes of it. Other errors go on.
  ///
  ///     source                 --1--#
  ///     other                       --2--|
  ///     recover(from: E.self)  --1----2--|
  ///
  /// - Parameters:
  ///   - type: of the errors that are handled.
  ///   - handler: may throw another error.
  public func recover<Failure: Error>(
    from type: Failure.Type, _ handler: @escaping @Sendable (Failure) throws -> Signal<Value>
  ) -> Signal<Value> {
    self.catch { error in
      guard let error = error as? Failure else { throw error }
      return try handler(error)
    }
  }

  /// On an error, goes on with another signal.
  ///
  ///     source                   --1--#
  ///     other                         --2--|
  ///     replaceError(withSignal) --1----2--|
  ///
  /// RAC: -catchTo:.
  public func replaceError<S: SignalProtocol<Value>>(withSignal other: S) -> Signal<Value> {
    derive(with: other) { rac_signal_catch_to($0, $1) }
  }

  /// On an error, sends one value and completes.
  ///
  ///     source                 --1--#
  ///     replaceError(with: 7)  --1--(7|)
  ///
  /// Combine: replaceError.
  public func replaceError(with value: Value) -> Signal<Value> {
    replaceError(withSignal: Signal.just(value))
  }

  /// Fails with another error in place of the source's.
  ///
  ///     source       --1--#
  ///     mapError(f)  --1--#   (the error that f makes)
  ///
  /// Combine: mapError.
  public func mapError(
    _ transform: @escaping @Sendable (any Error) -> any Error
  ) -> Signal<Value> {
    self.catch { Signal.fail(transform($0)) }
  }
}
