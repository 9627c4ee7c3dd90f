import CRACShims
import Synchronization

/// A derived property that has its first value, but no place in the graph yet. For that it may have
/// to wait: its turn may be another thread's, or this one's further up. Until then it is a draft.
///
/// Nobody brings the value of a draft up to date. That harms nobody who only reads it. But who
/// derives another property from it, and from others that have moved on, would put together what
/// does not belong together. So whoever derives from a draft brings it up to date first, for
/// itself: reads all its inputs at one time, and calls the callback again if one has changed.
///
/// The callback runs on one thread at a time all the same, by a claim. The turn does not wait for
/// one: who has the claim goes on with connecting afterwards. Who derives does wait, for that
/// callback alone. Claims are taken in one order, and who is inside such a callback already takes
/// the value as it is instead of waiting. So nobody waits in a circle.
extension DerivedNode {
  /// What `claim` says, if it is not the thread that has it.
  static let free: UInt = 0
  static let connecting: UInt = 1

  /// Of inputs that are drafts `versions` has the number of changes instead.
  private static let ofDraft: UInt64 = 1 << 63

  // MARK: Making the value, outside of the turn

  /// Makes the first value, of inputs of one time; what the callback answered.
  func makeFirst(after drafts: [GraphNode]) -> rac_status {
    let thread = currentThread()
    var nodes = [GraphNode](withRoomFor: drafts.count &+ 1)
    for node in drafts {
      let draft = unsafeDowncast(node, to: DerivedNode.self)
      if draft.takeClaim(thread) { nodes.append(draft) }
    }
    nodes.append(self)
    var count = 0
    for node in nodes { count &+= unsafeDowncast(node, to: DerivedNode.self).inputs.count }
    var read = [GraphNode](withRoomFor: count)
    for node in nodes { unsafeDowncast(node, to: DerivedNode.self).addInputs(to: &read, thread) }
    var status = Status.noMemory
    if let snapshot = Snapshot.take(of: read) {
      var place = 0
      thread.pointee.deriving = thread.pointee.deriving &+ 1
      for node in nodes {
        status = unsafeDowncast(node, to: DerivedNode.self).update(snapshot, &place, thread)
      }
      thread.pointee.deriving = thread.pointee.deriving &- 1
      snapshot.deallocate()
    }
    for node in nodes where node !== self {
      unsafeDowncast(node, to: DerivedNode.self).giveBack()
    }
    return status
  }

  @inline(never)
  private func addInputs(to read: inout [GraphNode], _ thread: Thread) {
    var index = 0
    while index < inputs.count {
      let input = inputs.node(at: index)
      if !DerivedNode.isClaimed(input, by: thread) { read.append(input.takeUnretainedValue()) }
      index &+= 1
    }
  }

  private static func isClaimed(_ node: Unmanaged<GraphNode>, by thread: Thread) -> Bool {
    node._withUnsafeGuaranteedRef { $0.claim.load(ordering: .relaxed) } == thread.token
  }

  /// `place`: where the inputs begin in the snapshot.
  @inline(never)
  private func update(_ snapshot: Snapshot, _ place: inout Int, _ thread: Thread) -> rac_status {
    var isStale = false
    var isOver = false
    var index = 0
    while index < inputs.count {
      let input = inputs.node(at: index)
      var version: UInt64
      if DerivedNode.isClaimed(input, by: thread) {
        version = input._withUnsafeGuaranteedRef {
          let draft = unsafeDowncast($0, to: DerivedNode.self)
          inputs.values[index] = draft.valueOfDraft
          return draft.changesOfDraft | DerivedNode.ofDraft
        }
      } else {
        inputs.values[index] = snapshot.values[place]
        version = snapshot.versions[place]
        place &+= 1
      }
      let isSame = input._withUnsafeGuaranteedRef {
        if $0.isForgotten.load(ordering: .relaxed) { isOver = true }
        return DerivedNode.isNow(version, what: inputs.versions[index], ofInput: $0)
      }
      if !isSame { isStale = true }
      inputs.versions[index] = version
      index &+= 1
    }
    // With an input that is over the value stays what it is, as in the turn.
    return isStale && !(isOver && hasFirst) ? makeAnew() : Status.ok
  }

  /// Whether an input of that version has the value that was noted. It may have been a draft then,
  /// and have its place now.
  private static func isNow(_ version: UInt64, what noted: UInt64, ofInput node: GraphNode) -> Bool
  {
    if version == noted { return true }
    guard noted & ofDraft != 0, noted != NodeInputs.unknown, node.isSettled else { return false }
    let settled = unsafeDowncast(node, to: DerivedNode.self)
    return settled.changesOfDraft | ofDraft == noted && settled.versionOfDraft == version
  }

