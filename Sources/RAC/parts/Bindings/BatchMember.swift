import Synchronization

/// A property that a batch changes, and its values before and after.
final class BatchMember: PropertyHolder {
  let core: MutablePropertyCore
  /// Kept by the operation that goes on with it.
  let commit: Unmanaged<BatchCommit>
  /// The one that is told of the change.
  @exclusivity(unchecked) private(set) var rootNode: RootNode?
  @exclusivity(unchecked) private var hasChanged = false
  /// The value that all threads still see.
  @exclusivity(unchecked) private var before: Value = .null
  /// Values that it had meanwhile: lent to callbacks, which may set the property themselves.
  @exclusivity(unchecked) private var spent = ValueLine()
  @exclusivity(unchecked) private var origin: Tie?
  @exclusivity(unchecked) private var time: UInt64 = 0
  @exclusivity(unchecked) private var retired = SeqlockValue.none

  init(_ core: MutablePropertyCore, of commit: BatchCommit) {
    self.core = core
    self.commit = .passUnretained(commit)
  }

  /// The graph's part in it. Under the lock of components.
  func join() {
    if core.inLine === self { core.inLine = nil }
    core.holder = self
    rootNode = core.rootNode
  }

  override func join(_ value: Value, from origin: Tie?) -> Object? {
    commit._withUnsafeGuaranteedRef {
      $0.append(BatchedChange.set(core, value, from: origin))
    }
  }

  // MARK: Working out the value

  override func take(_ fresh: Value, _ time: UInt64, _ origin: Tie?) {
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

  override func hear(_ value: Value, _ stamp: Stamp, from tie: Tie) {
    commit._withUnsafeGuaranteedRef {
      $0.hear(BatchedChange(core, value.retained(), .set, stamp, from: tie))
    }
  }

  /// That was the last one.
  func settle() {
    core.worker.store(0, ordering: .relaxed)
    spent = ValueLine()
    guard hasChanged, core.isDistinct, core.current.isSame(as: before) else { return }
    core.current.release()
    core.current = before
    hasChanged = false
  }

  // MARK: Telling

  func feed(_ propagation: Propagation) {
    guard hasChanged, let rootNode else { return }
    rootNode.fresh = core.current.retained()
    propagation.change(rootNode)
  }

  /// Under the lock of components.
  func publish(_ propagation: Propagation) {
    core.holder = nil
    guard hasChanged else { return }
    core.previous = before
    retired = core.publish(core.current)
    if core.rootNode !== rootNode {
      // Made meanwhile; nothing depends on it yet.
      rootNode = core.rootNode
      feed(propagation)
    }
  }

  func recordChange() {
    if hasChanged { core.recordChange() }
  }

  func deliver() {
    guard hasChanged else { return }
    core.origin = origin.map { .passUnretained($0) }
    core.changeTime = time
    core.sendCarefully(core.current)
    core.origin = nil
    core.changeTime = 0
  }

  /// All have heard. Newcomers are admitted inside the gate, as the property is let go.
  func finish(_ propagation: Propagation) {
    core.stopDelivering()
    SeqlockValue.retire(retired)
    guard let rootNode else { return }
    rootNode.known = core.latest.version
    rootNode.shorten(to: propagation)
  }
}
