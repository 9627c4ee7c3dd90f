import CRACShims
import Synchronization

/// A queued operation: a block of raw memory that owns its object and its value. The queue is a
/// Treiber stack (Treiber, IBM 1986), which the combiner takes as a whole and reverses.
struct QueuedOperation {
  let base: UnsafeMutableRawPointer

  init?(_ address: UInt) {
    guard let base = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    self.base = base
  }

  var next: UnsafeMutablePointer<UInt> { base.assumingMemoryBound(to: UInt.self) }
  private var object: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    (base + 8).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
  private var value: UnsafeMutablePointer<Value> {
    (base + 16).assumingMemoryBound(to: Value.self)
  }
  /// The thread that queued it; 0 for nobody: see Feeding.
  var sender: UnsafeMutablePointer<UInt> { (base + 32).assumingMemoryBound(to: UInt.self) }
  private var operation: UnsafeMutablePointer<UInt8> {
    (base + 40).assumingMemoryBound(to: UInt8.self)
  }
  private var isFed: UnsafeMutablePointer<Bool> {
    (base + 41).assumingMemoryBound(to: Bool.self)
  }

  /// Retains what it is given.
  init(_ operation: Operation, _ object: Object?, _ value: Value) {
    base = rac_shim_allocate(48).unsafelyUnwrapped
    let thread = currentThread()
    thread.pointee.posts = thread.pointee.posts &+ 1
    next.pointee = 0
    self.operation.pointee = operation.rawValue
    isFed.pointee = Feeding.isFed(thread)
    sender.pointee = Feeding.goesRound(thread) ? 0 : thread.token
    self.object.pointee = object.map { Unmanaged.passRetained($0).toOpaque() }
    self.value.pointee = value.retained()
    if operation == .next { rac_shim_count_queued(1) }
  }

  static func push(
    to queue: UnsafeMutablePointer<Atomic<UInt>>, _ operation: Operation,
    _ object: Object?, _ value: Value
  ) {
    let node = QueuedOperation(operation, object, value)
    let address = UInt(bitPattern: node.base)
    var head = queue.pointee.load(ordering: .relaxed)
    while true {
      node.next.pointee = head
      let (done, now) = queue.pointee.weakCompareExchange(
        expected: head, desired: address, successOrdering: .releasing, failureOrdering: .relaxed)
      if done { return }
      head = now
    }
  }

  func apply(to core: Core) {
    let object = self.object.pointee.map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    let operation = Operation(rawValue: operation.pointee) ?? .close
    if operation == .next { rac_shim_count_queued(-1) }
    // An event that waited when the library was closed is not delivered.
    if !Process.isClosed || operation.rawValue > Operation.completed.rawValue {
      Feeding.apply(wasFed: isFed.pointee) { core.apply(operation, object, value.pointee) }
    }
    core.hasApplied(operation)
    value.pointee.release()
    rac_shim_free(base)
  }
}

/// Operations that wait for something else than a gate, the oldest first.
struct OperationLine {
  private var oldest: UInt = 0
  private var newest: UInt = 0

  var isEmpty: Bool { oldest == 0 }

  mutating func append(_ operation: QueuedOperation) {
    let address = UInt(bitPattern: operation.base)
    if let last = QueuedOperation(newest) { last.next.pointee = address } else { oldest = address }
    newest = address
  }

  /// To be applied by the caller.
  mutating func popFirst() -> QueuedOperation? {
    guard let first = QueuedOperation(oldest) else { return nil }
    oldest = first.next.pointee
    if oldest == 0 { newest = 0 }
    return first
  }
}
