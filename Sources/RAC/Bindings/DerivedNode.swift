import CRACShims
import Synchronization

/// A derived property's place in the graph: a callback makes its value of those of other nodes.
final class DerivedNode: GraphNode {
  var inputs: NodeInputs
  let context: Context
  let derivation: Derivation
  /// The inputs tell of their changes.
  private var isConnected = false

  // While it is a draft, of who has the claim.

  var hasFirst = false
  /// How often the value has changed since; then it is `fresh`. In the end, whether it is that one
  /// with which the node was connected, and as which version.
  var changesOfDraft: UInt64 = 0
  var versionOfDraft: UInt64 = 0
  /// What wanted to connect the node when it was claimed. Of who swaps the flag.
  var suspended: Connecting?
  let hasSuspended = Atomic<Bool>(false)
  /// Nodes to be connected after this one. Inside the turn.
  var followers: Connecting?
  /// Who searched last for drafts. Under the lock of the parts.
  var search: UInt64 = 0

  /// Takes the inputs over.
  init(
    _ inputs: NodeInputs, isDistinct: Bool, _ context: Context, _ derivation: Derivation,
    home: GraphTurn
  ) {
    self.inputs = inputs
    self.context = context
    self.derivation = derivation
    var height: Int32 = 0
    var index = 0
    while index < inputs.count {
      height = inputs.node(at: index)._withUnsafeGuaranteedRef { max(height, $0.height) }
      index &+= 1
    }
    super.init(.null, isDistinct: isDistinct, height: height &+ 1, home: home, isDraft: true)
  }

  deinit { inputs.deallocate() }

  override func close() {
    turn.submitRarely(.completed, NodeCarrier(self))
    turn.submitRarely(.close, NodeCarrier(self))
  }

  // MARK: Inside the turn

  override func compute() -> Bool {
    let status = derivation.run(context, inputs.values, inputs.count, &fresh)
    if status < 0 {
      endError = Callback.error(from: status)
      isDoomed = true
      return false
    }
    if isDistinct && fresh.isSame(as: current) {
      fresh.release()
      return false
    }
    return true
  }

  /// From here on the inputs tell of their changes. False: an input has ended, or there is no
  /// memory, and this node ends, too.
  func connect() -> Bool {
    var index = 0
    while index < inputs.count {
      inputs.node(at: index)._withUnsafeGuaranteedRef {
        inputs.values[index] = $0.current
        let place = $0.edges.append(self, index)
        inputs.places[index] = place ?? NodeInputs.nowhere
        if place != nil { $0.owner.countDerived(1) }
        if isDoomed { return }
        if $0.hasEnded {
          isDoomed = true
          endError = $0.endError?.retained()
        } else if place == nil {
          isDoomed = true
          endError = .error("rac", Status.noMemory, "not enough memory for a derived property")
        }
      }
      index &+= 1
    }
    isConnected = true
    return !isDoomed
  }

  /// It has ended: the inputs are let go of; of a draft, when that is settled.
  func disconnect() {
    guard isSettled else { return }
    if isConnected {
      isConnected = false
      var index = 0
      while index < inputs.count {
        inputs.node(at: index)._withUnsafeGuaranteedRef {
          let place = inputs.places[index]
          if place == NodeInputs.nowhere { return }
          $0.edges.remove(place)
          $0.owner.countDerived(-1)
        }
        index &+= 1
      }
    }
    inputs.letGo()
  }

  override func visitLasting(_ visitor: inout Visitor) { visitor.reference(context) }
  override func visitInputs(_ visitor: inout Visitor) { inputs.visit(&visitor) }
}

/// What a derived property makes its value with.
enum Derivation {
  case map(rac_map_fn)
  case reduce(rac_reduce_each_fn)

  /// The same where the code had better be short.
  @inline(never)
  func runRarely(
    _ context: Context, _ values: UnsafeMutablePointer<Value>, _ count: Int, _ out: inout Value
  ) -> rac_status { run(context, values, count, &out) }

  /// Calls the callback; `out` is owned if it does not fail.
  @inline(__always)
  func run(
    _ context: Context, _ values: UnsafeMutablePointer<Value>, _ count: Int, _ out: inout Value
  ) -> rac_status {
    var made = Value.null
    let status: rac_status
    switch self {
    case .map(let transform): status = transform(context.pointer, values[0], &made)
    case .reduce(let reduce): status = reduce(context.pointer, values, count, &made)
    }
    if !Callback.hasFailed(status), made.kind <= Value.Kind.double {
      out = made.scalar
      return status
    }
    return Derivation.admit(made, status, &out)
  }

  @inline(never)
  private static func admit(_ made: Value, _ status: rac_status, _ out: inout Value) -> rac_status {
    if Callback.hasFailed(status) {
      made.release()
      return status
    }
    switch made.admitted() {
    case .sound: out = made.kept()
    case .copied(let copy): out = copy
    case .refused(let refusal, _): return refusal
    }
    return status
  }
}

/// The inputs of a node: their latest values in a row, as the callback gets them, and the nodes.
/// The values are those of the nodes, which keep them until they have written the next one here.
struct NodeInputs {
  let values: UnsafeMutablePointer<Value>
  /// The place of each edge in its list.
  let places: UnsafeMutablePointer<Int32>
  /// Of a draft: the versions of the values that its own was made of.
  let versions: UnsafeMutablePointer<UInt64>
  static let unknown: UInt64 = .max
  /// Of an edge for which there was no memory.
  static let nowhere: Int32 = -1
  private let nodes: UnsafeMutablePointer<Unmanaged<GraphNode>>
  private(set) var count: Int
  private let block: UnsafeMutableRawPointer

  /// nil: there is not enough memory.
  init?(_ inputs: [GraphNode]) {
    let size = MemoryLayout<Value>.stride &+ MemoryLayout<Unmanaged<GraphNode>>.stride &+ 12
    guard let block = rac_shim_allocate_checked(max(inputs.count, 1) &* size) else { return nil }
    count = inputs.count
    self.block = block
    values = block.assumingMemoryBound(to: Value.self)
    let nodes = (block + count &* MemoryLayout<Value>.stride)
      .assumingMemoryBound(to: Unmanaged<GraphNode>.self)
    self.nodes = nodes
    versions = UnsafeMutableRawPointer(nodes + count).assumingMemoryBound(to: UInt64.self)
    places = UnsafeMutableRawPointer(versions + count).assumingMemoryBound(to: Int32.self)
    var index = 0
    while index < count {
      values[index] = .null
      versions[index] = NodeInputs.unknown
      nodes[index] = .passRetained(inputs[index])
      index &+= 1
    }
  }

  @inline(__always)
  func node(at index: Int) -> Unmanaged<GraphNode> { nodes[index] }

  /// The edge to this input has another place now.
  func moved(_ position: Int, to place: Int32) { places[position] = place }

  /// Gives the nodes back, and what was made for them.
  func visit(_ visitor: inout Visitor) {
    var index = 0
    while index < count {
      visitor.reference(nodes[index].toOpaque())
      index &+= 1
    }
  }

  mutating func letGo() {
    let released = count
    count = 0
    var index = 0
    while index < released {
      let input = nodes[index]
      input._withUnsafeGuaranteedRef { $0.lostDependent() }
      input.drop()
      index &+= 1
    }
  }

  mutating func deallocate() {
    letGo()
    rac_shim_free(block)
  }
}
