import CRACShims
import Synchronization

/// The parts that graphs of derived properties consist of: each is a turn, and what is derived from
/// several parts joins them.
///
/// ```
/// turn A <-- tap a        turn A <------- turn B <-- tap b
/// turn B <-- tap b            ^-- tap a, combination of a and b
/// ```
/// Nobody waits for a part to come to rest. How they are joined all the same:
///
/// - Under one short lock it is decided which turn is joined to which: from then on it has a
///   parent, for good. But somebody may be inside it, at its nodes.
/// - Whoever enters a turn and finds, inside its gate, that it has a parent does nothing there, but
///   hands on what it came with, still inside: so what came first is first there, too. And it notes
///   that somebody has passed: nobody is at the nodes any more here, and nobody will be.
/// - A node is therefore touched only in one turn at a time, the first one on its way up that
///   nobody has passed. Those who look for that one leave out what has been passed, and nothing
///   else: the turn that all are joined to in the end may be too far (`Tests/model` has that
///   mistake among others).
/// - A node that joins parts passes each turn below before it is connected. So when it is computed,
///   in the turn above, nobody is at any of its inputs in another.
/// - What a property's values go through is its tap's affair: see there.
///
/// Parts do not come apart again; but who derives from a property that nothing else is derived from
/// begins a part of its own.
enum Parts {
  /// How many batches were lined up, and how many searches there were for drafts. Under the lock.
  nonisolated(unsafe) static var batches: UInt64 = 0
  nonisolated(unsafe) static var searches: UInt64 = 0

  /// Called once, when the library is loaded.
  static func boot() {
    let lock = UnsafeMutablePointer<Lock>.allocate(capacity: 1)
    lock.initialize(to: Lock())
    theLock = lock
  }

  /// No callback runs under this lock, and nothing is let go of that could run one.
  @inline(__always)
  static func locked<Result>(_ body: () -> Result) -> Result {
    theLock.unsafelyUnwrapped.pointee.locked(body)
  }

  /// The nodes of properties that something is to be derived from, each used once more, all in one
  /// part, and the turn of that; and the drafts among all that they are made of.
  static func join(_ sources: [PropertyCore])
    -> (nodes: [GraphNode], drafts: [GraphNode], home: GraphTurn)
  {
    var nodes = [GraphNode](withRoomFor: sources.count)
    var drafts: [GraphNode] = []
    let home: GraphTurn = locked {
      var found: GraphTurn?
      var hasDrafts = false
      for source in sources {
        if let part = source.part { found = merge(found, part) }
      }
      let home = found ?? GraphTurn()
      for source in sources {
        if let node = source.use(in: home) {
          nodes.append(node)
          if !node.isSettled { hasDrafts = true }
        }
      }
      if hasDrafts { drafts = DerivedNode.drafts(of: nodes) }
      return home
    }
    for source in sources { source.knock() }
    return (nodes, drafts, home)
  }

  /// An input is used no longer. True when it was the last one, and the root is to be knocked at.
  static func drop(_ rootNode: RootNode, of root: MutablePropertyCore) -> Bool {
    locked {
      rootNode.users &-= 1
      if rootNode.users > 0 { return false }
      root.rootNode = nil
      root.push(.remove, NodeCarrier(rootNode))
      return true
    }
  }

  /// The turn that all of them are joined to in the end. Under the lock.
  @inline(never)
  static func top(of turn: GraphTurn) -> GraphTurn {
    var turn = turn
    while let parent = turn.parent { turn = parent }
    return turn
  }

  /// One part of two, of which the first may be none. Under the lock.
  @inline(never)
  static func merge(_ found: GraphTurn?, _ part: GraphTurn) -> GraphTurn {
    guard let found, found !== part else { return part }
    let (larger, smaller) = found.weight < part.weight ? (part, found) : (found, part)
    smaller.join(to: larger)
    return larger
  }
}

extension MutablePropertyCore {
  /// Puts something into the gate's line, under the lock of the parts: so what is put there by one
  /// thread in several properties is there before what another one puts there afterwards. `knock`
  /// follows.
  final func push(_ operation: Operation, _ object: Object) {
    gate.push(operation, object, .null)
  }

  /// Where what is derived from the property lives. A batch that is about to change the property
  /// changes that in its own turn. Under the lock.
  final var partOfRoot: GraphTurn? { (rootNode?.home ?? batch?.home).map { Parts.top(of: $0) } }

  /// Its node, used once more. Under the lock.
  final func useRootNode(in home: GraphTurn) -> RootNode {
    let isNew = rootNode == nil
    // In the turn of the batch itself, where nothing is connected to it before that has passed.
    let node = rootNode ?? makeRootNode(batch?.home ?? home)
    node.users &+= 1
    // An adapter's user may have written a new value behind the node's back.
    if isNew || isKeptByUser { push(.add, NodeCarrier(node)) }
    return node
  }

  private final func makeRootNode(_ home: GraphTurn) -> RootNode {
    let (value, version) = latest.readWithVersion()
    let node = RootNode(self, value, version: version, home: home)
    rootNode = node
    return node
  }

  /// The node is to be told of the values, as a subscriber is. Inside the gate.
  final func feed(_ carrier: NodeCarrier) {
    let rootNode = unsafeDowncast(carrier.node, to: RootNode.self)
    if fedNode !== rootNode {
      if hasEnded { return rootNode.end() }
      fedNode = rootNode
      traits.insert(.feeding)
    }
    if traits.contains(.adapted), let now = read() {
      if now.isSame(as: current) {
        now.release()
      } else {
        LatestValue.retire(publishRarely(now))
      }
    }
    if rootNode.known != latest.version {
      _ = rootNode.feed(current, latest.version, currentThread())
    }
  }

  /// Nothing is derived from the property by this node any more.
  final func stopFeeding(_ carrier: NodeCarrier) {
    guard fedNode === carrier.node else { return }
    fedNode = nil
    traits.remove(.feeding)
  }
}

nonisolated(unsafe) private var theLock: UnsafeMutablePointer<Lock>? = nil
