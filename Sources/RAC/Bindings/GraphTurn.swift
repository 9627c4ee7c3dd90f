import CRACShims
import Synchronization

/// The turn in which a part of the graph changes: the nodes that are connected, whichever
/// properties they are derived from. One gate for all of them.
///
/// A new value goes through in three steps.
///
/// - *Compute*: from the tap along the edges, the lowest node first. A node has all its new inputs
///   before it is computed, and is computed once. Where nothing changes, nothing that lies behind
///   is computed. Nobody outside sees any of it.
/// - *Publish*: all new values at once, with no callback in between. The epoch is odd meanwhile, so
///   that who reads several values can tell that they belong together: see Snapshot.
/// - *Deliver*: to the subscribers, in the order in which values were computed; then ends; then
///   those who came meanwhile take their places.
///
/// Hence no callback sees two values of one property, and one set runs each callback at most once:
/// within a turn one property moves, or those that one batch sets, and a node is computed after
/// everything below it. Turns of one part follow each other, as operations of a gate do. What comes
/// to a turn inside a turn, of this thread's or of another's, waits in the gate's queue.
final class GraphTurn: Core {
  /// Grows by two with each turn that publishes something; odd while it does.
  private let epoch = Atomic<UInt64>(0)
  /// The thread that is in its turn here; 0: none.
  private let inside = Atomic<UInt>(0)
  /// Callbacks compute, and the new values are not to be seen yet.
  private var isComputing = false

  // Of whoever is in the turn.

  private var line = HeightQueue()
  /// The nodes that have a new value, in the order in which they were computed.
  private var changed = NodeList()
  /// Those that end with this turn.
  private var doomed = NodeList()
  private var newcomers = Newcomers()

  /// The turn that this one was joined to, for good: see Parts. Kept.
  private let above = Atomic<UInt>(0)
  /// Somebody was inside since then.
  private let isPassed = Atomic<Bool>(false)
  /// How many turns were joined to this one, itself included. Guarded by the lock of the parts.
  var weight = 1
  /// The levels below the subscriber with the longest chain, if that is worth a look.
  private let farthest = Atomic<Int32>(0)

  deinit {
    line.deallocate()
    changed.deallocate()
    doomed.deallocate()
    if let parent { Unmanaged.passUnretained(parent).drop() }
  }

  // MARK: Joined to another

  /// Under the lock of the parts.
  func join(to other: GraphTurn) {
    other.weight &+= weight
    if other.reach < reach { other.farthest.store(reach, ordering: .relaxed) }
    above.store(
      UInt(bitPattern: Unmanaged.passRetained(other).toOpaque()), ordering: .releasing)
  }

  /// What is looked at inside the gate decides whether it is still this turn that counts.
  var isJoined: Bool {
    @inline(__always) get { above.load(ordering: .acquiring) != 0 }
  }

  var parent: GraphTurn? {
    guard let address = UnsafeRawPointer(bitPattern: above.load(ordering: .acquiring)) else {
      return nil
    }
    return Unmanaged<GraphTurn>.fromOpaque(address).takeUnretainedValue()
  }

  /// Whether a node of this turn is to be found further up, and nobody can be at it here any more.
  var isLeftBehind: Bool { isPassed.load(ordering: .acquiring) }

  /// The turn that nodes of this one are to be found in.
  var live: GraphTurn {
    @inline(never)
    get {
      var turn = self
      while turn.isLeftBehind, let parent = turn.parent { turn = parent }
      return turn
    }
  }

  // MARK: How far down values go

  override var reach: Int32 { farthest.load(ordering: .relaxed) }

  var isFar: Bool {
    @inline(__always) get { farthest.load(ordering: .relaxed) != 0 }
  }

  /// A subscriber has so many levels below it. What the part needs once it is taken to need: parts
  /// come and go with what lives there.
  @inline(never)
  func reach(to levels: Int32) {
    Parts.locked {
      var turn = self
      while true {
        if turn.reach < levels { turn.farthest.store(levels, ordering: .relaxed) }
        guard let parent = turn.parent else { return }
        turn = parent
      }
    }
  }

