import CRAC
import Synchronization

/// Tells whether an observer was kept beyond the callback it was lent to, and then holds the
/// reference to its subscriber.
///
/// Making an object and letting it go costs more than a callback that sends one value. So a thread
/// uses those again that nobody has kept, which is most of them.
@usableFromInline
final class Keeper: Sendable {
  /// The subscriber, or 0. Written by `keep` alone, which has a reference, and read by `deinit`, so
  /// that the one is after the other: an atomic for ThreadSanitizer, which does not see reference
  /// counts.
  private let kept = Atomic<UInt>(0)
  /// The next that the thread has. Nobody else has either of them.
  @exclusivity(unchecked) private nonisolated(unsafe) var next: Unmanaged<Keeper>?

  private init() {}

  deinit {
    let kept = kept.load(ordering: .acquiring)
    if kept != 0 { rac_release(UnsafeMutableRawPointer(bitPattern: kept)) }
  }

  /// Calls `body` with one, as a callback that `subscriber` is lent to. After that somebody may
  /// have it.
  @inline(__always)
  static func lend(_ subscriber: OpaquePointer, to body: (Keeper) -> rac_status) -> rac_status {
    let thread = ThreadStore.current
    var lent = take(from: thread)
    let status = lent._withUnsafeGuaranteedRef(body)
    if isAlone(&lent) {
      lent._withUnsafeGuaranteedRef { $0.next = thread.pointee.keepers }
      thread.pointee.keepers = lent
    } else {
      keep(lent, subscriber)
    }
    return status
  }

  @inline(__always)
  private static func take(from thread: UnsafeMutablePointer<ThreadStore>) -> Unmanaged<Keeper> {
    guard let spare = thread.pointee.keepers else { return .passRetained(Keeper()) }
    thread.pointee.keepers = spare._withUnsafeGuaranteedRef { $0.next }
    return spare
  }

  @inline(__always)
  private static func isAlone(_ lent: inout Unmanaged<Keeper>) -> Bool {
    _withUnprotectedUnsafeMutablePointer(to: &lent) {
      $0.withMemoryRebound(to: Keeper.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }

  @inline(never)
  private static func keep(_ lent: Unmanaged<Keeper>, _ subscriber: OpaquePointer) {
    rac_retain(UnsafeMutableRawPointer(subscriber))
    lent._withUnsafeGuaranteedRef {
      $0.kept.store(UInt(bitPattern: subscriber), ordering: .releasing)
    }
    lent.release()
  }

  /// At the end of a thread.
  static func drop(_ first: Unmanaged<Keeper>?) {
    var rest = first
    while let keeper = rest {
      rest = keeper._withUnsafeGuaranteedRef { $0.next }
      keeper.release()
    }
  }
}
