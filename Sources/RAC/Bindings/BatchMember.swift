import Synchronization

/// A property that a batch changes, and what becomes of it.
final class BatchMember: Object {
  let core: MutablePropertyCore
  /// The one that is told of the change.
  private(set) var rootNode: RootNode?
  private(set) var hasChanged = false
  /// What everybody still sees.
  private var before: Value = .null
  /// What it was meanwhile: lent to callbacks, which may set the property themselves.
  private var spent = ValueLine()
  private var origin: Tie?
  private var time: UInt64 = 0
  private var retired = LatestValue.none
  /// The next one of the batch.
  var following: BatchMember?

  init(_ core: MutablePropertyCore) { self.core = core }

  /// What a batch does with all of its properties, one after the other.
  enum Step { case beginWork, endWork, feed, publish, beginDelivery, deliver, finish, letGo }

  @inline(never)
  func go(_ step: Step, _ turn: GraphTurn) {
    switch step {
    case .beginWork: beginWork()
    case .endWork: endWork()
    case .feed: feed(turn)
    case .publish: publish(turn)
    case .beginDelivery: core.begin(currentThread())
    case .deliver: deliver()
    case .finish: finish(turn)
    case .letGo: core.submitRarely(.fire, BatchClaim(by: nil))
    }
  }

  private func beginWork() {
    core.member = self
    core.worker.store(currentThread().token, ordering: .relaxed)
  }

  /// The next value, which is taken over. Nobody else sees it yet.
  func take(_ fresh: Value, _ time: UInt64, _ origin: Tie?) {
    if hasChanged {
      spent.append(core.current)
    } else {
      hasChanged = true
      before = core.current
    }
    core.current = fresh
    self.time = time
    self.origin = origin
  }

  /// That was the last one.
  private func endWork() {
    core.worker.store(0, ordering: .relaxed)
    core.member = nil
    spent.deallocate()
    guard hasChanged, core.isDistinct, core.current.isSame(as: before) else { return }
    core.current.release()
    core.current = before
    hasChanged = false
  }

  /// The graph's part in it. Under the lock of the parts.
  func join(_ commit: BatchCommit) -> RootNode? {
    core.batch = commit
    rootNode = core.rootNode
    return rootNode
  }

  private func feed(_ turn: GraphTurn) {
    guard hasChanged, let rootNode else { return }
    rootNode.fresh = core.current.retained()
    turn.bring(rootNode)
  }

  /// Under the lock of the parts.
  private func publish(_ turn: GraphTurn) {
    core.batch = nil
    guard hasChanged else { return }
    core.previous = before
    retired = core.publishRarely(core.current)
    if core.rootNode !== rootNode {
      // Made meanwhile; nothing depends on it yet.
      rootNode = core.rootNode
      feed(turn)
    }
  }

  private func deliver() {
    guard hasChanged else { return }
    core.origin = origin.map { .passUnretained($0) }
    core.changeTime = time
    core.sendCarefully(core.current)
    core.origin = nil
    core.changeTime = 0
  }

  /// All have heard. Who came meanwhile is admitted inside the gate, as the property is let go.
  private func finish(_ turn: GraphTurn) {
    core.stopDelivering()
    LatestValue.retire(retired)
    guard let rootNode else { return }
    rootNode.known = core.latest.version
    rootNode.shorten(to: turn)
  }
}
