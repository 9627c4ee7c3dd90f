import Synchronization

/// A tie shares a property's value with others: an end of a two-way binding, or a terminal.
///
/// A tie is told of every change but those it brought itself, so no change comes back to its
/// sender. It is told inside the property's gate. Ties and properties hold each other until one of
/// them ends.
///
/// The later write wins on all sides: Thomas's write rule (1979), with logical times of one clock
/// (Lamport, 1978). How all sides come to the same value, whichever threads set them, in chains and
/// in rings:
///
/// - Every change of a tied property gets a time, from one clock, inside that property's gate. A
///   change that a tie brings keeps the time it was made with. A property takes a change if it is
///   newer than the latest it took, and drops it otherwise; it passes each change that it takes on
///   to all other ties (last writer wins: Thomas, TODS 1979).
/// - A change of a property's own always takes the newest time there is. So none is refused, and
///   times within a property only grow.
/// - The sides end equal: let m be the greatest time in a group of tied properties once nothing is
///   under way. The property that took m passed it on to its neighbours, they took it, because
///   nothing they had was newer, and passed it on, and so on. So all have the change with time m.
///   Two changes have different times, so it is one change.
/// - Nothing goes round for ever: a property takes the change of one time at most once. One set is
///   therefore at most one change for each property of the group, and in a ring the last one that
///   is told drops it.
/// - A change that waits in a gate's queue keeps its time, so it does not matter which thread goes
///   on with it. While one that a tie brings waits because another thread is delivering, a later
///   one takes its place: it would be overwritten at once. So threads that set both sides as fast
///   as they can do not fill the queues with what is out of date. See LatestChange.
/// - A set to an equal value, where the property is distinct, is no change and has no time: the
///   operations queued before it have been applied before it.
/// - When two groups become one, by a new binding, the tie is first added at the left side, and
///   then, no earlier, the right side's value is given a new time and goes to the left side as a
///   change of that time. It is later than anything the left side took before it had the tie, and
///   what it takes after that it tells the right side. In the right group, which has the value
///   already, only its time is renewed. A property that has something else there, because a change
///   is still under way, takes the value: the binding came later.
class Tie: Disposable {
  final let isOver = Atomic<Bool>(false)
  override final var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// That property took a change of that stamp. RAC_QUEUED when the other side's part in it is left
  /// to another thread; why that side refused it.
  func changed(_ value: Value, _ stamp: Stamp, in core: MutablePropertyCore) -> rac_status {
    Status.ok
  }

  /// That property tells it of every change from here on.
  func added(to core: MutablePropertyCore) {}

  /// The property that shares that one's value through this; nil: no other one does.
  func peer(of core: MutablePropertyCore) -> MutablePropertyCore? { nil }
}

/// When a change was made.
struct Stamp {
  /// By the clock of ChangeClock; 0: it is a property's own, and takes the newest time there is.
  var time: UInt64
  /// If not 0, this is no change, but the one of that time counts as of `time` from here on.
  var renewed: UInt64 = 0

  static var new: Stamp {
    @inline(__always) get { Stamp(time: 0) }
  }
}

/// The one clock by which changes of tied properties are ordered.
enum ChangeClock {
  private static let latest = Atomic<UInt64>(0)

  /// Later than any before.
  static func next() -> UInt64 {
    latest.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }
}

/// A property that shares its value. All of it inside the gate, but for what says otherwise.
extension MutablePropertyCore {
  final func add(_ tie: Tie) {
    if hasEnded { return tie.dispose() }
    // Disposed before its turn came: the removal is already behind us.
    if tie.isDisposed { return }
    Component.locked { ties.append(tie) }
    traits.insert(.tied)
    tie.added(to: self)
  }

  /// Adds a tie whose other side is to take this side's value, as if that were set only now.
  final func introduce(_ tie: Tie) {
    add(tie)
    if tie.isDisposed { return }
    let time = ChangeClock.next()
    renew(Stamp(time: time, renewed: stamp.load(ordering: .relaxed)), besides: tie)
    _ = tie.changed(current, Stamp(time: time), in: self)
  }

  final func remove(_ tie: Tie) {
    if let index = ties.firstIndex(where: { $0 === tie }) {
      let removed = Component.locked { ties.remove(at: index) }
      withExtendedLifetime(removed) {}
    }
    if ties.isEmpty { traits.remove(.tied) }
  }

  final func takeTies() -> [Tie] {
    traits.remove(.tied)
    return Component.locked {
      let all = ties
      ties = []
      return all
    }
  }

  /// Whether a change of that time would be dropped. Times only grow, so any thread may ask.
  final func isOutOfDate(_ time: UInt64) -> Bool { time <= stamp.load(ordering: .relaxed) }

  /// The latest change has another time from here on.
  @inline(never)
  final func renew(_ stamp: Stamp, besides origin: Tie?) {
    self.stamp.store(stamp.time, ordering: .relaxed)
    _ = tell(stamp, besides: origin)
  }

  /// RAC_QUEUED when another thread has to go on with it; or why one of them refused it.
  final func tell(_ stamp: Stamp, besides origin: Tie?) -> rac_status {
    var answer = Status.ok
    // They stay as they are meanwhile: adding and removing waits in the gate's queue.
    ties.withUnsafeBufferPointer {
      var index = 0
      while index < $0.count {
        let tie = Unmanaged.passUnretained($0[index])
        index &+= 1
        tie._withUnsafeGuaranteedRef {
          if $0 === origin { return }
          let status = $0.changed(current, stamp, in: self)
          // One that has ended has nothing to refuse.
          if status == Status.done || answer < 0 { return }
          if status != Status.ok { answer = status }
        }
      }
    }
    return answer
  }
}