  private func makeAnew() -> rac_status {
    var made = Value.null
    let status = Callback.inside {
      let status = derivation.runRarely(context, inputs.values, inputs.count, &made)
      if status < 0 { Callback.discardRaised() }
      return status
    }
    if status < 0 {
      // To be found out again when the node is connected.
      inputs.versions[0] = NodeInputs.unknown
    } else if !hasFirst {
      hasFirst = true
      LatestValue.retire(publishRarely(made))
    } else if isDistinct && made.isSame(as: valueOfDraft) {
      made.release()
    } else {
      if changesOfDraft > 0 { fresh.release() }
      fresh = made
      changesOfDraft &+= 1
    }
    return status
  }

  /// Its later value, if it has one, is not to be the node's.
  func forgetDraft() {
    if changesOfDraft > 0 { fresh.release() }
    fresh = .null
  }

  private var valueOfDraft: Value { changesOfDraft > 0 ? fresh : current }

  // MARK: Claims

  /// False: it is no draft any more, or is to be taken as it is.
  private func takeClaim(_ thread: Thread) -> Bool {
    var rounds = 0
    while true {
      let (taken, now) = claim.compareExchange(
        expected: DerivedNode.free, desired: thread.token, ordering: .acquiringAndReleasing)
      if taken { return true }
      if now == GraphNode.settled || now == thread.token || thread.pointee.deriving > 0 {
        return false
      }
      rounds &+= 1
      if rounds < 1000 { rac_shim_pause() } else { rac_shim_sleep_until(rac_shim_now() &+ 50_000) }
    }
  }

  private func giveBack() {
    claim.store(DerivedNode.free, ordering: .sequentiallyConsistent)
    if hasSuspended.exchange(false, ordering: .sequentiallyConsistent) {
      suspended.take()?.start()
    }
  }

  /// Inside the turn. False: who has the claim starts the connection again.
  private func takeClaim(for connection: Connecting) -> Bool {
    suspended = connection
    hasSuspended.store(true, ordering: .sequentiallyConsistent)
    let (taken, _) = claim.compareExchange(
      expected: DerivedNode.free, desired: DerivedNode.connecting,
      ordering: .sequentiallyConsistent)
    if taken, hasSuspended.exchange(false, ordering: .sequentiallyConsistent) { suspended = nil }
    return taken
  }

  // MARK: Connecting, inside the turn

  /// Whether the node may be connected now; else that is started again when it may.
  func admits(_ connection: Connecting) -> Bool {
    if isSettled { return false }
    var index = 0
    while index < inputs.count {
      let waits = inputs.node(at: index)._withUnsafeGuaranteedRef {
        if $0.isSettled { return false }
        let draft = unsafeDowncast($0, to: DerivedNode.self)
        connection.following = draft.followers
        draft.followers = connection
        return true
      }
      if waits { return false }
      index &+= 1
    }
    return takeClaim(for: connection)
  }

  /// Whether the inputs still have the values that its own was made of.
  var isUpToDate: Bool {
    var index = 0
    while index < inputs.count {
      let noted = inputs.versions[index]
      let isSame = inputs.node(at: index)._withUnsafeGuaranteedRef {
        DerivedNode.isNow($0.latest.version, what: noted, ofInput: $0)
      }
      if !isSame { return false }
      index &+= 1
    }
    return true
  }

  /// The node has its place, with the value of the draft or another; or it has ended. Those that
  /// waited for it go on. `isComputed`: the value was made once more, and is another if its version
  /// is.
  func settle(isComputed: Bool, after version: UInt64) {
    if isComputed && (changesOfDraft > 0 || latest.version != version) {
      changesOfDraft = NodeInputs.unknown
    }
    versionOfDraft = latest.version
    Parts.locked { claim.store(GraphNode.settled, ordering: .releasing) }
    if isForgotten.load(ordering: .relaxed) { forget() }
    if hasEnded { disconnect() }
    while let follower = followers {
      followers = follower.following
      follower.following = nil
      follower.start()
    }
  }

  // MARK: Searching, under the lock of the parts

  /// All drafts that these nodes are made of, themselves included, the lowest first.
  static func drafts(of nodes: [GraphNode]) -> [GraphNode] {
    Parts.searches &+= 1
    // As long as the lock is held a draft stays one, and keeps its inputs.
    var open = NodeList()
    var found = NodeList()
    for node in nodes { open.append(node) }
    while let next = open.popLast() {
      if next.isSettled { continue }
      let draft = unsafeDowncast(next, to: DerivedNode.self)
      if draft.search == Parts.searches { continue }
      draft.search = Parts.searches
      found.append(draft)
      var index = 0
      while index < draft.inputs.count {
        open.append(draft.inputs.node(at: index).takeUnretainedValue())
        index &+= 1
      }
    }
    // The highest first, as most were found.
    found.sort { first, second in second.comes(before: first) }
    var sorted = [GraphNode](withRoomFor: found.count)
    var left = found.count
    while left > 0 {
      left &-= 1
      sorted.append(found.node(at: left).takeUnretainedValue())
    }
    found.deallocate()
    open.deallocate()
    return sorted
  }
}

extension GraphNode {
  fileprivate func comes(before other: GraphNode) -> Bool {
    height != other.height
      ? height < other.height
      : Unmanaged.passUnretained(self).toOpaque() < Unmanaged.passUnretained(other).toOpaque()
  }
}
