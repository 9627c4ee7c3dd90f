import CRACShims
import Synchronization

/// Values of nodes at one time, where the cells do not have them: of drafts, which no propagation
/// keeps up to date (see Draft), and, for the thread whose batch is open, of what follows from the
/// sets of that. For these the callbacks run once more, on this thread, on what a snapshot has of
/// all others. No other thread sees the results.
final class Evaluation: Object {
  private let batch: SetCollector?
  /// A callback that derives from what it makes would have no end: that far down every value is
  /// taken as it is.
  private let isDeep = currentThread().pointee.deriving >= 8
  /// Nodes whose callbacks run, or which the batch has set, inputs first. `first` is the place of
  /// the first input's number in `inputs`.
  @exclusivity(unchecked) private var moved: [(node: GraphNode, first: Int, count: Int)] = []
  @exclusivity(unchecked) private var inputs: [Int] = []
  @exclusivity(unchecked) private var values = ValueLine()
  /// Other goals and inputs.
  @exclusivity(unchecked) private var others: [GraphNode] = []
  @exclusivity(unchecked) private var snapshot: Snapshot?
  /// All goals are in their cells.
  @exclusivity(unchecked) private var isPlain = true
  /// Of a node: its place in `moved`, or, from -1 down, in `others`; or `apart`.
  private let numbers = ObjectNumbers()
  private static let apart = Int.min

  /// nil: there is no memory for it.
  @inline(never)
  init?(of goals: [GraphNode], in batch: SetCollector? = nil) {
    self.batch = batch
    super.init()
    goals.each { if batch != nil || !$0.isSettled { isPlain = false } }
    if isPlain {
      others = goals
    } else {
      Component.locked {
        goals.each {
          find($0)
          _ = number(of: $0)
        }
      }
    }
    snapshot = Snapshot.take(of: others)
    if snapshot == nil { return nil }
    moved.each { values.append(value(of: $0, $1, $2) ?? $0.owner.latest.read()) }
  }

  /// Of a goal, and its place among them: lent.
  func result(of goal: GraphNode, _ index: Int) -> (value: Value, version: UInt64) {
    result(isPlain ? -1 &- index : number(of: goal))
  }

  private func result(_ number: Int) -> (value: Value, version: UInt64) {
    if number >= 0 { return (values[number], NodeInputs.unknown) }
    guard let snapshot else { return (.null, NodeInputs.unknown) }
    return (snapshot.values[-1 &- number], snapshot.versions[-1 &- number])
  }

  // MARK: Under the lock of components, under which nodes keep their inputs

  /// Depth first, without a stack of the thread's.
  private func find(_ goal: GraphNode) {
    var open = NodeList()
    open.append(goal)
    while let node = open.popLast() {
      if numbers.number(of: node) != nil { continue }
      var isReady = true
      eachInput(of: node) {
        if numbers.number(of: $0) != nil { return }
        if isReady { open.append(node) }
        isReady = false
        open.append($0)
      }
      if isReady { add(node) }
    }
    open.deallocate()
  }

  private func add(_ node: GraphNode) {
    var isMoved = !isDeep && (!node.isSettled || batch?.hasSet(node.owner) ?? false)
    eachInput(of: node) { if numbers.number(of: $0) ?? Evaluation.apart >= 0 { isMoved = true } }
    numbers.set(isMoved ? moved.count : Evaluation.apart, of: node)
    guard isMoved else { return }
    let first = inputs.count
    eachInput(of: node) { inputs.append(number(of: $0)) }
    moved.append((node, first, inputs.count &- first))
  }

  private func number(of node: GraphNode) -> Int {
    let number = numbers.number(of: node) ?? Evaluation.apart
    if number != Evaluation.apart { return number }
    others.append(node)
    numbers.set(0 &- others.count, of: node)
    return 0 &- others.count
  }

  /// Not of a node whose value is in its cell in any case.
  private func eachInput(of node: GraphNode, _ body: (GraphNode) -> Void) {
    if isDeep || batch == nil && node.isSettled { return }
    (node as? DerivedNode)?.inputs.forEach { input, _ in body(input) }
  }

  // MARK: Outside of it

  /// nil: a callback failed, or an input is over. Then the value is the one before, as in a turn.
  private func value(of node: GraphNode, _ first: Int, _ count: Int) -> Value? {
    guard let derived = node as? DerivedNode else { return batch?.read(node.owner) }
    if count == 0 { return nil }
    // Lent.
    var given: [Value] = []
    for index in Places(count) {
      let number = inputs.element(at: first &+ index)
      let input = number < 0 ? others.element(at: -1 &- number) : moved.element(at: number).node
      if input.isForgotten.load(ordering: .relaxed) { return nil }
      given.append(result(number).value)
    }
    var made = Value.null
    let status = given.withUnsafeMutableBufferPointer {
      derived.runOutside($0.baseAddress.unsafelyUnwrapped, count, &made)
    }
    return status < 0 ? nil : made
  }
}
