import CRAC

/// Sends to one subscription of a signal that was made with a closure.
///
/// Any thread may send, at any time; what comes after the end, or after the subscription was disposed, is
/// not delivered. When the last reference to the observer goes the subscription is over, without an end.
public final class Observer<Value: Sendable>: Sendable {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer
  /// Read by `deinit` alone, and written by `keep` alone, whose caller has a reference: so the one is after
  /// the other.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var isKept = false

  /// Has no reference to the subscriber: good as long as the callback that was lent it.
  @inlinable
  init(lent subscriber: OpaquePointer) { pointer = subscriber }

  /// Somebody keeps it beyond the callback.
  @inlinable
  func keep() {
    rac_retain(UnsafeMutableRawPointer(pointer))
    isKept = true
  }

  @inlinable
  deinit { if isKept { rac_release(UnsafeMutableRawPointer(pointer)) } }

  /// Sends a value. Any thread. RAC: -sendNext:.
  @inlinable @discardableResult
  public func send(_ value: Value) -> SendResult {
    withExtendedLifetime(self) {
      SendResult(rawValue: withEncoded(value) { rac_subscriber_send(pointer, $0) })
    }
  }

  /// Fails the subscription. RAC: -sendError:.
  @discardableResult
  public func send(error: any Error) -> SendResult {
    let value = encode(error: error)
    defer { rac_value_release(value) }
    return withExtendedLifetime(self) {
      SendResult(rawValue: rac_subscriber_send_error(pointer, value))
    }
  }

  /// Completes the subscription. RAC: -sendCompleted.
  @inlinable @discardableResult
  public func complete() -> SendResult {
    withExtendedLifetime(self) { SendResult(rawValue: rac_subscriber_send_completed(pointer)) }
  }

  /// Whether anything that is sent can still arrive: what a producer's loop asks.
  public var isActive: Bool { withExtendedLifetime(self) { rac_subscriber_is_active(pointer) } }

  /// Disposes `disposable` when the subscription ends or is disposed; at once when that has happened.
  public func add(_ disposable: Disposable) {
    withExtendedLifetime((self, disposable)) {
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
