import CRACShims
import Synchronization

/// What a host does when one of the library's own threads begins to call it, and when that is over: an
/// interpreter makes a state for the thread, and frees it.
///
/// A thread looks at a number before it works, in a `Visit` of its own: who changes the hook advances that, and
/// wakes those who sleep. So each thread calls the functions itself, between two pieces of work.
final class ThreadHook {
  typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void

  @exclusivity(unchecked) nonisolated(unsafe) private static var booted: ThreadHook? = nil
  static var shared: ThreadHook {
    @inline(__always) get { booted.unsafelyUnwrapped }
  }

  /// Called once, when the library is loaded.
  static func boot() { booted = ThreadHook() }

  struct Pair {
    var started: Function?
    var ended: Function?
    var context: Context?
  }

  private let lock = Lock()
  @exclusivity(unchecked) private var pair = Pair()
  /// Advanced with every change, under the lock.
  private let number = Atomic<UInt32>(0)
  /// Threads that have called `started`, or are about to, and have yet to call `ended`.
  private let visitors = Atomic<Int>(0)

  var hasVisitors: Bool { visitors.load(ordering: .acquiring) != 0 }

  /// The threads have yet to be woken.
  func set(_ new: Pair) {
    var old = new
    lock.locked {
      swap(&old, &pair)
      number.store(number.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }
  }

  /// What a thread of the library's has called.
  struct Visit {
    private var number: UInt32 = 0
    private var pair = Pair()

    var isOver: Bool {
      @inline(__always) get { ThreadHook.shared.number.load(ordering: .acquiring) != number }
    }

    /// Before the thread works, and before it sleeps. It holds no lock.
    @inline(__always)
    mutating func renew() {
      if isOver { ThreadHook.shared.renew(&self) }
    }

    fileprivate mutating func replace(_ pair: Pair, _ number: UInt32) -> Pair {
      let old = self.pair
      self = Visit(number: number, pair: pair)
      return old
    }

    init() {}

    private init(number: UInt32, pair: Pair) {
      self.number = number
      self.pair = pair
    }
  }

  @inline(never)
  private func renew(_ visit: inout Visit) {
    var fresh = Pair()
    var now: UInt32 = 0
    lock.locked {
      fresh = pair
      now = number.load(ordering: .relaxed)
      if fresh.context != nil { visitors.wrappingAdd(1, ordering: .relaxed) }
    }
    let old = visit.replace(fresh, now)
    if let context = old.context {
      ThreadHook.call(old.ended, context)
      visitors.wrappingSubtract(1, ordering: .releasing)
    }
    if let context = fresh.context { ThreadHook.call(fresh.started, context) }
  }

  private static func call(_ function: Function?, _ context: Context) {
    guard let function else { return }
    // As any callback: what blocks refuses to in there.
    let thread = currentThread()
    thread.deepen()
    function(context.pointer)
    thread.surface()
    context.calledBack()
  }
}
