import CRACShims
import Synchronization

/// The values of a signal, as they come: reading one that has not come yet waits for it.
/// RACSignalSequence.
///
/// A linked list of write-once nodes (I-structures: Arvind, Nikhil and Pingali, TOPLAS 1989): each
/// value that comes fills a node and makes the next one. Readers walk along; nodes that no reader
/// can reach go, and with the last one the subscription.
final class SignalSequence: ValueSequence {
  private static let open: UInt32 = 0
  private static let awaited: UInt32 = 1
  private static let filled: UInt32 = 2
  private let state = Atomic<UInt32>(SignalSequence.open)
  private var cell = Cell()
  private let tape: Tape
  /// Nanoseconds; negative waits for ever.
  private let timeout: Int64

  fileprivate init(_ tape: Tape, _ timeout: Int64) {
    self.tape = tape
    self.timeout = timeout
    super.init()
    tape.begin(self)
  }

  deinit {
    settle()
    cell.value.release()
  }

  /// The signal may be sending this moment, and fill this one although it is being let go of.
  ///
  /// One that is filled nobody touches any more; no lock then, or a thread that releases a long
  /// line would never come to its end beside a sender that makes it longer. One that is not is the
  /// last, so nobody can read on: the sender is told before the lock is waited for, which it might
  /// not leave for long.
  override func settle() {
    if isFilled { return }
    tape.scope.close()
    tape.forget(self)
  }

  override func isReached(goesOn: Bool) { tape.isPursued.store(goesOn, ordering: .relaxed) }

  /// One that is not filled has neither a value nor a successor, and the signal may be sending them
  /// this moment.
  override func visit(_ visitor: inout Visitor) {
    guard isFilled else { return }
    visitor.value(cell.value)
    super.visit(&visitor)
  }

  /// Subscribes now.
  static func capture(_ signal: Signal, timeout: Int64) -> ValueSequence {
    let tape = Tape()
    let first = SignalSequence(tape, timeout)
    signal.subscribe(TapeSink(tape))
    return first
  }

  override func head() -> ReadResult {
    wait().map { .refused($0) } ?? cell.head
  }

  override func tail() -> TailResult {
    wait().map { .refused($0) } ?? cell.tail(rest)
  }

  private var isFilled: Bool { state.load(ordering: .acquiring) == SignalSequence.filled }

  /// nil: it is there.
  private func wait() -> rac_status? {
    if isFilled { return nil }
    if ReadLimit.hasPassed { return Status.timedOut }
    if currentThread().isInsideEngine { return Status.deadlock }
    let deadline = ReadLimit.deadline(or: timeout < 0 ? .max : rac_shim_now() &+ timeout)
    let end = Parker.wait(at: atomicAddress(state), until: deadline) {
      let (_, now) = state.replace(SignalSequence.open, with: SignalSequence.awaited)
      return now == SignalSequence.filled ? nil : SignalSequence.awaited
    }
    return end == .woken ? nil : end.status
  }

  /// Under the tape's lock. The value is taken over. To be published at the address that this
  /// gives.
  fileprivate func fill(_ cell: Cell, then next: SignalSequence?) -> UnsafeRawPointer {
    self.cell = cell
    rest = next
    return atomicAddress(state)
  }

  /// From here on the sequence belongs to its readers, which may let go of it at once: so this
  /// takes only its address.
  fileprivate static func publish(at address: UnsafeRawPointer) {
    let state = address.assumingMemoryBound(to: Atomic<UInt32>.self)
    let before = state.pointee.exchange(filled, ordering: .acquiringAndReleasing)
    if before == awaited { rac_shim_futex_wake(address, .max) }
  }

  fileprivate func makeNext() -> SignalSequence { SignalSequence(tape, timeout) }

  /// Between a subscription and the sequence that waits for the next value, which the readers keep.
  fileprivate final class Tape: Object {
    let scope = Scope()
    /// A long line is being let go of. Beside a signal that makes it longer as fast that would
    /// never end: so it sends a value in some fifty microseconds meanwhile.
    let isPursued = Atomic<Bool>(false)
    private let lock = Lock()
    /// Not retained: it takes itself out when it goes.
    private var last: Unmanaged<SignalSequence>?

    func begin(_ sequence: SignalSequence) { last = .passUnretained(sequence) }

    /// Afterwards nobody fills it.
    func forget(_ sequence: SignalSequence) {
      lock.lock()
      if last?.toOpaque() == Unmanaged.passUnretained(sequence).toOpaque() { last = nil }
      lock.unlock()
    }

    func record(_ state: Cell.State, _ value: Value) {
      let kept = value.retained()
      lock.lock()
      // It may be going: then it waits for the lock, and lets go of this as well.
      let filled = last?._withUnsafeGuaranteedRef { sequence in
        let isLast = state != .value
        last = nil
        return sequence.fill(Cell(state, kept), then: isLast ? nil : sequence.makeNext())
      }
      if let filled { SignalSequence.publish(at: filled) }
      lock.unlock()
      if filled == nil { kept.release() }
    }
  }
}

/// Writes down what a signal sends.
private final class TapeSink: Sink {
  private let tape: SignalSequence.Tape

  init(_ tape: SignalSequence.Tape) {
    self.tape = tape
    super.init(scope: tape.scope)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    tape.record(.value, value)
    if tape.isPursued.load(ordering: .relaxed) { rac_shim_pause_until(rac_shim_now() &+ 1000) }
  }
  override func error(_ error: Value) {
    if scope.close() { tape.record(.failed, error) }
  }
  override func completed() {
    if scope.close() { tape.record(.end, .null) }
  }

  /// Nobody can send any more.
  deinit { tape.record(.end, .null) }
}
