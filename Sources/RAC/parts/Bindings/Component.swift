import CRACShims
import Synchronization

/// A connected component of the graph of derived properties, as a set of a union-find forest
/// (Galler and Fischer, 1964; united by size, paths are not compressed): `parent` leads to the set
/// that this one was united with, for good, and the root of the tree has the gate that counts.
///
/// ```
/// component A <-- a        A <------- B <-- b
/// component B <-- b        ^-- a, combination of a and b
/// ```
/// No thread waits for a component to come to rest. It is united with another one all the same:
///
/// - One short lock decides which component gets which parent. Another thread may be inside it
///   then, at its nodes.
/// - A thread that enters a component and finds, inside its gate, that it has a parent does nothing
///   there. It hands on its operation, still inside, so what came first is first there, too. And it
///   notes that the component is drained: no thread is at its nodes here any more, or will be.
/// - A node is therefore touched in one component at a time: the first on its way up that is not
///   drained. A search for it leaves out drained ones, and no others: the root may be too far
///   (`Tests/model` has that mistake among others).
/// - A node that unites components passes each of those below before it is connected. When it is
///   computed, in the root, no thread is at any of its inputs in another component.
///
/// Components do not come apart again. But the first property that is derived from one that nothing
/// else is derived from begins a component of its own.
class Component: Core {
  /// Grows by two with each propagation that publishes something; odd while it does.
  final let epoch = Atomic<UInt64>(0)
  /// The thread that is inside with a propagation; 0: none.
  private final let inside = Atomic<UInt>(0)
  /// Callbacks compute, and the new values are not to be seen yet. Inside.
  @exclusivity(unchecked) final var isComputing = false
  /// Subscribers that came from inside. Inside.
  @exclusivity(unchecked) final var newcomers: [Sink] = []

  /// The component that this one was united with. Kept.
  private final let above = Atomic<UInt>(0)
  private final let drained = Atomic<Bool>(false)
  /// How many components were united into this one, itself included. Under the lock.
  private final var size = 1
  /// The levels below the subscriber with the longest chain, if that is worth a look.
  private final let farthest = Atomic<Int32>(0)

  deinit {
    if let parent { Unmanaged.passUnretained(parent).drop() }
  }

  // MARK: The lock of all components

  /// Called once, when the library is loaded.
  static func boot() {
    let lock = UnsafeMutablePointer<Lock>.allocate(capacity: 1)
    lock.initialize(to: Lock())
    theLock = lock
  }

  /// No callback runs under this lock, and nothing is let go of that could run one.
  @inline(__always)
  static func locked<Result>(_ body: () -> Result) -> Result {
    theLock.unsafelyUnwrapped.pointee.locked(body)
  }

  /// How often something was numbered that looks at each property once. Under the lock.
  nonisolated(unsafe) static var rounds: UInt64 = 0

  // MARK: Union and find

  /// One component of two, of which the first may be none. Both are roots. Under the lock.
  static func union(_ found: Component?, _ other: Component) -> Component {
    guard let found, found !== other else { return other }
    let (larger, smaller) = found.size < other.size ? (other, found) : (found, other)
    larger.size &+= smaller.size
    if larger.reach < smaller.reach { larger.farthest.store(smaller.reach, ordering: .relaxed) }
    smaller.above.store(
      UInt(bitPattern: Unmanaged.passRetained(larger).toOpaque()), ordering: .releasing)
    return larger
  }

  /// Inside the gate this decides whether it is still this component that counts.
  final var isUnited: Bool {
    @inline(__always) get { above.load(ordering: .acquiring) != 0 }
  }

  final var parent: Component? {
    UnsafeRawPointer(bitPattern: above.load(ordering: .acquiring)).map {
      Unmanaged<Component>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The component that all lead to in the end. Under the lock.
  final var root: Component {
    var component = self
    while let parent = component.parent { component = parent }
    return component
  }

  /// Whether its nodes are to be found further up, and no thread can be at them here any more.
  final var isDrained: Bool { drained.load(ordering: .acquiring) }

  /// A thread has found, inside the gate, that the component has a parent.
  final func drain() { drained.store(true, ordering: .releasing) }

  /// The component in which its nodes are to be found.
  final var live: Component {
    var component = self
    while component.isDrained, let parent = component.parent { component = parent }
    return component
  }

  // MARK: How far down values go

  override final var reach: Int32 { farthest.load(ordering: .relaxed) }

  final var isFar: Bool {
    @inline(__always) get { farthest.load(ordering: .relaxed) != 0 }
  }

  /// A subscriber has so many levels below it. The component's number never shrinks: the component
  /// itself goes when its nodes do.
  final func reach(to levels: Int32) {
    Component.locked {
      var next: Component? = self
      while let component = next {
        if component.reach < levels { component.farthest.store(levels, ordering: .relaxed) }
        next = component.parent
      }
    }
  }

  // MARK: The thread inside

  /// Whether this thread is inside here, further up.
  final func isInside(_ thread: Thread) -> Bool {
    inside.load(ordering: .relaxed) == thread.token
  }

  @inline(__always)
  final func enter(_ thread: Thread) { inside.store(thread.token, ordering: .relaxed) }
  @inline(__always)
  final func leave() { inside.store(0, ordering: .relaxed) }
}

nonisolated(unsafe) private var theLock: UnsafeMutablePointer<Lock>? = nil
