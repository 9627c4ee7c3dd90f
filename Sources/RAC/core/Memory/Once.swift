import CRACShims
import Synchronization

/// A computation that happens once, as by pthread_once(): the first thread that asks runs it.
///
/// That thread runs callbacks of the user's meanwhile; others wait for the outcome. A thread that
/// would wait for itself, directly or through others, is refused.
struct Once: ~Copyable {
  enum Claim {
    /// The caller computes, and then calls `finish` or `abandon`.
    case mine
    case done
    /// The thread would wait for itself.
    case refused
    /// It was not done in the time that the thread has: see ReadLimit.
    case late
  }

  fileprivate static let idle: UInt = 0
  fileprivate static let done: UInt = 1
  /// Others wait. Beside the owner's token, which is the address of its record.
  fileprivate static let awaited: UInt = 2

  private let word = Atomic<UInt>(Once.idle)

  var isDone: Bool { word.load(ordering: .acquiring) == Once.done }

  borrowing func begin() -> Claim {
    isDone ? .done : beginSlowly()
  }

  private borrowing func beginSlowly() -> Claim {
    while true {
      if let claim = beginIfIdle() { return claim }
      if ReadLimit.hasPassed { return .late }
      if !WaitGraph.shared.wait(for: place) { return .refused }
    }
  }

  /// For a caller that does not wait. nil: another thread is computing.
  borrowing func beginIfIdle() -> Claim? {
    let thread = currentThread()
    let me = thread.token
    let (mine, now) = word.replace(Once.idle, with: me)
    if mine {
      thread.pointee.computing = thread.pointee.computing &+ 1
      return .mine
    }
    if now == Once.done { return .done }
    return now & ~Once.awaited == me ? .refused : nil
  }

  /// The result is there to be read.
  @inline(__always)
  borrowing func finish() { leave(Once.done) }

  /// There is no result: the next thread that asks may try.
  @inline(__always)
  borrowing func abandon() { leave(Once.idle) }

  private borrowing func leave(_ next: UInt) { Once.leave(word, next) }

  private static func leave(_ word: borrowing Atomic<UInt>, _ next: UInt) {
    let thread = currentThread()
    thread.pointee.computing = thread.pointee.computing &- 1
    if word.exchange(next, ordering: .acquiringAndReleasing) & Once.awaited != 0 {
      WaitGraph.shared.changed()
    }
  }

  var place: Place {
    borrowing get { withUnsafePointer(to: word) { Place(UnsafeRawPointer($0)) } }
  }

  /// Where the word of a computation lies, which somebody keeps alive.
  struct Place {
    let address: UnsafeRawPointer

    init(_ address: UnsafeRawPointer) { self.address = address }

    /// By who claimed it.
    func abandon() { Once.leave(word.pointee, Once.idle) }

    private var word: UnsafePointer<Atomic<UInt>> {
      address.assumingMemoryBound(to: Atomic<UInt>.self)
    }

    /// The token of the thread that computes; 0 for none.
    var owner: UInt {
      let now = word.pointee.load(ordering: .acquiring)
      return now == Once.done ? 0 : now & ~Once.awaited
    }

    /// False: nobody computes any more.
    func markAwaited() -> Bool {
      var now = word.pointee.load(ordering: .relaxed)
      while now > Once.done {
        if now & Once.awaited != 0 { return true }
        let (marked, seen) = word.pointee.replace(now, with: now | Once.awaited)
        if marked { return true }
        now = seen
      }
      return false
    }
  }
}
