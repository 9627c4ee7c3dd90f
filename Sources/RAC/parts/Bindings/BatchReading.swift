import CRACShims

/// The value of a derived property for the thread whose batch is open: the callbacks run on the
/// values that the batch has set, and on other properties as one turn has left them. No other
/// thread sees the results.
struct BatchReading {
  private let batch: SetCollector
  /// Nodes whose values follow from what the batch has set, inputs first. `first` is the place of
  /// the first input's number in `inputs`.
  private var moved: [(node: GraphNode, first: Int, count: Int)] = []
  private var inputs: [Int] = []
  /// Their other inputs.
  private var others: [GraphNode] = []
  /// By a node's address: its place in `moved`, or, from -1 down, in `others`; or `apart`.
  private let numbers = ObjectNumbers()
  private static let apart = Int.min

  /// Owned by the caller; nil: the property is made of nothing that the batch has set.
  @inline(never)
  static func read(_ node: GraphNode, in batch: SetCollector) -> Value? {
    var reading = BatchReading(batch: batch)
    Component.locked { reading.find(node) }
    if reading.moved.isEmpty { return nil }
    return Snapshot.take(of: reading.others).map { reading.compute($0) }
  }

  private init(batch: SetCollector) { self.batch = batch }

  /// Depth first, without a stack of the thread's. Under the lock of components, under which nodes
  /// keep their inputs.
  private mutating func find(_ goal: GraphNode) {
    var open = NodeList()
    open.append(goal)
    while let node = open.popLast() {
      if numbers.number(of: node) != nil { continue }
      var isReady = true
      BatchReading.eachInput(of: node) {
        if numbers.number(of: $0) != nil { return }
        if isReady { open.append(node) }
        isReady = false
        open.append($0)
      }
      if isReady { add(node) }
    }
    open.deallocate()
  }

  private mutating func add(_ node: GraphNode) {
    var isMoved = batch.hasSet(node.owner)
    BatchReading.eachInput(of: node) {
      if numbers.number(of: $0) ?? BatchReading.apart >= 0 { isMoved = true }
    }
    numbers.set(isMoved ? moved.count : BatchReading.apart, of: node)
    guard isMoved else { return }
    let first = inputs.count
    BatchReading.eachInput(of: node) {
      if numbers.number(of: $0) == BatchReading.apart {
        others.append($0)
        numbers.set(0 &- others.count, of: $0)
      }
      inputs.append(numbers.number(of: $0) ?? 0)
    }
    moved.append((node, first, inputs.count &- first))
  }

  private static func eachInput(of node: GraphNode, _ body: (GraphNode) -> Void) {
    (node as? DerivedNode)?.inputs.forEach { input, _ in body(input) }
  }

  /// The value of the last one, owned by the caller.
  private func compute(_ snapshot: Snapshot) -> Value {
    var values = ValueLine()
    moved.each { node, first, count in
      values.append(
        value(of: node, first, count, snapshot, values) ?? node.owner.latest.read())
    }
    return values.popLast() ?? .null
  }

  /// nil: a callback failed. Then the value is the one before, as in a turn.
  private func value(
    of node: GraphNode, _ first: Int, _ count: Int, _ snapshot: Snapshot,
    _ values: borrowing ValueLine
  ) -> Value? {
    guard let derived = node as? DerivedNode else { return batch.read(node.owner) }
    // Lent.
    var given: [Value] = []
    var index = first
    while index < first &+ count {
      let number = inputs.element(at: index)
      given.append(number >= 0 ? values[number] : snapshot.values[-1 &- number])
      index &+= 1
    }
    var made = Value.null
    let status = given.withUnsafeMutableBufferPointer {
      derived.runForDraft($0.baseAddress.unsafelyUnwrapped, count, &made)
    }
    return status < 0 ? nil : made
  }
}
