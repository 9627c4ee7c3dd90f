import CRAC

/// How a signal ended.
public enum Completion: Sendable {
  case finished
  case failed(any Error)
}

extension SignalProtocol {
  /// Calls `onValue` with each value, on the thread that sends it, never two at a time.
  ///
  /// Observing lasts until the signal ends, or until the disposable is told to dispose; letting go of that
  /// ends nothing. The signal starts before this returns.
  ///
  /// RAC: -subscribeNext:. Combine: sink.
  @inlinable @discardableResult
  public func observe(_ onValue: @escaping @Sendable (Value) -> Void) -> Disposable {
    subscribe(
      next: { value in
        if let value: Value = decode(value) { onValue(value) }
      },
      end: { _ in })
  }

  /// The same, and calls `completion` once when the signal ends; not when observing is disposed.
  ///
  /// RAC: -subscribeNext:error:completed:.
  @inlinable @discardableResult
  public func observe(
    _ onValue: @escaping @Sendable (Value) -> Void,
    completion: @escaping @Sendable (Completion) -> Void
  ) -> Disposable {
    subscribe(
      next: { value in
        if let value: Value = decode(value) { onValue(value) }
      },
      end: completion)
  }

  @usableFromInline
  func subscribe(
    next: @escaping @Sendable (rac_value) -> Void, end: @escaping @Sendable (Completion) -> Void
  ) -> Disposable {
    let source = signal
    return withExtendedLifetime(source) { Subscriptions.make(source.pointer, next, end) }
  }
}

/// What a subscription calls.
final class ObserverContext: Context, @unchecked Sendable {
  let next: @Sendable (rac_value) -> Void
  let end: @Sendable (Completion) -> Void

  init(
    _ next: @escaping @Sendable (rac_value) -> Void, _ end: @escaping @Sendable (Completion) -> Void
  ) {
    self.next = next
    self.end = end
    super.init()
  }
}

enum Subscriptions {
  static func make(
    _ signal: OpaquePointer?, _ next: @escaping @Sendable (rac_value) -> Void,
    _ end: @escaping @Sendable (Completion) -> Void
  ) -> Disposable {
    let context = ObserverContext(next, end)
    var observer = rac_observer(
      size: MemoryLayout<rac_observer>.size, context: context.passed,
      next: { context, value in
        Unmanaged<ObserverContext>.fromOpaque(context.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
          $0.next(value)
        }
      },
      error: { context, error in
        Unmanaged<ObserverContext>.fromOpaque(context.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
          $0.end(.failed(decode(error: error)))
        }
      },
      completed: { context in
        Unmanaged<ObserverContext>.fromOpaque(context.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
          $0.end(.finished)
        }
      },
      destroy: Context.release)
    // Wherever this is called: a cold signal starts before `observe` returns.
    rac_thread_attach()
    let pointer = rac_subscribe(signal, &observer)
    rac_thread_detach()
    if pointer == nil { withExtendedLifetime(context) { context.end(.failed(EngineError.latest())) } }
    return Disposable(adopting: pointer)
  }
}
