/// A change of one property that a batch is to make.
final class BatchedChange: Object {
  enum Act {
    /// The value is owned.
    case set(Value)
    case modify(Context, rac_map_fn)
  }
  let core: MutablePropertyCore
  private let act: Act
  /// The tie that brings it, and when it was made: see Tie.
  let origin: Tie?
  let stamp: Stamp

  init(_ core: MutablePropertyCore, _ act: Act, _ stamp: Stamp = .new, from origin: Tie? = nil) {
    self.core = core
    self.act = act
    self.stamp = stamp
    self.origin = origin
  }

  /// Whether what came before it to the property does not count any more.
  var isSet: Bool { if case .set = act { true } else { false } }

  /// The value to set, owned by the caller; or why there is none.
  func make(_ next: inout Value) -> rac_status {
    switch act {
    case .set(let value): next = value.retained()
    case .modify(let context, let body): return core.makeNext(context, body, &next)
    }
    return Status.ok
  }

  deinit { if case .set(let value) = act { value.release() } }
}

/// The changes of a batch, in the order in which they came. Of the sets of one property the last
/// counts, and so do the modifications behind it.
struct BatchedChanges {
  private(set) var all: [BatchedChange] = []
  /// How many there were when those that do not count any more were left out last.
  private var counted = 0

  mutating func append(_ change: BatchedChange) {
    all.append(change)
    if all.count > 2 &* counted &+ 32 { sweep() }
  }

  /// Leaves out what does not count any more.
  mutating func sweep() {
    // The others are released when the lock is free again.
    let before = all
    var latestFirst: [BatchedChange] = []
    before.withUnsafeBufferPointer { before in
      Component.locked {
        Component.rounds &+= 1
        var index = before.count
        while index > 0 {
          index &-= 1
          let change = before[index]
          if change.core.round == Component.rounds { continue }
          if change.isSet { change.core.round = Component.rounds }
          latestFirst.append(change)
        }
      }
    }
    // A loop: `reverse()` brings traps along.
    all = []
    var index = latestFirst.count
    while index > 0 {
      index &-= 1
      all.append(latestFirst.element(at: index))
    }
    counted = all.count
  }
}
