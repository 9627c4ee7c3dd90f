import CRACShims

/// What a thread sets between the beginning and the end of a batch: nothing of it is made before
/// the end, and then all of it at once. See BatchCommit.
///
/// Of what is set in one property only the latest counts; what modifies it is done on top of that,
/// in order. A batch that is begun inside another one adds to that when it ends.
final class PropertyBatch: Unfinished {
  /// Whether it ends when the callback that it was begun for returns, and not before.
  let isScoped: Bool
  /// In the order they came.
  private var changes: [BatchedChange] = []
  /// The properties, by their addresses, and the latest change of each.
  private var keys = KeyTable()
  private var latest: [BatchedChange] = []
  /// How many do not count any more.
  private var forgotten = 0

  /// Open from here on.
  init(isScoped: Bool) {
    self.isScoped = isScoped
    super.init()
  }

  /// The one that takes in what this thread sets.
  @inline(__always)
  static func open(on thread: Thread) -> PropertyBatch? {
    thread.pointee.unfinished == nil ? nil : innermost(on: thread)
  }

  @inline(never)
  private static func innermost(on thread: Thread) -> PropertyBatch? {
    thread.innermost.map { unsafeDowncast($0, to: PropertyBatch.self) }
  }

  // MARK: While it is open

  @inline(never)
  func set(_ core: MutablePropertyCore, _ value: Value, from origin: Tie? = nil) -> rac_status {
    add(BatchedChange(core, set: value, from: origin))
    return Status.queued
  }

  @inline(never)
  func modify(_ core: MutablePropertyCore, _ context: Context, _ body: @escaping rac_map_fn)
    -> rac_status
  {
    add(BatchedChange(core, modify: context, body))
    return Status.queued
  }

  private func add(_ change: BatchedChange) {
    if let before = replaceLatest(by: change), !before.isForgotten {
      if change.body == nil { forgotten &+= before.forget() } else { change.follow(before) }
      if forgotten > 32, forgotten > changes.count &>> 1 { sweep() }
    }
    changes.append(change)
  }

  private func replaceLatest(by change: BatchedChange) -> BatchedChange? {
    let core = change.core
    let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(core).toOpaque()))
    let number = latest.withUnsafeBufferPointer { latest in
      keys.number(address) { latest[$0].core === core }
    }
    guard let number else {
      keys.append(address)
      latest.append(change)
      return nil
    }
    return latest.withUnsafeMutableBufferPointer {
      let before = $0[number]
      $0[number] = change
      return before
    }
  }

  private func sweep() {
    if forgotten == 0 { return }
    forgotten = 0
    let all = changes
    changes = []
    for change in all where !change.isForgotten { changes.append(change) }
  }

  // MARK: Its end

  /// Ends the batch that was begun last by the callback that is running, or by what runs in none;
  /// nil: there is none. `isCancelled`: nothing of it is made.
  static func end(on thread: Thread, isCancelled: Bool) -> rac_status? {
    guard let batch = open(on: thread), !batch.isScoped, batch.depth == thread.depthNow else {
      return nil
    }
    _ = thread.take()
    return isCancelled ? Status.ok : batch.end(on: thread)
  }

  /// A batch for the length of a call. If that fails nothing of it is made.
  static func run(
    on thread: Thread, _ context: Context, _ body: rac_property_batch_fn
  ) -> rac_status {
    let batch = PropertyBatch(isScoped: true)
    let status = Callback.inside {
      let status = body(context.pointer)
      if Callback.hasFailed(status) { Callback.discardRaised() }
      return status
    }
    // What the callback began and did not end.
    thread.takeBack(to: Unmanaged.passUnretained(batch).toOpaque())
    _ = thread.take()
    return status < 0 ? status : batch.end(on: thread)
  }

  /// Once it is open no longer.
  private func end(on thread: Thread) -> rac_status {
    sweep()
    if changes.isEmpty { return Status.ok }
    guard let outer = PropertyBatch.open(on: thread) else {
      return BatchCommit(changes).make()
    }
    for change in changes { outer.add(change) }
    return Status.queued
  }

  override func takeBack() {
    var line = TextBuffer()
    line.append("rac: a batch was never ended; nothing of it is set")
    Diagnostics.shared.write(line)
  }
}
