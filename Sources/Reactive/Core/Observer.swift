import CRAC

/// Sends to one subscription of a signal that was made with a closure.
///
/// Any thread may send, at any time; events after the end, or after the subscription was disposed,
/// are not delivered. When the last reference to the observer goes the subscription is over,
/// without an end.
public struct Observer<Value: Sendable>: Sendable {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer
  /// Has a reference to the subscriber when the callback is over that was lent it.
  @usableFromInline let keeper: Keeper
  /// The signal has a bound that makes senders wait.
  @usableFromInline let waits: Bool

  @inlinable @inline(__always)
  init(_ subscriber: OpaquePointer, _ keeper: Keeper, waits: Bool = false) {
    pointer = subscriber
    self.keeper = keeper
    self.waits = waits
  }

  /// Sends a value. Any thread. RAC: -sendNext:.
  @inlinable @discardableResult
  public func send(_ value: Value) -> SendResult {
    let status = withEncoded(value) {
      waits
        ? sendUnlessWaiting($0, to: pointer, rac_subscriber_send)
        : rac_subscriber_send(pointer, $0)
    }
    withExtendedLifetime(keeper) {}
    return SendResult(rawValue: status)
  }

  /// Fails the subscription. RAC: -sendError:.
  @discardableResult
  public func send(error: any Error) -> SendResult {
    let value = encode(error: error)
    defer { rac_value_release(value) }
    return withExtendedLifetime(keeper) {
      SendResult(rawValue: rac_subscriber_send_error(pointer, value))
    }
  }

  /// Completes the subscription. RAC: -sendCompleted.
  @inlinable @discardableResult
  public func complete() -> SendResult {
    withExtendedLifetime(keeper) { SendResult(rawValue: rac_subscriber_send_completed(pointer)) }
  }

  /// Whether a value can still arrive: for the loop of a producer.
  public var isActive: Bool { withExtendedLifetime(keeper) { rac_subscriber_is_active(pointer) } }

  /// Disposes `disposable` when the subscription ends or is disposed; at once when that has
  /// happened.
  public func add(_ disposable: Disposable) {
    withExtendedLifetime((keeper, disposable)) {
      _ = rac_subscriber_add_disposable(pointer, disposable.pointer)
    }
  }

  /// Runs `action` once when the subscription ends or is disposed; at once when that has happened.
  public func onTermination(_ action: @escaping @Sendable () -> Void) { add(Disposable(action)) }
}

extension Observer where Value == Void {
  /// Sends that something happened.
  @inlinable @discardableResult
  public func send() -> SendResult { send(()) }
}
