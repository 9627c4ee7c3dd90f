import CRACShims
import Synchronization

extension LazySequence {
  /// The values of a signal as far as a bound lets them wait for the reader. Subscribes now.
  static func pulled(from signal: Signal, timeout: Int64, _ bound: Bound) -> ValueSequence {
    let inbox = Inbox(bound)
    let cursor = InboxCursor(inbox, timeout)
    signal.subscribe(InboxSink(inbox))
    return LazySequence(cursor, depth: 1)
  }
}

/// Stands between a signal and the reader of its values. They wait here, and not in the sequence,
/// so that newer ones can replace them.
private final class Inbox: Object {
  let scope = Scope()
  let queue: BoundedQueue
  /// Advanced when there is something for a reader who found nothing.
  private let arrivals = Atomic<UInt32>(0)

  init(_ bound: Bound) { queue = BoundedQueue(bound) }

  func wake() {
    arrivals.wrappingAdd(1, ordering: .releasing)
    rac_shim_futex_wake(atomicAddress(arrivals), 1)
  }

  /// The next value or the end. One reader at a time.
  func take(timeout: Int64) -> ReadResult {
    if let event = queue.take() { return result(event) }
    if ReadLimit.hasPassed { return .refused(Status.timedOut) }
    if currentThread().isInsideEngine { return .refused(Status.deadlock) }
    let deadline = ReadLimit.deadline(or: timeout < 0 ? .max : rac_shim_now() &+ timeout)
    var event: BoundedQueue.Event? = nil
    let end = Parker.wait(at: atomicAddress(arrivals), until: deadline) {
      let seen = arrivals.load(ordering: .acquiring)
      event = queue.take()
      return event == nil ? seen : nil
    }
    return event.map(result) ?? .refused(end.status)
  }

  private func result(_ event: BoundedQueue.Event) -> ReadResult {
    switch event.operation {
    case .next: return .value(event.value)
    case .error: return .failed(event.value)
    default: return .end
    }
  }
}

/// Goes with the reader, and the subscription goes with it.
private final class InboxCursor: Cursor {
  private let inbox: Inbox
  private let timeout: Int64

  init(_ inbox: Inbox, _ timeout: Int64) {
    self.inbox = inbox
    self.timeout = timeout
  }

  override func next() -> ReadResult { inbox.take(timeout: timeout) }

  deinit {
    inbox.scope.close()
    inbox.queue.dispose()
  }
}

private final class InboxSink: QueueingSink {
  private let inbox: Inbox

  init(_ inbox: Inbox) {
    self.inbox = inbox
    super.init(inbox.queue, scope: inbox.scope)
  }

  override func wake() { inbox.wake() }

  /// Nobody can send any more.
  deinit { end(.completed) }
}
