import CRACShims
import Synchronization

/// How sources of one kind treat a descriptor: open it, read it when it is ready, close it.
class Reader: Object {
  /// A descriptor of its own, or an errno with its sign turned.
  func open() -> Int32 { -1 }

  /// Whether it may wait when there is no room below: what comes is kept by the system.
  var canWait: Bool { false }

  /// Sends what is there, at most so many values. The descriptor is ready, unless somebody else was
  /// faster.
  func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    .isOver
  }

  /// No subscriber hears any more: gives bytes that were read ahead and not sent back to the next
  /// reader. Called once or twice.
  func giveBack(_ descriptor: Int32) {}

  /// The descriptor is about to be closed.
  func stop(_ descriptor: Int32) {}

  func close(_ descriptor: Int32) { rac_shim_descriptor_close(descriptor) }
}

/// One subscription to something outside the program: it waits for a descriptor on the scheduler's
/// poller and sends on the scheduler.
final class Source: PolledJob {
  /// The function that its errors name.
  private let function: StaticString
  private var reader: Reader?
  private var sink: Sink?
  /// Whether there may ever be no room below.
  private let asks: Bool
  /// Values sent in this turn.
  private(set) var sent = 0
  /// Those of what it is sent, which may have ended: they go when nobody below is left.
  var contextsAbove: Object?
  /// The record of the thread that delivers, as a number; 0: nobody does.
  private let deliverer = Atomic<UInt>(0)

  init(_ function: StaticString, _ reader: Reader, _ sink: Sink, _ scheduler: Scheduler) {
    self.function = function
    self.reader = reader
    self.sink = sink
    asks = reader.canWait && sink.holds(.ever)
    super.init(scheduler)
  }

  /// It belongs to the subscription from now on.
  func open(in subscription: Scope) {
    prepare()
    scope = subscription
    subscription.add(self)
    begin()
  }

  override func open() -> Int32 { reader?.open() ?? -1 }
  override func close(_ descriptor: Int32) { reader?.close(descriptor) }

  override func deliver(atMost limit: Int) -> (Turn, count: Int) {
    if failure != 0 { return (end(failure), 1) }
    guard let reader else { return (.isOver, 0) }
    if isHeld { return (.rests, 0) }
    sent = 0
    deliverer.store(UInt(bitPattern: rac_shim_thread()), ordering: .relaxed)
    let turn = reader.read(descriptor, for: self, atMost: limit)
    deliverer.store(0, ordering: .relaxed)
    return (turn, sent)
  }

  override var name: StaticString { function }
  override func asks(_ question: Question) -> Bool { sink?.holds(question) ?? false }

  /// Asked before each value. True: the turn ends, with `.rests`.
  var isHeld: Bool {
    guard asks, let sink = sink.map(Unmanaged.passUnretained) else { return false }
    return sink._withUnsafeGuaranteedRef { isHeld(below: $0) }
  }

  /// A disposal from inside `next` gives back here, since its caller may read the same file at
  /// once. A disposal on another thread leaves that to the end of the turn.
  override func wasCancelled() {
    guard deliverer.load(ordering: .relaxed) == UInt(bitPattern: rac_shim_thread()), descriptor >= 0
    else { return }
    reader?.giveBack(descriptor)
  }

  /// False: nobody hears any more.
  @inline(never)
  func send(_ value: Value) -> Bool {
    // Held until the end of the turn.
    guard let sink = sink.map(Unmanaged.passUnretained) else { return false }
    return sink._withUnsafeGuaranteedRef {
      if !$0.scope.isActive { return false }
      sent &+= 1
      $0.next(value)
      // In a child that was forked meanwhile it has no descriptor.
      return $0.scope.isActive && descriptor >= 0
    }
  }

  // The descriptor is closed before an end is heard.

  func complete() -> Turn { end(with: nil) }

  /// With a last value, which it takes over. A descriptor that the reader gave away stays open.
  func complete(with value: Value) -> Turn {
    let sink = sink
    finish()
    if let sink, sink.scope.isActive { sink.next(value) }
    value.release()
    sink?.completed()
    return .isOver
  }

  /// The turn before one that comes after a pause.
  func pause(_ nanoseconds: Int64) -> Turn {
    guard let sink else { return .isOver }
    let job = ClosureJob { if !self.scheduler.poller.arm(self) { self.scheduler.schedule(self) } }
    scheduler.schedule(job, after: nanoseconds, in: sink.scope)
    return .isIdle
  }

  /// Without an event: nobody can send to it any more.
  func letGo() -> Turn {
    finish()
    return .isOver
  }

