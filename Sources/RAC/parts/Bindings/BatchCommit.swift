import CRACShims
import Synchronization

/// A batch that has ended: its sets become one change. BatchState has the steps.
///
/// Everything that it changes — the properties that were set, and those that are bound to them both
/// ways — has a gate of its own, and so has the component of what is derived from them. It takes
/// all of these, as two-phase locking does (Eswaran, Gray, Lorie and Traiger, 1976), and no
/// thread waits for a gate:
///
/// - The batch takes *hold* of each property, by a claim in its gate's queue. Until the batch lets
///   the property go, operations that come to its gate are kept, and the property belongs to the
///   thread that goes on with the batch. The claims are put into all queues under the lock of
///   components: of two batches one is first everywhere, so none waits for one that waits for it.
///   And a set that a thread makes after a batch stands behind it in each queue.
/// - The thread that takes hold of the last one goes on: it unites the components of all root
///   nodes, and passes the gates on their ways, so that every value that was sent before has come;
///   and then is inside.
/// - There it computes the new values — a bound property takes the value of its other side, before
///   any subscriber hears —, and from them the derived ones. It publishes all of them with the lock
///   held, so that a root node that is made meanwhile has the values of before or of after. One
///   that was made since the components were united lives in this one, with nothing connected to it
///   yet, and gets its value here.
/// - Then the subscribers hear, and the batch lets the properties go.
///
/// So a batch is one change of each property, in one propagation, with nothing in between.
final class BatchCommit: PropagationTask {
  @exclusivity(unchecked) private var changes: BatchedChanges
  /// Batches are lined up in the order of their numbers.
  @exclusivity(unchecked) private var number: UInt64 = 0
  /// The properties that it changes.
  @exclusivity(unchecked) private var members: [BatchMember] = []
  /// Under the lock of components.
  @exclusivity(unchecked) private var state = BatchState()
  /// The component that all were united into; once there is one.
  @exclusivity(unchecked) private var home: Component?
  /// The next member whose way it has yet to pass.
  @exclusivity(unchecked) private var way = 0

  /// Changes that bound properties pass to each other while values are worked out.
  @exclusivity(unchecked) private var told: [BatchedChange] = []
  /// The first thing that went wrong.
  @exclusivity(unchecked) private var status = Status.ok

  init(_ changes: BatchedChanges) {
    self.changes = changes
    super.init([])
  }

  /// Made before this returns, unless others are in the way.
  func make() -> rac_status {
    var spent: [Object] = []
    var cores: [MutablePropertyCore] = []
    let hasJoined = Component.locked {
      guard let other = joinable else {
        lineUp()
        return false
      }
      changes.each { change in
        if let old = other.append(change) { spent.append(old) }
        _ = other.add(change.core)
        cores.append(change.core)
      }
      return true
    }
    if hasJoined {
      // Also where another thread has put the claim: until that thread knocks the gate may be free,
      // and this one's next set would overtake what has joined.
      cores.each { $0.knock() }
      return Status.queued
    }
    each { $0.core.knock() }
    goOn { $0.knocked() }
    return Component.locked { state.phase == .over } ? status : Status.queued
  }

  // MARK: Joining another one, under the lock of components

  /// A batch that waits, and can make these changes as well: the latest one that waits for any of
  /// the properties. It takes hold of the others behind all that is in line there, as it would if
  /// it were lined up only now; so no batch that is lined up later may be there. And nothing may
  /// stand between the two that has to find what the first one sets.
  private var joinable: BatchCommit? {
    var latest: BatchCommit?
    changes.each {
      if let other = BatchCommit.inLine(at: $0.core), other.number > latest?.number ?? 0 {
        latest = other
      }
    }
    guard let latest, latest.state.isJoinable else { return nil }
    var canJoin = true
    changes.each {
      let isThere = BatchCommit.inLine(at: $0.core) === latest
      let comesLater = $0.core.round < latest.number && $0.core.ties.isEmpty
      if !$0.isSet || !(isThere || comesLater) { canJoin = false }
    }
    return canJoin ? latest : nil
  }

  private static func inLine(at core: MutablePropertyCore) -> BatchCommit? {
    core.inLine.map { unsafeDowncast($0, to: BatchMember.self).commit.takeUnretainedValue() }
  }

