import CRACShims
import Synchronization

/// A batch that has ended: its sets become one change.
///
/// Everything that it changes — the properties that were set, and those that are bound to them both
/// ways — has a gate of its own, and what is derived from them has a turn. Nobody waits for a gate,
/// so:
///
/// - The batch takes *hold* of each property, by an operation in its gate's line. From then on
///   until it is let go, what comes to the property's gate is kept, and the property belongs to
///   whoever goes on with the batch. The operations are put into all lines under the lock of the
///   parts: of two batches one is first everywhere, so none waits for one that waits for it. And
///   what a thread sets after a batch stands behind it in each line.
/// - Whoever takes hold of the last one goes on: joins the parts of all taps, and passes the gates
///   on their ways, so that every value that was sent before has come; and then is in the turn.
/// - There the new values are worked out — a bound property takes the value of its other side,
///   without anybody having heard —, and from them whatever is derived. All of it is published,
///   with the lock held, so that a tap that is made meanwhile is of before or of after; one that
///   was made since the parts were joined lives in this turn, with nothing connected to it yet, and
///   gets its value here.
/// - Then everybody hears, and the properties are let go.
///
/// So a batch is one change of each property, in one turn, with nothing in between.
final class BatchCommit: TurnTask {
  private let changes: [BatchedChange]
  /// What it changes, in a row.
  private var first: BatchMember?
  private var last: BatchMember?
  /// How many properties it has yet to take hold of; and it is not to go on before all are lined
  /// up.
  private let missing = Atomic<Int>(1)

  /// The turn that its parts were joined to; once there is one.
  private(set) var home: GraphTurn?
  /// The next property whose way it has yet to pass.
  private var way: BatchMember?

  /// What the properties tell each other while values are worked out.
  private var told: [BatchedChange] = []
  /// The first thing that went wrong.
  private var status = Status.ok
  private let isDone = Atomic<Bool>(false)

  init(_ changes: [BatchedChange]) {
    self.changes = changes
    super.init([])
  }

  /// Made before this returns, unless others are in the way.
  func make() -> rac_status {
    Parts.locked { lineUp() }
    each { $0.core.knock() }
    hasTakenOne()
    return isDone.load(ordering: .acquiring) ? status : Status.queued
  }

  // MARK: Taking hold

  private func lineUp() {
    Parts.batches &+= 1
    let number = Parts.batches
    for change in changes { add(change.core, number) }
    // Those that are added here have their turn in the loop.
    var next = first
    while let member = next {
      for tie in member.core.ties { if let peer = tie.peer(of: member.core) { add(peer, number) } }
      next = member.following
    }
  }

  @inline(never)
  private func add(_ core: MutablePropertyCore, _ number: UInt64) {
    if core.latestBatch == number { return }
    core.latestBatch = number
    let member = BatchMember(core)
    if let last { last.following = member } else { first = member }
    last = member
    missing.wrappingAdd(1, ordering: .relaxed)
    core.push(.fire, BatchClaim(by: self))
  }

  /// One more. Mostly inside that one's gate.
  fileprivate func hasTakenOne() {
    if missing.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { goOn() }
  }

  /// Joins the parts, and then passes the gates of all turns on the ways of the root nodes, one
  /// after the other.
  private func goOn() {
    let start: GraphTurn = Parts.locked {
      var found: GraphTurn?
      each {
        if let node = $0.join(self) { found = Parts.merge(found, Parts.top(of: node.home)) }
      }
      home = found ?? GraphTurn()
      way = first
      return nextWay
    }
    start.submitRarely(.fire, self)
  }

  override func next(after turn: GraphTurn) -> GraphTurn {
    if let parent = turn.parent, parent.isJoined { return parent }
    return nextWay
  }

  /// Where the next way begins that leads through turns that were joined to others; in the end the
  /// turn to which all lead.
  private var nextWay: GraphTurn {
    @inline(never)
    get {
      while let member = way {
        way = member.following
        if let route = member.rootNode?.route, route.isJoined { return route }
      }
      return Parts.top(of: home.unsafelyUnwrapped)
    }
  }

  // MARK: In the turn

  override func perform(in turn: GraphTurn) {
    turn.take(self)
    all(.finish, turn)
    isDone.store(true, ordering: .releasing)
    all(.letGo, turn)
  }

  override func begin(in turn: GraphTurn) {
    all(.beginWork, turn)
    for change in changes { work(out: change) }
    all(.endWork, turn)
    all(.feed, turn)
  }

  override func publish(in turn: GraphTurn) {
    Parts.locked {
      all(.publish, turn)
      turn.publish()
    }
    all(.beginDelivery, turn)
  }

  override func deliver(in turn: GraphTurn) { all(.deliver, turn) }

  @inline(never)
  private func all(_ step: BatchMember.Step, _ turn: GraphTurn) {
    each { $0.go(step, turn) }
  }

  private func each(_ body: (BatchMember) -> Void) {
    var next = first
    while let member = next {
      next = member.following
      body(member)
    }
  }

  deinit {
    // In a loop: a row may be long.
    while let member = first {
      first = member.following
      member.following = nil
    }
  }

  // MARK: Working out the values

  /// And what those that are bound to it make of it, in turn.
  private func work(out change: BatchedChange) {
    make(change)
    while !told.isEmpty {
      let all = told
      told = []
      for change in all { make(change) }
    }
  }

  @inline(never)
  private func make(_ change: BatchedChange) {
    let core = change.core
    if change.origin?.isDisposed ?? false { return }
    var next = Value.null
    var answer = change.make(&next)
    if answer >= 0 {
      answer = core.change(next, at: change.time, renewing: change.renewed, from: change.origin)
    }
    next.release()
    if answer < 0 && answer != Status.done && status >= 0 { status = answer }
  }

  /// A change that a tie brings: true when that property is being changed by a batch here and now,
  /// which then sees to it.
  @inline(__always)
  static func takes(
    _ value: Value, at time: UInt64, renewing renewed: UInt64, to core: MutablePropertyCore,
    from tie: Tie
  ) -> Bool {
    guard core.isWorkedOutHere else { return false }
    core.batch?.hear(BatchedChange(core, set: value, at: time, renewing: renewed, from: tie))
    return true
  }

  @inline(never)
  private func hear(_ change: BatchedChange) { told.append(change) }
}

/// In a property's line: a batch takes hold of it, or is done with it.
final class BatchClaim: PropertyTask {
  private let taker: BatchCommit?

  @inline(never)
  init(by taker: BatchCommit?) { self.taker = taker }

  var isRelease: Bool { taker == nil }

  override func run(_ core: MutablePropertyCore, _ value: Value) {
    guard let taker else { return core.resume() }
    core.traits.insert(.held)
    taker.hasTakenOne()
  }
}