  /// With an errno; negative: with a status of the library's.
  @inline(never)
  func end(_ failure: Int32) -> Turn {
    if failure == Status.fork { return end(failure, "opened before the process was forked") }
    let name = UnsafeRawPointer(function.utf8Start).assumingMemoryBound(to: CChar.self)
    return end(with: .systemError(name, failure))
  }

  func end(_ status: rac_status, _ message: StaticString) -> Turn {
    end(with: .error("rac", status, message))
  }

  /// Takes the error over; nil: completes.
  @inline(never)
  func end(with error: Value?) -> Turn {
    let sink = sink
    finish()
    if let error {
      sink?.error(error)
      error.release()
    } else {
      sink?.completed()
    }
    return .isOver
  }

  override func drop() {
    if descriptor >= 0 {
      reader?.giveBack(descriptor)
      reader?.stop(descriptor)
    }
    super.drop()
    reader = nil
    sink = nil
    contextsAbove = nil
  }
}

/// A signal each of whose subscriptions opens a source of its own.
final class SourceSignal: Signal {
  private let function: StaticString
  private let scheduler: Scheduler
  private let isWriting: Bool
  /// The object that the readers are made of.
  private let object: Object?
  private let number: Int
  private let make: (Object?, Int) -> Reader

  init(
    _ function: StaticString, _ scheduler: Scheduler, _ object: Object?, _ number: Int,
    isWriting: Bool, _ make: @escaping (Object?, Int) -> Reader
  ) {
    self.function = function
    self.scheduler = scheduler
    self.object = object
    self.number = number
    self.isWriting = isWriting
    self.make = make
  }

  /// A descriptor stays open as long as something below goes on that may use it.
  override var contexts: Object? { object }

  override func visit(_ visitor: inout Visitor) { visitor.reference(object) }

  override func attach(_ sink: Sink) {
    guard sink.scope.isActive else { return }
    let source = Source(function, make(object, number), sink, scheduler)
    source.isWriting = isWriting
    source.open(in: sink.scope)
  }
}

extension Value {
  /// A string, or bytes where they are no UTF-8: lent. A NUL follows them.
  static func text(_ start: UnsafeRawPointer, _ count: Int) -> Value {
    let isText = UTF8Check.isValid(UnsafeRawBufferPointer(start: start, count: count))
    return isText ? .string(start, count) : .view(Kind.bytes, start, count)
  }

  static func string(_ start: UnsafeRawPointer, _ count: Int) -> Value {
    .view(Kind.string, start, count)
  }

  private static func view(_ kind: UInt8, _ start: UnsafeRawPointer, _ count: Int) -> Value {
    Value(kind, flags: Flag.view, length: UInt32(truncatingIfNeeded: count), pointer: start)
  }
}

/// A text of the caller's that a signal keeps, and what else its readers need.
class CopiedText: Object {
  final let text: UnsafeMutablePointer<CChar>

  init?(_ text: CString) {
    let size = Int(rac_shim_length(text)) &+ 1
    guard let copy = rac_shim_allocate_checked(size) else { return nil }
    rac_shim_copy(copy, text, size)
    self.text = copy.assumingMemoryBound(to: CChar.self)
  }

  deinit { rac_shim_free(text) }
}

extension Border {
  /// nil: there is no memory for it.
  static func copy(_ text: CString, _ function: StaticString) -> CopiedText? {
    guard isReady(function) else { return nil }
    if let copy = CopiedText(text) { return copy }
    refuseMemory(function)
    return none(Status.noMemory)
  }

  /// A signal of the world outside, on a scheduler; NULL is the main one. The closure makes a
  /// reader for each subscription, of the object and the number: one that captures something needs
  /// memory.
  @inline(never)
  static func source(
    _ scheduler: OpaquePointer?, of object: Object?, _ number: Int,
    isWriting: Bool = false, _ function: StaticString,
    _ make: @escaping (Object?, Int) -> Reader
  ) -> OpaquePointer? {
    guard let home = home(scheduler, function) else { return nil }
    return give(function) {
      SourceSignal(function, home, object, number, isWriting: isWriting, make).named(function)
    }
  }

  /// A scheduler that waits for descriptors.
  static func home(_ scheduler: OpaquePointer?, _ function: StaticString) -> Scheduler? {
    guard let home = scheduler == nil ? Scheduler.main : self.scheduler(scheduler, function) else {
      return nil
    }
    if home !== Scheduler.immediate && home.kind != .virtual {
      return home.canPoll() || refuseThread(function) ? home : nil
    }
    return none(
      Failure.record(
        Status.invalid, "the world outside is not on the immediate or a virtual scheduler",
        in: function
      ))
  }
}
