import CRACShims
import Synchronization

/// What holds values back and has room for as many as its bound says.
///
/// All of it is guarded by the bound's lock.
class BoundedStore: Link {
  final let bound: Bound
  /// Whether values enter here: then senders wait here, too.
  final let isEntry: Bool
  /// Values that wait.
  final var count = 0
  /// No more come, or nobody hears them.
  final private(set) var isClosed = false

  private final var next: Unmanaged<BoundedStore>?
  private final var previous: Unmanaged<BoundedStore>?

  @inline(never)
  init(_ bound: Bound, isEntry: Bool = false) {
    self.bound = bound
    self.isEntry = isEntry
    super.init()
    bound.lock.locked { bound.add(self) }
  }

  deinit {
    let sleepers: Sleepers? = bound.lock.locked {
      bound.shrink(by: count)
      return close()
    }
    sleepers?.wake()
  }

  /// Under the lock: nobody waits for room in it any more. Whom that wakes.
  final func close() -> Sleepers? {
    if isClosed { return nil }
    isClosed = true
    // Before it leaves, or its own would not be among those who are called.
    let sleepers = bound.madeRoom(forMany: true)
    bound.remove(self)
    return sleepers
  }

  /// By the subscription that it belongs to, when that is over.
  override func dispose() { bound.lock.locked { close() }?.wake() }

  override final var isDisposed: Bool { bound.lock.locked { isClosed } }

  // MARK: Senders that wait

  /// How many there are. Under the lock.
  final var sleepers = 0
  /// Advanced under the lock with every call.
  final let calls = Atomic<UInt32>(0)

  /// The processor that the last one came from. Under the lock.
  final private(set) var caller: Int32 = -1

  /// Somebody was called and has yet to look. Under the lock.
  final var isCalled = false
  /// One of them is awake, and sees by itself that it was called. Under the lock.
  final var isWatched = false
  /// Whether it pays to watch. Under the lock.
  final var spin = Spin()

  /// Under the lock: one of them, or all, are to look again. Not while somebody is about to: who
  /// gets in then calls the next one, if there is room left.
  final func call(all: Bool) -> Sleepers? {
    if sleepers == 0 || (isCalled && !all) { return nil }
    isCalled = true
    calls.wrappingAdd(1, ordering: .relaxed)
    if isWatched && !all { return nil }
    caller = rac_shim_processor()
    return Sleepers(address: atomicAddress(calls), count: all ? .max : 1)
  }

  // MARK: The list of a bound

  struct List {
    private var first: Unmanaged<BoundedStore>?

    var isEmpty: Bool { first == nil }

    mutating func add(_ store: BoundedStore) {
      store.next = first
      first?._withUnsafeGuaranteedRef { $0.previous = .passUnretained(store) }
      first = .passUnretained(store)
    }

    mutating func remove(_ store: BoundedStore) {
      store.next?._withUnsafeGuaranteedRef { $0.previous = store.previous }
      if let previous = store.previous {
        previous._withUnsafeGuaranteedRef { $0.next = store.next }
      } else {
        first = store.next
      }
      store.next = nil
      store.previous = nil
    }

    func forEach(_ body: (BoundedStore) -> Void) {
      var store = first
      while let this = store {
        store = this._withUnsafeGuaranteedRef {
          body($0)
          return $0.next
        }
      }
    }

    func all(_ condition: (BoundedStore) -> Bool) -> Bool {
      var store = first
      while let this = store {
        let (holds, next) = this._withUnsafeGuaranteedRef { (condition($0), $0.next) }
        if !holds { return false }
        store = next
      }
      return true
    }
  }
}