  /// Gives what does not count any more.
  func append(_ change: BatchedChange) -> Object? { changes.append(change) }

  // MARK: Taking hold

  private func lineUp() {
    Component.rounds &+= 1
    number = Component.rounds
    changes.each { _ = add($0.core) }
    // The loop comes to those that are added here, too.
    var index = 0
    while index < members.count {
      let core = members.element(at: index).core
      core.ties.each { if let peer = $0.peer(of: core) { _ = add(peer) } }
      index &+= 1
    }
  }

  /// False: it is a member already.
  private func add(_ core: MutablePropertyCore) -> Bool {
    if core.round == number { return false }
    core.round = number
    let member = BatchMember(core, of: self)
    members.append(member)
    state.linedUp()
    let claim = PropertyTask { _ in
      core.traits.insert(.held)
      // Mostly inside that one's gate.
      self.goOn { $0.took() }
    }
    core.push(.fire, claim)
    core.endLatestSet()
    core.inLine = member
    return true
  }

  /// When all are held, unites the components, and then passes the gates of all on the ways of the
  /// root nodes, one after the other.
  private func goOn(_ event: (inout BatchState) -> BatchState.Action) {
    let start: Component? = Component.locked {
      event(&state) == .uniteAndPass ? unite() : nil
    }
    start?.submitRarely(.fire, self)
  }

  private func unite() -> Component {
    var found: Component?
    each {
      $0.join()
      if let node = $0.rootNode { found = .union(found, node.home.root) }
    }
    let united = found ?? Propagation()
    home = united
    each { $0.home = united }
    return nextWay
  }

  override func next(after component: Component) -> Component {
    if let parent = component.parent, parent.isUnited { return parent }
    return nextWay
  }

  /// Where the next way begins that leads through components with a parent; in the end the root.
  private var nextWay: Component {
    while way < members.count {
      let route = members.element(at: way).rootNode?.route
      way &+= 1
      if let route, route.isUnited { return route }
    }
    return home.unsafelyUnwrapped.root
  }

  // MARK: Inside the component

  override func perform(in propagation: Propagation) {
    propagation.take(self)
    each { $0.finish(propagation) }
    if step({ $0.told() }) == .letGo { each { $0.core.letGoOfHold() } }
  }

  override func begin(in propagation: Propagation) {
    guard step({ $0.entered() }) == .workOut else { return }
    let token = currentThread().token
    each { $0.core.worker.store(token, ordering: .relaxed) }
    changes.each { workOut($0) }
    each { $0.settle() }
    each { $0.feed(propagation) }
  }

  override func publish(in propagation: Propagation) {
    Component.locked {
      each { $0.publish(propagation) }
      propagation.publish()
      _ = state.published()
    }
    let thread = currentThread()
    each { $0.core.begin(thread) }
    if rac_recording_is_on() { recordChanges() }
  }

  /// Of several each is its own cause: none was set alone.
  @inline(never)
  private func recordChanges() {
    let thread = currentThread()
    let cause = thread.pointee.recorded_node
    each {
      if members.count > 1 { _ = $0.core.recordedAsCause() }
      $0.recordChange()
    }
    thread.pointee.recorded_node = cause
  }

  override func deliver(in propagation: Propagation) { each { $0.deliver() } }

  private func step(_ event: (inout BatchState) -> BatchState.Action) -> BatchState.Action {
    Component.locked { event(&state) }
  }

  private func each(_ body: (BatchMember) -> Void) { members.each(body) }

  // MARK: Working out the values

  /// And then the changes that properties bound to it pass on.
  private func workOut(_ change: BatchedChange) {
    make(change)
    while !told.isEmpty {
      let all = told
      told = []
      for change in all { make(change) }
    }
  }

  private func make(_ change: BatchedChange) {
    if change.origin?.isDisposed ?? false { return }
    var next = Value.null
    var answer = change.make(&next)
    if answer >= 0 { answer = change.core.change(next, change.stamp, from: change.origin) }
    next.release()
    if answer < 0 && answer != Status.done && status >= 0 { status = answer }
  }

  func hear(_ change: BatchedChange) { told.append(change) }
}
