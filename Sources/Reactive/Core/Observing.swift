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
    let context = Hearing(onValue).passed
    return Disposable(adopting: withPointer { start($0, context) })
  }

  /// The same, and calls `completion` once when the signal ends; not when observing is disposed.
  ///
  /// RAC: -subscribeNext:error:completed:.
  @inlinable @inline(__always) @discardableResult
  public func observe(
    _ onValue: @escaping @Sendable (Value) -> Void,
    completion: @escaping @Sendable (Completion) -> Void
  ) -> Disposable {
    let context = Hearing(onValue, end: completion).passed
    return Disposable(adopting: withPointer { startToEnd($0, context) })
  }
}

/// Subscribes where it is called: a cold signal starts before this returns.
///
/// - Parameter context: of a `HearingContext`, passed.
@usableFromInline
func start(_ signal: OpaquePointer?, _ context: UnsafeMutableRawPointer) -> OpaquePointer? {
  var observer = rac_observer()
  observer.size = MemoryLayout<rac_observer>.size
  observer.context = context
  observer.next = HearingContext.call
  observer.destroy = Context.release
  return rac_subscribe_inline(signal, &observer, nil)
}

/// The same for one that hears the end; that it could not be subscribed is one, too.
@usableFromInline
func startToEnd(_ signal: OpaquePointer?, _ context: UnsafeMutableRawPointer) -> OpaquePointer? {
  var observer = rac_observer()
  observer.size = MemoryLayout<rac_observer>.size
  observer.context = context
  observer.next = HearingContext.call
  observer.error = { context, error in
    context.with(HearingContext.self) { $0.end?(.failed(decode(error: error))) }
  }
  observer.completed = { context in context.with(HearingContext.self) { $0.end?(.finished) } }
  observer.destroy = Context.release
  let end = Unmanaged<HearingContext>.fromOpaque(context).takeUnretainedValue().end
  let pointer = rac_subscribe_inline(signal, &observer, nil)
  if pointer == nil { end?(.failed(EngineError.latest())) }
  return pointer
}
