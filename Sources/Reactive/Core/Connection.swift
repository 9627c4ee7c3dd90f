import CRAC

/// A signal that many observe, and whose source is observed once, from `connect()` on.
///
///     let connection = source.publish()
///     connection.observe { … }
///     connection.observe { … }
///     connection.connect()
///
/// RAC: RACMulticastConnection. Combine: ConnectablePublisher.
public final class Connection<Value: Sendable>: SignalProtocol {
  private nonisolated(unsafe) let pointer: OpaquePointer?

  init(adopting pointer: OpaquePointer?) { self.pointer = pointer }

  deinit { if let pointer { rac_release(UnsafeMutableRawPointer(pointer)) } }

  /// The values of the source, once it is connected.
  public var signal: Signal<Value> {
    withExtendedLifetime(self) { Signal(adopting: rac_connection_signal(pointer)) }
  }

  /// Observes the source; again the same when that goes on already. Disposing stops it for
  /// everybody.
  ///
  /// RAC: -connect.
  @discardableResult
  public func connect() -> Disposable {
    withExtendedLifetime(self) {
      startingHere { Disposable(adopting: rac_connection_connect(pointer)) }
    }
  }

  /// A signal that connects when it is first observed, and disconnects when nobody observes it any
  /// more.
  ///
  /// RAC: -autoconnect.
  public func autoconnect() -> Signal<Value> {
    withExtendedLifetime(self) { Signal(adopting: rac_connection_autoconnect(pointer)) }
  }
}
