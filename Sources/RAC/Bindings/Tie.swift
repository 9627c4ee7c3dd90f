import CRACShims
import Synchronization

/// What shares a property's value with others: an end of a two-way binding, or a terminal.
///
/// A tie is told of every change but those it brought itself, so no change comes back to its
/// sender. It is told inside the property's gate. Ties and properties hold each other until one of
/// them ends.
///
/// How all sides come to the same value, whichever threads set them, in chains and in rings:
///
/// - Every change of a tied property gets a time, from one clock, inside that property's gate. A
///   change that a tie brings keeps the time it was made with. A property takes a change if it is
///   newer than the latest it took, and drops it otherwise; what it takes it passes on to all other
///   ties.
/// - A change of a property's own always takes the newest time there is. So none is refused, and
///   times within a property only grow.
/// - The sides end equal: let m be the greatest time in a group of tied properties once nothing is
///   under way. Whoever took m passed it on to its neighbours, they took it, because nothing they
///   had was newer, and passed it on, and so on. So all have the change with time m. Two changes
///   have different times, so it is one change.
/// - Nothing goes round for ever: a property takes the change of one time at most once. One set is
///   therefore at most one change for each property of the group, and in a ring the last one that
///   is told drops it.
/// - What is waiting in a gate's queue keeps its time, so it does not matter which thread goes on
///   with it. While one that a tie brings waits because another thread is delivering, a later one
///   takes its place: it would be overwritten at once. So threads that set both sides as fast as
///   they can do not fill the queues with what is out of date. See LatestChange.
/// - A set to an equal value, where the property is distinct, is no change and has no time: what
///   was queued before it has been applied before it.
/// - When two groups become one, by a new binding, the tie is first added at the left side, and
///   then, no earlier, the right side's value is given a new time and goes to the left side as a
///   change of that time. It is later than anything the left side took before it had the tie, and
///   what it takes after that it tells the right side. In the right group, which has the value
///   already, only its time is renewed. A property that has something else there, because a change
///   is still under way, takes the value: the binding came later.
class Tie: Disposable {
  /// That property took a change, made at that time; or, if `renewed` is not 0, the change of that
  /// time now counts as of this one. RAC_QUEUED when the other side's part in it is left to
  /// somebody else; why that side refused it.
  func changed(
    _ value: Value, at time: UInt64, renewing renewed: UInt64, in core: MutablePropertyCore
  ) -> rac_status { Status.ok }

  /// That property tells it of every change from here on.
  func added(to core: MutablePropertyCore) {}

  /// Who shares that property's value through this; nil: no other property.
  func peer(of core: MutablePropertyCore) -> MutablePropertyCore? { nil }
}

/// The one clock by which changes of tied properties are ordered.
enum ChangeClock {
  private static let latest = Atomic<UInt64>(0)

  /// Later than any before.
  static func next() -> UInt64 {
    latest.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }
}

/// A change that a tie brings and that has to wait.
final class TiedChange: PropertyTask {
  private let time: UInt64
  private let renewed: UInt64
  private let origin: Tie

  init(_ time: UInt64, _ renewed: UInt64, _ origin: Tie) {
    self.time = time
    self.renewed = renewed
    self.origin = origin
  }

  override func run(_ core: MutablePropertyCore, _ value: Value) {
    if origin.isDisposed { return }
    _ = core.change(value, at: time, renewing: renewed, from: origin)
  }
}

/// Adds or removes a tie.
final class TieTask: PropertyTask {
  enum Act { case add, introduce, remove }

  private let act: Act
  private let tie: Tie

  init(_ act: Act, _ tie: Tie) {
    self.act = act
    self.tie = tie
  }

  override func run(_ core: MutablePropertyCore, _ value: Value) {
    switch act {
    case .add: core.add(tie)
    case .introduce: core.introduce(tie)
    case .remove: core.remove(tie)
    }
  }
}
