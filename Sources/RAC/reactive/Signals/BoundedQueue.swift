import CRACShims

/// A FIFO of values, and the end behind them, that wait for a consumer: the job of a deliver_on, a
/// reader, a flatten whose signals are all running. `put` and `end` say whether to wake the
/// consumer.
final class BoundedQueue: BoundedStore {
  private var values = ValueLine()
  private var ending: Event?
  /// The end has come: nothing comes after it, …
  private var hasEnded = false
  /// … but that the source lets go.
  private var isLetGo = false
  /// The consumer has found no value.
  private var isIdle: Bool
  /// Whether the bound counts the bytes of texts, and not the values. An empty one is one.
  private let isInBytes: Bool

  /// `isIdle`: the consumer waits for the first `put` or `end` to wake it.
  init(_ bound: Bound, isInBytes: Bool = false, isIdle: Bool = true) {
    self.isInBytes = isInBytes
    self.isIdle = isIdle
    super.init(bound)
  }

  private func size(_ value: Value) -> Int { isInBytes ? max(1, Int(value.length)) : 1 }

  /// Values are counted for the report of what waits, whatever the bound counts.
  private func countQueued(_ values: Int, _ size: Int) {
    if isInBytes { rac_shim_count_queued(Int64(values &- size)) }
  }

  /// An event that comes out: the caller releases its value or error.
  struct Event {
    let operation: Operation
    let value: Value
  }

  enum Putting {
    case kept(wakes: Bool)
    case dropped
    /// The stream ends with this error, which is the caller's to release.
    case failed(Value)
  }

  func put(_ value: Value) -> Putting {
    // Before the lock is taken: retaining may call the user's code, and so may releasing.
    let kept = value.retained()
    var spent: Value? = nil
    while true {
      bound.lock.lock()
      if isClosed || hasEnded {
        bound.lock.unlock()
        kept.release()
        return .dropped
      }
      // The sender was let in, or never asked: it is too late to hold it back.
      let answer = bound.comes(waiting: count, isForced: true)
      switch answer {
      case .kept, .full: break
      case .replaced:
        spent = pop()
        if count < bound.capacity { break }
        bound.lock.unlock()
        spent?.release()
        spent = nil
        continue
      case .dropped, .overflow:
        bound.lock.unlock()
        kept.release()
        return answer == .overflow ? .failed(.overflow) : .dropped
      }
      break
    }
    values.append(kept)
    let size = size(kept)
    count &+= size
    bound.grow(by: size)
    countQueued(1, size)
    brakeIfFull()
    let wakes = isIdle
    isIdle = false
    bound.lock.unlock()
    spent?.release()
    return .kept(wakes: wakes)
  }

  /// The end, or `close` when the source lets go. True: the caller has to wake the consumer.
  func end(_ operation: Operation, _ value: Value = .null) -> Bool {
    let kept = value.retained()
    bound.lock.lock()
    let isLate = operation == .close ? isLetGo : hasEnded || isClosed
    if operation == .close {
      isLetGo = true
    } else if !isLate {
      ending = Event(operation: operation, value: kept)
    }
    hasEnded = true
    // No more values come: nobody has to wait for room here.
    let sleepers = close()
    let wakes = !isLate && isIdle
    if wakes { isIdle = false }
    bound.lock.unlock()
    sleepers?.wake()
    if isLate { kept.release() }
    return wakes
  }

  /// The next event; nil when there is none: then the next `put` or `end` wakes the consumer.
  @inline(never)
  func take() -> Event? {
    bound.lock.lock()
    var event: Event? = nil
    var sleepers: Sleepers? = nil
    var held = HeldJobs.none
    if let value = pop() {
      event = Event(operation: .next, value: value)
      sleepers = bound.madeRoom()
      held = releaseIfHalfEmpty()
    } else if let last = ending.take() {
      event = last
    } else if isLetGo {
      isLetGo = false
      event = Event(operation: .close, value: .null)
    } else {
      isIdle = true
    }
    bound.lock.unlock()
    sleepers?.wake()
    held.resume()
    return event
  }

  /// Whether nothing waits: then the next `put` or `end` wakes the consumer.
  var rests: Bool {
    bound.lock.locked {
      isIdle = values.count == 0 && ending == nil && !isLetGo
      return isIdle
    }
  }

  /// Whether no event waits or is being delivered.
  var isAtRest: Bool {
    @inline(never) get { bound.lock.locked { isIdle } }
  }

  /// The number of events that wait.
  var waiting: Int {
    bound.lock.locked { values.count &+ (ending == nil ? 0 : 1) &+ (isLetGo ? 1 : 0) }
  }

  private func pop() -> Value? {
    guard let value = values.popFirst() else { return nil }
    let size = size(value)
    count &-= size
    bound.shrink(by: size)
    countQueued(-1, 0 &- size)
    return value
  }

  /// No subscriber hears the waiting values any more.
  override func dispose() {
    bound.lock.lock()
    let sleepers = close()
    var left = ValueLine()
    swap(&left, &values)
    bound.shrink(by: count)
    countQueued(0 &- left.count, 0 &- count)
    count = 0
    let last = ending.take()
    bound.lock.unlock()
    sleepers?.wake()
    brake.release().resume()
    _ = consume left
    last?.value.release()
  }

  deinit {
    countQueued(0 &- values.count, 0 &- count)
    ending?.value.release()
  }
}

extension Value {
  /// The error of a stream whose bound overflows. Owned.
  static var overflow: Value {
    .error("rac.signal", RAC_SIGNAL_OVERFLOW, "more values wait than the bound allows")
  }
}

/// Puts its values into a queue, and the end behind them.
class QueueingSink: Sink {
  private final let queue: BoundedQueue

  init(_ queue: BoundedQueue, scope: Scope) {
    self.queue = queue
    super.init(scope: scope)
  }

  /// Wakes the consumer of the queue.
  func wake() {}

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    switch queue.put(value) {
    case .kept(let wakes): if wakes { wake() }
    case .dropped: break
    case .failed(let error):
      self.error(error)
      error.release()
    }
  }

  override final func holds(_ question: Question) -> Bool { queue.holds(question) }

  override final func error(_ error: Value) {
    if scope.close() { end(.error, error) }
  }

  override final func completed() {
    if scope.close() { end(.completed) }
  }

  final func end(_ operation: Operation, _ value: Value = .null) {
    if queue.end(operation, value) { wake() }
  }
}
