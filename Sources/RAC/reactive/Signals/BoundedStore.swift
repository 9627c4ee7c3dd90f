import CRACShims
import Synchronization

/// Holds values back, and has room for as many as its bound says.
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
  /// For sources above it that can wait. Put on under the lock.
  final let brake = Brake(.bound)

  private final var next: Unmanaged<BoundedStore>?
  private final var previous: Unmanaged<BoundedStore>?

  @inline(never)
  init(_ bound: Bound, isEntry: Bool = false) {
    self.bound = bound
    self.isEntry = isEntry
    senders = SleepingSenders(capacity: bound.capacity)
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

  /// Under the lock: nobody waits for room in it any more. The senders to wake.
  final func close() -> Sleepers? {
    if isClosed { return nil }
    isClosed = true
    // Before it leaves, or its own would not be among those who are called.
    let sleepers = bound.callAll()
    bound.remove(self)
    return sleepers
  }

  /// By the subscription that it belongs to, when that is over.
  override func dispose() {
    bound.lock.locked { close() }?.wake()
    brake.release().resume()
  }

  /// Under the lock, when one was put in.
  final func brakeIfFull() {
    if bound.holdsSendersBack, count >= bound.capacity { brake.putOn(count) }
  }

  /// Under the lock, when one has left. The caller resumes them without it.
  final func releaseIfHalfEmpty() -> HeldJobs {
    brake.tell(count, ofHalf: bound.capacity / 2)
  }

  /// See `Sink.holds`. Where values enter all places below that have the bound are asked.
  final func holds(_ question: Question) -> Bool {
    guard bound.holdsSendersBack else { return false }
    if case .bound(let found) = question { found.pointee = .passUnretained(bound) }
    return brake.holds(question) || isEntry && bound.holdsBelow(question)
  }

  override final var isDisposed: Bool { bound.lock.locked { isClosed } }

  // MARK: Senders that wait

  /// Under the lock.
  final var senders: SleepingSenders
  /// Advanced under the lock with every call.
  final let calls = Atomic<UInt32>(0)

  /// The processor that the last one came from. Under the lock.
  final private(set) var caller: Int32 = -1

  /// Whether it pays to spin for a call. Under the lock.
  final var spin = Spin()

  /// Under the lock: senders sleep here that one place would let in, and none of them is called.
  var awaitsPlace: Bool { false }

  /// Under the lock: one of them, or all, are to look again.
  final func call(all: Bool) -> Sleepers? {
    let call = senders.call(all: all)
    if call == .none { return nil }
    calls.wrappingAdd(1, ordering: .relaxed)
    if call == .seen { return nil }
    caller = rac_shim_processor()
    return Sleepers(address: atomicAddress(calls), count: all ? .max : 1)
  }

  // MARK: The list of a bound

  struct List {
    private var first: Unmanaged<BoundedStore>?
    private var last: Unmanaged<BoundedStore>?

    var isEmpty: Bool { first == nil }

    mutating func append(_ store: BoundedStore) {
      store.previous = last
      if let last {
        last._withUnsafeGuaranteedRef { $0.next = .passUnretained(store) }
      } else {
        first = .passUnretained(store)
      }
      last = .passUnretained(store)
    }

    mutating func remove(_ store: BoundedStore) {
      if let next = store.next {
        next._withUnsafeGuaranteedRef { $0.previous = store.previous }
      } else {
        last = store.previous
      }
      if let previous = store.previous {
        previous._withUnsafeGuaranteedRef { $0.next = store.next }
      } else {
        first = store.next
      }
      store.next = nil
      store.previous = nil
    }

    func first(where condition: (BoundedStore) -> Bool) -> BoundedStore? {
      var found: BoundedStore? = nil
      var store = first
      while found == nil, let this = store {
        store = this._withUnsafeGuaranteedRef {
          if condition($0) { found = $0 }
          return $0.next
        }
      }
      return found
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

  }
}
