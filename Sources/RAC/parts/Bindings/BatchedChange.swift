import CRACShims

/// A change of one property that a batch is to make. Until it is made it counts among the values
/// that wait.
final class BatchedChange: Object {
  enum Act {
    case set
    /// Made of `base`, owned: again, if that is not what there is in the end.
    case modify(Context, rac_map_fn, base: Value)
  }
  let core: MutablePropertyCore
  private let act: Act
  /// The value as the batch's own thread sees it, owned.
  let value: Value
  /// The tie that brings it, and when it was made: see Tie.
  let origin: Tie?
  let stamp: Stamp
  /// Where a bound counts it.
  let place: BoundedPlace?
  /// The change of the property on which this one is based.
  @exclusivity(unchecked) fileprivate var before: Unmanaged<BatchedChange>?
  /// A later set counts in its place.
  @exclusivity(unchecked) fileprivate(set) var isVoid = false {
    didSet { rac_shim_count_queued(-1) }
  }

  /// Takes the value over, and what it was made of.
  init(
    _ core: MutablePropertyCore, _ value: Value, _ act: Act = .set, _ stamp: Stamp = .new,
    from origin: Tie? = nil, at place: BoundedPlace? = nil
  ) {
    self.core = core
    self.value = value
    self.act = act
    self.stamp = stamp
    self.origin = origin
    self.place = place
    super.init()
    rac_shim_count_queued(1)
  }

  var isSet: Bool { if case .set = act { true } else { false } }

  /// The value to set, owned by the caller; or why there is none.
  func make(_ next: inout Value) -> rac_status {
    if case .modify(let context, let body, let base) = act, !core.holds(base) {
      return core.makeNext(context, body, &next)
    }
    next = value.retained()
    return Status.ok
  }

  deinit {
    value.release()
    if case .modify(_, _, let base) = act { base.release() }
    if !isVoid { rac_shim_count_queued(-1) }
  }
}

/// The changes of a batch, in the order in which they came. Of the sets of one property the last
/// counts, and so do the modifications behind it.
struct BatchedChanges {
  private var all: [BatchedChange] = []
  private var voids = 0
  /// The address of the latest change of each property.
  private let latest = ObjectNumbers()

  var isEmpty: Bool { all.isEmpty }

  /// Gives what does not count any more.
  @inline(never)
  mutating func append(_ change: BatchedChange) -> Object? {
    let before = self.latest(of: change.core)
    latest.set(Int(bitPattern: Unmanaged.passUnretained(change).toOpaque()), of: change.core)
    all.append(change)
    if !change.isSet {
      change.before = before
      return nil
    }
    var next = before
    while let old = next?.takeUnretainedValue() {
      old.isVoid = true
      voids &+= 1
      next = old.before
    }
    return voids > 32 && voids > all.count / 2 ? sweep() : nil
  }

  private mutating func sweep() -> Object {
    let before = all
    all = []
    voids = 0
    before.each { if !$0.isVoid { all.append($0) } }
    return SpentChanges(before)
  }

  func each(_ body: (BatchedChange) -> Void) { all.each { if !$0.isVoid { body($0) } } }

  /// Of that property, lent; nil: there is none.
  func latest(of core: PropertyCore) -> Unmanaged<BatchedChange>? {
    UnsafeRawPointer(bitPattern: latest.number(of: core) ?? 0).map { Unmanaged.fromOpaque($0) }
  }
}

private final class SpentChanges: Object {
  private let all: [BatchedChange]
  init(_ all: [BatchedChange]) { self.all = all }
}
