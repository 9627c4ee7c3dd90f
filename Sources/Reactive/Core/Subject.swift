import CRAC

/// A signal into which a program sends by hand: all current observers hear the value.
///
/// Any thread may send. Values that several threads send at a time reach all observers in one
/// order, one after another; nobody waits for another thread's observer.
///
/// RAC: RACSubject, RACReplaySubject, RACBehaviorSubject. Combine: PassthroughSubject,
/// CurrentValueSubject.
public final class Subject<Value: Sendable>: SignalProtocol {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?
  /// By which it sends: a branch here would cost every send.
  @usableFromInline let sending: Sending

  @usableFromInline
  init(adopting pointer: OpaquePointer?, _ sending: @escaping Sending = rac_subject_send) {
    self.pointer = pointer
    self.sending = sending
  }

  @inlinable
  deinit { rac_release(UnsafeMutableRawPointer(pointer)) }

  /// A subject that remembers nothing: an observer hears later values only. RAC: RACSubject.
  public convenience init() { self.init(adopting: rac_subject_create()) }

  /// A subject that sends the last `count` values, and its end, to whoever comes later. RAC:
  /// RACReplaySubject.
  public convenience init(replaying count: Int) {
    self.init(adopting: rac_replay_subject_create(notNegative(count)))
  }

  /// A subject that sends its latest value to whoever comes later, at first this one. RAC:
  /// RACBehaviorSubject.
  @inlinable
  public convenience init(current value: Value) {
    self.init(adopting: withEncoded(value) { rac_behavior_subject_create($0) })
  }

  /// A subject that remembers nothing, and where at most so many values wait as a bound says: those
  /// that are sent while another one is being delivered, by another thread or from inside an
  /// observer. With `.wait` and `.refuse` those that wait further down, where the same bound was
  /// given, count as well.
  ///
  ///     let bound = Bound(64, .refuse)
  ///     let requests = try Subject<Int>(bound: bound)
  ///     requests.deliver(on: worker, bound: bound).observe { serve($0) }
  ///     if requests.send(1) == .full { comeBackLater() }
  ///
  /// - Throws: an `EngineError` when the bound is in use elsewhere, which one may be that waits or
  ///   refuses.
  public convenience init(bound: Bound) throws {
    let made = withExtendedLifetime(bound) { rac_subject_create_bounded(bound.pointer) }
    guard let made else { throw EngineError.latest() }
    self.init(adopting: made, bound.waits ? sendToSubjectUnlessWaiting : rac_subject_send)
  }

  /// Its values, without the right to send.
  @inlinable
  public var signal: Signal<Value> {
    Signal(withExtendedLifetime(self) { rac_subject_as_signal(pointer) }, heldBy: self)
  }

  /// Sends a value to everybody who observes. Any thread. RAC: -sendNext:.
  @inlinable @discardableResult
  public func send(_ value: Value) -> SendResult {
    let status = withEncoded(value) { sending(pointer, $0) }
    withExtendedLifetime(self) {}
    return SendResult(rawValue: status)
  }

  /// Fails everybody who observes. RAC: -sendError:.
  @discardableResult
  public func send(error: any Error) -> SendResult {
    let value = encode(error: error)
    defer { rac_value_release(value) }
    return withExtendedLifetime(self) {
      SendResult(rawValue: rac_subject_send_error(pointer, value))
    }
  }

  /// Completes everybody who observes. RAC: -sendCompleted.
  @inlinable @discardableResult
  public func complete() -> SendResult {
    withExtendedLifetime(self) { SendResult(rawValue: rac_subject_send_completed(pointer)) }
  }

  /// How many observe.
  public var observerCount: Int {
    withExtendedLifetime(self) { rac_subject_subscriber_count(pointer) }
  }
}

extension Subject where Value == Void {
  /// Sends that something happened.
  @inlinable @discardableResult
  public func send() -> SendResult { send(()) }
}
