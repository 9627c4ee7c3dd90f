import CRACShims
import Synchronization

/// Values of several nodes that belong together: those that one propagation left behind, read from
/// outside as a seqlock is, with the epochs of all components on the nodes' ways as the sequence.
///
/// A reader beside setters that are as fast as they can be may have to read again and again. Before
/// long it asks the component, which takes the snapshot between two propagations. So it is had when
/// propagations go on, and when they do not.
final class Snapshot: PropagationTask {
  /// Owned, once it is filled.
  let values: UnsafeMutablePointer<Value>
  let versions: UnsafeMutablePointer<UInt64>
  private let filled = Atomic<Bool>(false)

  /// nil: there is not enough memory.
  static func take(of nodes: [GraphNode]) -> Snapshot? {
    guard let snapshot = Snapshot(checked: nodes) else { return nil }
    var tries = 0
    while tries < patience {
      if snapshot.read() { return snapshot }
      tries &+= 1
      rac_shim_pause()
    }
    guard let request = Snapshot(checked: nodes) else { return nil }
    request.start()
    while true {
      if request.isFilled { return request }
      if snapshot.read() { return snapshot }
      rac_shim_pause()
    }
  }

  private static let patience = 100

  private init?(checked nodes: [GraphNode]) {
    let size = MemoryLayout<Value>.stride &+ MemoryLayout<UInt64>.stride
    guard let block = rac_shim_allocate_checked(max(nodes.count, 1) &* size) else { return nil }
    values = block.assumingMemoryBound(to: Value.self)
    versions = (block + nodes.count &* MemoryLayout<Value>.stride)
      .assumingMemoryBound(to: UInt64.self)
    super.init(nodes)
  }

  /// False: something was published meanwhile.
  private func read() -> Bool {
    guard let before = epoch else { return false }
    fill()
    if epoch == before { return true }
    releaseValues()
    return false
  }

  private func fill() {
    var index = 0
    nodes.each { node in
      (values[index], versions[index]) = node.latest.readWithVersion()
      index &+= 1
    }
    filled.store(true, ordering: .releasing)
  }

  /// Grows with everything that is published where the nodes may be. nil: something is being
  /// published.
  private var epoch: UInt64? {
    var sum: UInt64 = 0
    var isStill = true
    nodes.each { node in
      var next: Component? = node.home
      while isStill, let component = next {
        let published = component.epoch.load(ordering: .acquiring)
        if published & 1 != 0 { isStill = false }
        sum = sum &+ published
        next = component.parent
      }
    }
    return isStill ? sum : nil
  }

  private func releaseValues() {
    filled.store(false, ordering: .relaxed)
    for index in Places(nodes.count) { values[index].release() }
  }

  override func perform(in propagation: Propagation) { fill() }
  private var isFilled: Bool { filled.load(ordering: .acquiring) }

  deinit {
    if isFilled { releaseValues() }
    rac_shim_free(values)
  }
}
