import CRACShims
import Synchronization

/// A change of one property that a batch is to make. Until it is made it counts among the values
/// that wait.
final class BatchedChange: Object {
  enum Act {
    case set
    /// Made of `base`, owned: again, if that is not what there is in the end.
    case modify(Context, rac_map_fn, base: Value)
  }
  let core: MutablePropertyCore
  /// The value as the batch's own thread sees it, owned.
  let value: Value
  /// nil: it is a set by the program.
  private let details: Details?
  /// The change of the property on which this one is based.
  @exclusivity(unchecked) fileprivate var before: Unmanaged<BatchedChange>?
  /// A later set counts in its place.
  @exclusivity(unchecked) fileprivate(set) var isVoid = false {
    didSet { rac_shim_count_queued(-1) }
  }

  // Of a batch that is made at once.

  /// The word of the gate that it is inside.
  @exclusivity(unchecked) private var word: UInt64?
  @exclusivity(unchecked) private var isChange = false
  @exclusivity(unchecked) private var retired = SeqlockValue.none

  /// Parts that most sets lack.
  private final class Details: Object {
    let act: Act
    let origin: Tie?
    let stamp: Stamp
    let place: BoundedPlace?

    init(_ act: Act, _ stamp: Stamp, _ origin: Tie?, _ place: BoundedPlace?) {
      self.act = act
      self.stamp = stamp
      self.origin = origin
      self.place = place
    }

    deinit { if case .modify(_, _, let base) = act { base.release() } }
  }

  /// A set. Takes the value over.
  @inline(__always)
  init(_ core: MutablePropertyCore, _ value: Value) {
    self.core = core
    self.value = value
    details = nil
    super.init()
    rac_shim_count_queued(1)
  }

  /// Takes the value over, and what it was made of. A tie that brings it has a stamp: see Tie.
  init(
    _ core: MutablePropertyCore, _ value: Value, _ act: Act = .set, _ stamp: Stamp = .new,
    from origin: Tie? = nil, at place: BoundedPlace? = nil
  ) {
    self.core = core
    self.value = value
    details = Details(act, stamp, origin, place)
    super.init()
    rac_shim_count_queued(1)
  }

  /// Of a value that is lent.
  static func set(_ core: MutablePropertyCore, _ value: Value, from origin: Tie?) -> BatchedChange {
    let value = value.retained()
    return origin == nil
      ? BatchedChange(core, value) : BatchedChange(core, value, .set, from: origin)
  }

  /// Whether it is a set by the program.
  var isPlain: Bool { details == nil }
  var origin: Tie? { details?.origin }
  var stamp: Stamp { details?.stamp ?? .new }
  /// Whether a bound counts it.
  var hasPlace: Bool { details?.place != nil }

  var isSet: Bool {
    guard let details else { return true }
    return if case .set = details.act { true } else { false }
  }

  /// The value to set, owned by the caller; or why there is none.
  func make(_ next: inout Value) -> rac_status {
    if let details, case .modify(let context, let body, let base) = details.act, !core.holds(base) {
      return core.makeNext(context, body, &next)
    }
    next = value.retained()
    return Status.ok
  }

  // MARK: At once, by BatchAtOnce

  /// Lent, without counting.
  @inline(__always)
  private func withCore<Result>(_ body: (MutablePropertyCore) -> Result) -> Result {
    Unmanaged.passUnretained(core)._withUnsafeGuaranteedRef(body)
  }

  var isRoot: Bool { withCore { $0.rootNode != nil } }

  /// False: the property is another thread's, or more than a value and its subscribers.
  @inline(__always)
  func enter() -> Bool {
    withCore { core in
      word = core.gate.enterTogether()
      guard word != nil, core.traits.isSubset(of: .previous) else { return false }
      isChange = !(core.isDistinct && value.isSame(as: core.current))
      return true
    }
  }

  @inline(__always)
  func publish(_ thread: Thread) {
    if !isChange { return }
    withCore { core in
      core.previous = core.current
      retired = core.publish(value.retained())
      core.begin(thread)
    }
  }

  @inline(__always)
  func deliver() {
    if isChange { withCore { $0.deliverPublished() } }
  }

  @inline(__always)
  func leave(_ thread: Thread) {
    guard let word else { return }
    withCore { core in
      if isChange { core.finishDelivering() }
      SeqlockValue.retire(retired)
      core.gate.leaveTogether(core, word, thread)
    }
  }

  deinit {
    value.release()
    if !isVoid { rac_shim_count_queued(-1) }
  }
}

/// The changes of a batch, in the order in which they came. Of the sets of one property the last
/// counts, and so do the modifications behind it.
struct BatchedChanges {
  private var all: [BatchedChange] = []
  private var voids = 0
  /// Whether all that came are sets by the program.
  private(set) var arePlain = true
  /// The address of the latest change of each property.
  private let latest = ObjectNumbers()

  var isEmpty: Bool { all.isEmpty }

  /// Gives what does not count any more.
  @inline(never)
  mutating func append(_ change: BatchedChange) -> Object? {
    let address = UInt(bitPattern: Unmanaged.passUnretained(change).toOpaque())
    let before = latest.exchange(Int(bitPattern: address), of: change.core)
    all.append(change)
    if !change.isPlain { arePlain = false }
    if before == 0 && change.isPlain { return nil }
    return append(change, behind: BatchedChanges.change(at: before))
  }

  @inline(never)
  private mutating func append(
    _ change: BatchedChange, behind before: Unmanaged<BatchedChange>?
  ) -> Object? {
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

  @inline(__always)
  func each(_ body: (BatchedChange) -> Void) { all.each { if !$0.isVoid { body($0) } } }

  /// Lent, without counting.
  @inline(__always)
  func eachLent(_ body: (BatchedChange) -> Void) {
    all.withUnsafeBufferPointer {
      let lent = UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(
        to: Unmanaged<BatchedChange>.self)
      for index in Places($0.count) {
        lent.unsafelyUnwrapped[index]._withUnsafeGuaranteedRef { if !$0.isVoid { body($0) } }
      }
    }
  }

  /// Of that property, lent; nil: there is none.
  func latest(of core: PropertyCore) -> Unmanaged<BatchedChange>? {
    BatchedChanges.change(at: latest.number(of: core) ?? 0)
  }

  private static func change(at address: Int) -> Unmanaged<BatchedChange>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }
}

private final class SpentChanges: Object {
  private let all: [BatchedChange]
  init(_ all: [BatchedChange]) { self.all = all }
}
