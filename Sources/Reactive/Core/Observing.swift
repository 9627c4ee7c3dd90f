import CRAC

/// How a signal ended.
public enum Completion: Sendable {
  /// It completed.
  case finished
  /// It failed.
  case failed(any Error)
}

extension SignalProtocol {
  /// Calls `onValue` with each value, on the thread that sends it, never two at a time.
  ///
  /// Observing lasts until the signal ends, or until the disposable is told to dispose; letting go of that
  /// ends nothing. The signal starts before this returns.
  ///
  /// RAC: -subscribeNext:. Combine: sink.
  @inlinable @inline(__always) @discardableResult
  public func observe(_ onValue: @escaping @Sendable (Value) -> Void) -> Disposable {
    let source = signal
    let context = NextContext.pass(hearing(onValue))
    return Disposable(adopting: withExtendedLifetime(source) { start(source.pointer, context) })
  }

  /// The same, and calls `completion` once when the signal ends; not when observing is disposed.
  ///
  /// RAC: -subscribeNext:error:completed:.
  @inlinable @discardableResult
  public func observe(
    _ onValue: @escaping @Sendable (Value) -> Void,
    completion: @escaping @Sendable (Completion) -> Void
  ) -> Disposable {
    let source = signal
    let context = ObserverContext(hearing(onValue), completion)
    return Disposable(adopting: withExtendedLifetime(source) { start(source.pointer, context) })
  }
}

/// What hears a value as the engine has it.
@inlinable @inline(__always)
func hearing<Value>(_ onValue: @escaping @Sendable (Value) -> Void) -> NextContext.Body {
  { value in
    if let value: Value = decode(value) { onValue(value) }
  }
}

/// What a subscription calls.
@usableFromInline
final class ObserverContext: Context, @unchecked Sendable {
  let next: NextContext.Body
  let end: @Sendable (Completion) -> Void

  @usableFromInline
  init(_ next: @escaping NextContext.Body, _ end: @escaping @Sendable (Completion) -> Void) {
    self.next = next
    self.end = end
    super.init()
  }
}

/// Subscribes where it is called: a cold signal starts before this returns.
@usableFromInline
func start(_ signal: OpaquePointer?, _ context: UnsafeMutableRawPointer) -> OpaquePointer? {
  var observer = rac_observer()
  observer.size = MemoryLayout<rac_observer>.size
  observer.context = context
  observer.next = NextContext.call
  observer.destroy = Context.release
  return rac_subscribe_inline(signal, &observer, nil)
}

@usableFromInline
func start(_ signal: OpaquePointer?, _ context: ObserverContext) -> OpaquePointer? {
  var observer = rac_observer()
  observer.size = MemoryLayout<rac_observer>.size
  observer.context = context.passed
  observer.next = { context, value in context.with(ObserverContext.self) { $0.next(value) } }
  observer.error = { context, error in
    context.with(ObserverContext.self) { $0.end(.failed(decode(error: error))) }
  }
  observer.completed = { context in context.with(ObserverContext.self) { $0.end(.finished) } }
  observer.destroy = Context.release
  let pointer = rac_subscribe_inline(signal, &observer, nil)
  if pointer == nil { context.end(.failed(EngineError.latest())) }
  return pointer
}
