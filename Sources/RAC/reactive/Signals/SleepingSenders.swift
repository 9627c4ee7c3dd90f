/// The senders that sleep at an entry, and when one of them is called, as a value: it locks nothing
/// and wakes nobody. `BoundedLine` feeds it events under the bound's lock.
///
/// At most one is called at a time: a called sender that gets in and finds more room calls the next
/// one. It is called for much room and not for each place, since a wake-up costs as much as some
/// values, and a woken sender has more than one, as a rule.
struct SleepingSenders: Equatable {
  enum Call: Equatable {
    case none
    /// One of them is awake, and sees it.
    case seen
    case wakesOne
    case wakesAll
  }

  /// How much room a sender is called for.
  let enough: Int
  private(set) var count = 0
  /// How many of them have slept for long: they are called for any room, since the running delivery
  /// may wait for them.
  private(set) var hurried = 0
  /// One was called and has yet to look.
  private(set) var isCalled = false
  /// One of them spins for its call.
  private(set) var isWatched = false

  /// For an entry with room for so many values.
  init(capacity: Int) { enough = max(1, min(32, capacity / 2)) }

  // MARK: A sender

  /// One finds no room. True: it may spin for its call first, if calls are for few values. Not
  /// beside others, which would hardly ever be called.
  mutating func joins(isCalledForFew: Bool) -> Bool {
    count &+= 1
    return count == 1 && isCalledForFew
  }

  mutating func watches() { isWatched = true }
  mutating func stopsWatching() { isWatched = false }

  /// Its nap is over without a call.
  mutating func hurries() { hurried &+= 1 }

  /// It looks whether there is room, called or not.
  mutating func looks() { isCalled = false }

  mutating func leaves(wasHurried: Bool) {
    count &-= 1
    if wasHurried { hurried &-= 1 }
  }

  /// How long one sleeps before it is in a hurry, in nanoseconds: they take turns.
  var nap: Int64 { 5_000_000 &* Int64(count) }

  // MARK: Room

  /// One of them, or all, are to look again.
  mutating func call(all: Bool) -> Call {
    if count == 0 || (isCalled && !all) { return .none }
    isCalled = true
    if all { return .wakesAll }
    return isWatched ? .seen : .wakesOne
  }

  /// One place would let one in, and none is called.
  func awaitsPlace(room: Int) -> Bool { count > 0 && !isCalled && room > 0 }

  /// A value has left. While there is not room enough there is another one, which leaves, too.
  func isCalled(for room: Int) -> Bool { isWatched || hurried > 0 || room >= enough }

  /// A sender has slept, and is in. If values wait behind it, their leaving calls the next one.
  func callsNext(waiting: Int, isLast: Bool) -> Bool {
    waiting == 0 || hurried > 0 || enough == 1 || !isLast
  }
}
