import CRACShims
import Synchronization

/// Values of several nodes that belong together: those that one turn left behind, read from
/// outside.
///
/// A turn publishes its values while its epoch is odd. What was read while nothing was published is
/// of one time. Who reads while others set as fast as they can may have to read again and again;
/// before long it asks the turn itself, which takes the snapshot between two turns. So it is had
/// when turns go on, and when they do not.
struct Snapshot {
  /// Owned.
  let values: UnsafeMutablePointer<Value>
  let versions: UnsafeMutablePointer<UInt64>
  private let count: Int

  /// nil: there is not enough memory.
  @inline(never)
  static func take(of nodes: [GraphNode]) -> Snapshot? {
    guard let snapshot = Snapshot(count: nodes.count) else { return nil }
    var tries = 0
    while tries < patience {
      if snapshot.read(nodes) { return snapshot }
      tries &+= 1
      rac_shim_pause()
    }
    return snapshot.takeSlowly(nodes)
  }

  private static let patience = 100

  private init?(count: Int) {
    self.count = count
    let size = MemoryLayout<Value>.stride &+ MemoryLayout<UInt64>.stride
    guard let block = rac_shim_allocate_checked(max(count, 1) &* size) else { return nil }
    values = block.assumingMemoryBound(to: Value.self)
    versions = (block + count &* MemoryLayout<Value>.stride).assumingMemoryBound(to: UInt64.self)
  }

  @inline(never)
  private func takeSlowly(_ nodes: [GraphNode]) -> Snapshot? {
    guard let other = Snapshot(count: count) else {
      rac_shim_free(values)
      return nil
    }
    let request = SnapshotRequest(nodes, other)
    request.start()
    while true {
      if request.isAnswered {
        rac_shim_free(values)
        return request.answer()
      }
      if read(nodes) { return self }
      rac_shim_pause()
    }
  }

  /// False: something was published meanwhile.
  @inline(never)
  private func read(_ nodes: [GraphNode]) -> Bool {
    guard let before = Snapshot.epoch(of: nodes) else { return false }
    fill(nodes)
    if Snapshot.epoch(of: nodes) == before { return true }
    releaseValues()
    return false
  }

  fileprivate func fill(_ nodes: [GraphNode]) {
    var index = 0
    for node in nodes {
      (values[index], versions[index]) = node.latest.readWithVersion()
      index &+= 1
    }
  }

  /// Grows with everything that is published where the nodes may be. nil: something is being
  /// published.
  private static func epoch(of nodes: [GraphNode]) -> UInt64? {
    var sum: UInt64 = 0
    for node in nodes {
      var turn: GraphTurn? = node.home
      while let part = turn {
        let published = part.published
        if published & 1 != 0 { return nil }
        sum = sum &+ published
        turn = part.parent
      }
    }
    return sum
  }

  fileprivate func releaseValues() {
    var index = 0
    while index < count {
      values[index].release()
      index &+= 1
    }
  }

  func deallocate() {
    releaseValues()
    rac_shim_free(values)
  }
}

/// Has the turn take a snapshot, which is let go of with the request unless somebody wants it.
private final class SnapshotRequest: TurnTask {
  private var snapshot: Snapshot?
  private let isFilled = Atomic<Bool>(false)

  init(_ nodes: [GraphNode], _ snapshot: Snapshot) {
    self.snapshot = snapshot
    super.init(nodes)
  }

  override func perform(in turn: GraphTurn) {
    snapshot?.fill(nodes)
    isFilled.store(true, ordering: .releasing)
  }

  var isAnswered: Bool { isFilled.load(ordering: .acquiring) }

  func answer() -> Snapshot? { snapshot.take() }

  deinit {
    guard let snapshot else { return }
    if isAnswered { snapshot.releaseValues() }
    rac_shim_free(snapshot.values)
  }
}