  // MARK: Inside the gate

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    guard let object else { return }
    if let parent {
      isPassed.store(true, ordering: .releasing)
      // From inside: what comes to this turn later is handed on later.
      let next =
        operation == .fire ? unsafeDowncast(object, to: TurnTask.self).next(after: self) : parent
      next.submitRarely(operation, object, value)
      return
    }
    switch operation {
    case .next: unsafeDowncast(object, to: NodeCarrier.self).node.take(value, in: self)
    case .completed: end(unsafeDowncast(object, to: NodeCarrier.self).node)
    case .close: unsafeDowncast(object, to: NodeCarrier.self).node.forgetOnceSettled()
    case .add: join(unsafeDowncast(object, to: Sink.self))
    case .remove:
      let sink = unsafeDowncast(object, to: Sink.self)
      GraphTurn.node(of: sink)?.leave(sink)
    case .fire: unsafeDowncast(object, to: TurnTask.self).perform(in: self)
    case .error: break
    }
  }

  @inline(never)
  private static func node(of sink: Sink) -> GraphNode? { sink.feeder as? GraphNode }

  /// Whether this thread is in its turn here, further up.
  func isInside(_ thread: Thread) -> Bool { inside.load(ordering: .relaxed) == thread.token }

  @inline(__always)
  private func enter(_ thread: Thread) { inside.store(thread.token, ordering: .relaxed) }

  // MARK: A turn

  /// A tap has a new value, which is lent.
  @inline(never)
  func take(_ value: Value, by rootNode: RootNode, _ thread: Thread, isLate: Bool = false) {
    enter(thread)
    rootNode.fresh = value.retained()
    change(rootNode)
    compute(thread)
    publish()
    // A root node has no subscribers.
    if changed.count > 1 { deliver(carefully: isLate) }
    finish()
  }

  /// A turn that begins otherwise.
  @inline(never)
  func take(_ task: TurnTask) {
    let thread = currentThread()
    enter(thread)
    isComputing = true
    task.begin(in: self)
    computeForTask(thread)
    task.publish(in: self)
    deliver(carefully: true)
    task.deliver(in: self)
    finish()
  }

  /// A derived property can be reached by nobody any more, or the property of a root node has
  /// ended.
  @inline(never)
  private func end(_ node: GraphNode) {
    if node.hasEnded { return }
    enter(currentThread())
    doom(node)
    while let next = line.popFirst() { next._withUnsafeGuaranteedRef { doomInLine($0) } }
    finish()
  }

  private func doomInLine(_ node: GraphNode) {
    node.isInLine = false
    doom(node)
  }

  @inline(never)
  private func join(_ sink: Sink) {
    enter(currentThread())
    GraphTurn.node(of: sink)?.join(sink)
    finish()
  }

  /// The same for tasks.
  @inline(never)
  func bring(_ node: GraphNode) { change(node) }

  /// A node has a new value.
  @inline(__always)
  private func change(_ node: GraphNode) {
    changed.append(node)
    let fresh = node.fresh
    node.edges.forEach { target, position in
      target._withUnsafeGuaranteedRef {
        $0.inputs.values[position] = fresh
        putInLine($0)
      }
    }
  }

  @inline(__always)
  func putInLine(_ node: GraphNode) {
    if node.isInLine { return }
    node.isInLine = true
    line.append(node)
  }

  /// A node ends with this turn, and all that is made of it.
  func doom(_ node: GraphNode) {
    node.isDoomed = true
    doomed.append(node)
    node.edges.forEach { target, _ in
      target._withUnsafeGuaranteedRef {
        if !$0.isDoomed {
          $0.isDoomed = true
          $0.endError = node.endError?.retained()
        }
        putInLine($0)
      }
    }
  }

  @inline(never)
  private func computeForTask(_ thread: Thread) { compute(thread) }

  @inline(__always)
  private func compute(_ thread: Thread) {
    isComputing = true
    thread.pointee.deriving = thread.pointee.deriving &+ 1
    defer { thread.pointee.deriving = thread.pointee.deriving &- 1 }
    while let next = line.popFirst() {
      next._withUnsafeGuaranteedRef { node in
        node.isInLine = false
        if !node.isDoomed && node.compute() {
          change(node)
        } else if node.isDoomed {
          doom(node)
        }
      }
    }
  }

  @inline(never)
  func publish() {
    let before = epoch.load(ordering: .relaxed)
    epoch.store(before &+ 1, ordering: .relaxed)
    var index = 0
    while index < changed.count {
      changed.node(at: index)._withUnsafeGuaranteedRef {
        $0.previous = $0.current
        $0.retired = $0.publish($0.fresh)
      }
      index &+= 1
    }
    epoch.store(before &+ 2, ordering: .releasing)
    isComputing = false
  }

  /// Values, then ends. `carefully`: somebody may have been disposed before this turn came.
  @inline(never)
  private func deliver(carefully: Bool) {
    var index = 0
    while index < changed.count {
      changed.node(at: index)._withUnsafeGuaranteedRef {
        if $0.subscribers.count > 0 { deliver($0, carefully: carefully) }
      }
      index &+= 1
    }
  }

  @inline(__always)
  private func deliver(_ node: GraphNode, carefully: Bool) {
    if carefully || gate.isDisturbed {
      node.sendCarefully(node.current)
    } else if let sole = node.subscribers.sole {
      sole.function(sole.context, node.current)
    } else {
      node.subscribers.deliver(node.current, gate)
    }
  }

  /// The end of everything that is done in the turn.
  @inline(never)
  private func finish() {
    if doomed.count > 0 { end() }
    if !newcomers.isEmpty { admit() }
    inside.store(0, ordering: .relaxed)
    var index = 0
    while index < changed.count {
      changed.node(at: index)._withUnsafeGuaranteedRef {
        LatestValue.retire($0.retired)
      }
      index &+= 1
    }
    changed.removeAll()
  }

  /// Ends the doomed, the lowest first.
  @inline(never)
  private func end() {
    var index = 0
    while index < doomed.count {
      doomed.node(at: index)._withUnsafeGuaranteedRef {
        $0.hasEnded = true
        $0.endSubscribers()
      }
      index &+= 1
    }
    while index > 0 {
      index &-= 1
      // May be let go of by its last input.
      let node = doomed.node(at: index).takeUnretainedValue()
      (node as? DerivedNode)?.disconnect()
    }
    doomed.removeAll()
  }

  // MARK: Subscribers that come from inside

  /// A subscriber gets the current value here and now, and takes its place when the turn is over;
  /// before the values are published, at once.
  func welcome(_ sink: Sink, to node: GraphNode) {
    if isComputing { return node.join(sink) }
    if node.greet(sink) { newcomers.append(sink) }
  }

  @inline(never)
  private func admit() {
    // Some may come to sit down and find that all is over; in their callbacks others may come.
    while !newcomers.isEmpty {
      for sink in newcomers.take() { GraphTurn.node(of: sink)?.seat(sink) }
    }
  }

  // MARK: Reading several values

  /// How many turns have published something; odd: one is at it.
  var published: UInt64 { epoch.load(ordering: .acquiring) }
}
