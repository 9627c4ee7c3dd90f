import CRACShims
import Synchronization

/// A derived property that has its first value, but no place in the graph yet: another thread may
/// be inside the component, or this one further up. Until then it is a draft.
///
/// No propagation brings the value of a draft up to date. That harms no reader of that value alone.
/// But another property derived from it, and from others that have moved on, would put together
/// what does not belong together. So deriving *pulls*: it reads the inputs of all drafts below at
/// one time, and calls back those that were made of older ones, the lowest first.
///
/// ```
/// free --claim--> claimed --give back--> free --connect--> connecting --settle--> settled
/// ```
/// A callback runs on one thread at a time all the same: a thread claims all drafts below before it
/// pulls, or none of them, so nobody waits in a circle. It waits for callbacks of theirs that run
/// elsewhere, unless it is inside such a callback already: then it takes those drafts as they are.
/// A connection never waits for a claim: giving the claim back starts it again. All of these are
/// steps under the lock of components.
///
/// A pulled value is in the cell, for every reader. `current` stays what subscribers were told, and
/// `retired` keeps that, until the connection tells them of the newer one, which is `fresh`.
extension DerivedNode {
  private static let free: UInt = 0
  private static let connecting: UInt = 1

  // MARK: Making the value, outside of the component

  /// Makes the first value, of inputs of one time. The answer is the callback's.
  func makeFirst() -> rac_status {
    let thread = currentThread()
    let drafts = claimDrafts(thread)
    let pulled = drafts + [self]
    var count = 0
    for node in pulled { count &+= node.inputs.count }
    var read = [GraphNode](withRoomFor: count)
    for node in pulled {
      node.inputs.forEach { input, _ in if !input.isClaimed(by: thread) { read.append(input) } }
    }
    var status = Status.noMemory
    if let snapshot = Snapshot.take(of: read) {
      var place = 0
      thread.pointee.deriving = thread.pointee.deriving &+ 1
      for node in pulled { status = node.pull(snapshot, &place, thread) }
      thread.pointee.deriving = thread.pointee.deriving &- 1
      // Callbacks are lent its values.
      withExtendedLifetime(snapshot) {}
    }
    giveBack(drafts)
    return status
  }

  /// `place`: where the inputs begin in the snapshot.
  private func pull(_ snapshot: Snapshot, _ place: inout Int, _ thread: Thread) -> rac_status {
    var isStale = false
    var isOver = false
    inputs.forEach { input, index in
      let version: UInt64
      if input.isClaimed(by: thread) {
        inputs.values[index] = input.fresh
        version = input.latest.version
      } else {
        inputs.values[index] = snapshot.values[place]
        version = snapshot.versions[place]
        place &+= 1
      }
      if input.isForgotten.load(ordering: .relaxed) { isOver = true }
      if version != inputs.versions[index] { isStale = true }
      inputs.versions[index] = version
    }
    // With an input that is over the value stays what it is, as in a propagation.
    return isStale && !(isOver && firstVersion != 0) ? makeAnew() : Status.ok
  }

  private func makeAnew() -> rac_status {
    var made = Value.null
    let status = runForDraft(inputs.values, inputs.count, &made)
    if status < 0 {
      // To be found out again when the node is connected.
      inputs.versions[0] = NodeInputs.unknown
    } else if firstVersion == 0 {
      SeqlockValue.retire(publish(made))
      fresh = made
      firstVersion = latest.version
    } else if isDistinct && made.isSame(as: fresh) {
      made.release()
    } else {
      let before = latest.store(made)
      if latest.version == firstVersion &+ 1 {
        retired = before
      } else {
        SeqlockValue.retire(before)
      }
      fresh = made
    }
    return status
  }

  // MARK: Claims

  /// All drafts that the inputs are made of, themselves included, the lowest first.
  private func claimDrafts(_ thread: Thread) -> [DerivedNode] {
    var areSettled = true
    inputs.forEach { input, _ in if !input.isSettled { areSettled = false } }
    if areSettled { return [] }
    var rounds = 0
    while true {
      if let claimed = Component.locked({ claimAllOrNone(thread) }) { return claimed }
      rounds &+= 1
      if rounds < 1000 { rac_shim_pause() } else { rac_shim_sleep_until(rac_shim_now() &+ 50_000) }
    }
  }

