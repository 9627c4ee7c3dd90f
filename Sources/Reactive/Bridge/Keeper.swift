import CRAC
import Synchronization

/// What tells whether an observer was kept beyond the callback it was lent to, and then holds the reference to its
/// subscriber.
///
/// Making an object and letting it go costs more than a callback that sends one value. So a thread uses those
/// again that nobody has kept, which is most of them.
@usableFromInline
final class Keeper: Sendable {
  /// The subscriber, or 0. Written by `keep` alone, which has a reference, and read by `deinit`, so that the one is
  /// after the other: an atomic for ThreadSanitizer, which does not see reference counts.
  private let kept = Atomic<UInt>(0)
  /// The next that the thread has. Nobody else has either of them.
  @exclusivity(unchecked) private nonisolated(unsafe) var next: Unmanaged<Keeper>?

  private init() {}

  deinit {
    let kept = kept.load(ordering: .acquiring)
    if kept != 0 { rac_release(UnsafeMutableRawPointer(bitPattern: kept)) }
  }

  /// One for a callback.
  @usableFromInline
  static func lend() -> Lent {
    let thread = ThreadStore.current
    guard let spare = thread.pointee.keepers else {
      return Lent(keeper: .passRetained(Keeper()), thread: thread)
    }
    thread.pointee.keepers = spare._withUnsafeGuaranteedRef { $0.next }
    return Lent(keeper: spare, thread: thread)
  }

  /// One on its way, and whose it was.
  @usableFromInline
  struct Lent {
    @usableFromInline let keeper: Unmanaged<Keeper>
    let thread: UnsafeMutableRawPointer

    fileprivate init(keeper: Unmanaged<Keeper>, thread: UnsafeMutablePointer<ThreadStore>) {
      self.keeper = keeper
      self.thread = UnsafeMutableRawPointer(thread)
    }
  }

  /// After the callback: somebody may have it by now.
  @usableFromInline
  static func takeBack(_ lent: Lent, from subscriber: OpaquePointer) {
    var word = lent.keeper.toOpaque()
    let isAlone = withUnsafeMutablePointer(to: &word) {
      $0.withMemoryRebound(to: Keeper.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
    guard isAlone else { return keep(lent.keeper, subscriber) }
    let thread = lent.thread.assumingMemoryBound(to: ThreadStore.self)
    lent.keeper._withUnsafeGuaranteedRef { $0.next = thread.pointee.keepers }
    thread.pointee.keepers = lent.keeper
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
