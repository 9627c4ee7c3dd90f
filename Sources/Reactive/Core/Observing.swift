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
  /// Observing lasts until the signal ends, or until the disposable is told to dispose; letting go
  /// of that ends nothing. The signal starts before this returns. If it fails, nobody handles the
  /// error: see `UnhandledErrors.handler`.
  ///
  /// The place in the source is for `liveObservations()`.
  ///
  /// RAC: -subscribeNext:. Combine: sink.
  @inlinable @inline(__always) @discardableResult
  public func observe(
    _ onValue: consuming @escaping @Sendable (Value) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    let context = hearing(consume onValue)
    return Disposable(
      adopting: withPointer { start($0, context, hearingCall(Value.self), fileID, line) })
  }

  /// The same, and calls `completion` once when the signal ends; not when observing is disposed.
  ///
  /// RAC: -subscribeNext:error:completed:.
  @inlinable @inline(__always) @discardableResult
  public func observe(
    _ onValue: consuming @escaping @Sendable (Value) -> Void,
    completion: consuming @escaping @Sendable (Completion) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    let context = hearing(consume onValue, end: consume completion)
    return Disposable(
      adopting: withPointer { startToEnd($0, context, hearingCall(Value.self), fileID, line) })
  }
}

/// What `body` subscribes to starts at once, on this thread, as with `observe`, and not in the
/// background: also where the main actor's code is on a thread that the engine does not know.
func startingHere<Result>(_ body: () throws -> Result) rethrows -> Result {
  let isAttached = rac_thread_attach() == RAC_OK
  defer { if isAttached { rac_thread_detach() } }
  return try body()
}

/// Subscribes where it is called: a cold signal starts before this returns.
///
/// - Parameters:
///   - context: of `hearing`, taken over.
///   - next: of `hearingCall`.
@usableFromInline
func start(
  _ signal: OpaquePointer?, _ context: UnsafeMutableRawPointer, _ next: @escaping HearingCall,
  _ fileID: StaticString, _ line: UInt
) -> OpaquePointer? {
  record(signal, context, fileID, line)
  var observer = rac_observer(
    size: MemoryLayout<rac_observer>.size, context: context, next: next, error: nil,
    completed: nil, destroy: Hearing.release)
  let pointer = rac_subscribe_inline(signal, &observer, nil)
  if pointer == nil { reportRefused() }
  return pointer
}

/// That nobody could begin to observe.
@inline(never)
private func reportRefused() {
  let error = encode(error: EngineError.latest())
  _ = rac_report_unhandled_error(nil, error, nil)
  rac_value_release(error)
}

/// The same for one that hears the end; that it could not be subscribed is one, too.
@usableFromInline
func startToEnd(
  _ signal: OpaquePointer?, _ context: UnsafeMutableRawPointer, _ next: @escaping HearingCall,
  _ fileID: StaticString, _ line: UInt
) -> OpaquePointer? {
  record(signal, context, fileID, line)
  var observer = rac_observer(
    size: MemoryLayout<rac_observer>.size, context: context, next: next,
    error: Hearing.fail, completed: Hearing.complete, destroy: Hearing.release)
  let end = Hearing.at(context).pointee.end
  let pointer = rac_subscribe_inline(signal, &observer, nil)
  if pointer == nil { end?(.failed(EngineError.latest())) }
  return pointer
}

@inline(__always)
private func record(
  _ signal: OpaquePointer?, _ context: UnsafeMutableRawPointer, _ fileID: StaticString, _ line: UInt
) {
  if ObservationRecord.isOn.load(ordering: .relaxed) {
    Hearing.at(context).pointee.number = ObservationRecord.begin(signal, fileID, line)
  }
}