  /// nil: another thread has one of them. Under the lock, where a draft stays one.
  private func claimAllOrNone(_ thread: Thread) -> [DerivedNode]? {
    var open = NodeList()
    var line = HeightQueue()
    var count = 0
    var isRefused = false
    inputs.forEach { input, _ in open.append(input) }
    while !isRefused, let node = open.popLast() {
      if node.isSettled || node.isClaimed(by: thread) { continue }
      guard node.claim.load(ordering: .relaxed) == DerivedNode.free else {
        isRefused = thread.pointee.deriving == 0
        continue
      }
      node.claim.store(thread.token, ordering: .relaxed)
      line.append(node)
      count &+= 1
      unsafeDowncast(node, to: DerivedNode.self).inputs.forEach { input, _ in open.append(input) }
    }
    var claimed = [DerivedNode](withRoomFor: count)
    while let node = line.popFirst() {
      node._withUnsafeGuaranteedRef { claimed.append(unsafeDowncast($0, to: DerivedNode.self)) }
    }
    open.deallocate()
    line.deallocate()
    if !isRefused { return claimed }
    claimed.each { $0.claim.store(DerivedNode.free, ordering: .relaxed) }
    return nil
  }

  private func giveBack(_ drafts: [DerivedNode]) {
    if drafts.isEmpty { return }
    var woken: [PropagationTask] = []
    Component.locked {
      drafts.each { draft in
        draft.claim.store(DerivedNode.free, ordering: .relaxed)
        draft.wake(&woken)
      }
    }
    woken.each { $0.start() }
  }

  private func wake(_ woken: inout [PropagationTask]) {
    waiting.each { woken.append($0) }
    waiting = []
  }

  // MARK: Connecting, inside the component

  /// Whether the node may be connected now, after those that it is made of; else the task is
  /// started again when it may.
  func admits(_ connection: PropagationTask) -> Bool {
    Component.locked {
      var obstacle = claim.load(ordering: .relaxed) == DerivedNode.free ? nil : self
      inputs.forEach { input, _ in
        if !input.isSettled { obstacle = unsafeDowncast(input, to: DerivedNode.self) }
      }
      if let obstacle {
        obstacle.waiting.append(connection)
        return false
      }
      claim.store(DerivedNode.connecting, ordering: .relaxed)
      return true
    }
  }

  /// Whether the inputs still have the values that its own was made of.
  var isUpToDate: Bool {
    var isSame = true
    inputs.forEach { input, index in
      if input.latest.version != inputs.versions[index] { isSame = false }
    }
    return isSame
  }

  /// The propagation goes on from the latest value. The one before stays good until the result is
  /// retired. nil: it is the first one still.
  func adopt() -> SeqlockValue.Retired? {
    if latest.version == firstVersion { return nil }
    previous = current
    current = fresh
    return retired
  }

  /// The node has its place, or has ended. Connections that wait for it go on.
  func settle() {
    var woken: [PropagationTask] = []
    Component.locked {
      claim.store(GraphNode.settled, ordering: .releasing)
      wake(&woken)
    }
    if isForgotten.load(ordering: .relaxed) { forget() }
    if hasEnded { disconnect() }
    woken.each { $0.start() }
  }
}

extension GraphNode {
  fileprivate func isClaimed(by thread: Thread) -> Bool {
    claim.load(ordering: .relaxed) == thread.token
  }
}

/// A new node takes its place in the graph.
final class Connecting: PropagationTask {
  private let node: DerivedNode
  private var isAdmitted = false
  /// The value that subscribers were told last, if they have yet to hear of the latest one.
  private var told: SeqlockValue.Retired?
  private var version: UInt64 = 0

  init(_ node: DerivedNode, _ inputs: [GraphNode]) {
    self.node = node
    super.init(inputs)
  }

  override func begin(in propagation: Propagation) {
    isAdmitted = node.admits(self)
    guard isAdmitted else { return }
    let isUpToDate = node.isUpToDate
    told = node.adopt()
    version = node.latest.version
    // Released before its turn came.
    if node.hasEnded { return }
    if !node.connect() {
      propagation.doom(node)
    } else if !isUpToDate {
      propagation.putInLine(node)
    }
  }

  override func publish(in propagation: Propagation) {
    propagation.publish()
    if isAdmitted { node.settle() }
  }

  override func deliver(in propagation: Propagation) {
    guard let told else { return }
    if node.latest.version == version { node.sendCarefully(node.current) }
    SeqlockValue.retire(told)
  }
}
