import CRACShims

/// The sets of a thread between the beginning and the end of a batch: none of them is made before
/// the end, and then all of them at once. See BatchCommit.
///
/// A batch that is begun inside another one adds to that when it ends.
final class PropertyBatch: SetCollector {
  /// Whether it ends when the callback that it was begun for returns, and not before.
  private let isScoped: Bool
  @exclusivity(unchecked) private var changes = BatchedChanges()
  @exclusivity(unchecked) private var hasOwnPlaces = false

  /// Open from here on.
  init(isScoped: Bool) {
    self.isScoped = isScoped
    super.init()
  }

  // MARK: While it is open

  override func set(_ core: MutablePropertyCore, _ value: Value, from origin: Tie?) -> rac_status {
    add(BatchedChange.set(core, value, from: origin))
  }

  override func modify(
    _ core: MutablePropertyCore, _ context: Context, _ body: @escaping rac_map_fn
  ) -> rac_status? {
    let place = core.line.flatMap { BoundedPlace(in: $0, isForced: hasPlaces) }
    if core.line != nil && place == nil { return nil }
    guard let base = read(core) ?? core.read() else { return Status.user }
    var made = Value.null
    let status = Callback.inside { MutablePropertyCore.make(of: base, context, body, &made) }
    if status < 0 {
      base.release()
      return status
    }
    return add(BatchedChange(core, made, .modify(context, body, base: base), at: place))
  }

  private func add(_ change: BatchedChange) -> rac_status {
    if change.hasPlace { hasOwnPlaces = true }
    _ = changes.append(change)
    return Status.queued
  }

  override func read(_ core: PropertyCore) -> Value? { latest(of: core)?.value.retained() }
  override func hasSet(_ core: PropertyCore) -> Bool { latest(of: core) != nil }
  override var hasPlaces: Bool { hasOwnPlaces || outer?.hasPlaces ?? false }

  private func latest(of core: PropertyCore) -> BatchedChange? {
    changes.latest(of: core)?.takeUnretainedValue() ?? outer?.latest(of: core)
  }

  /// The batch that this one lies in.
  private var outer: PropertyBatch? { around.map { unsafeDowncast($0, to: PropertyBatch.self) } }

  // MARK: Its end

  /// Ends the batch that was begun last by the callback that is running, or by what runs in none;
  /// nil: there is none. `isCancelled`: nothing of it is made.
  static func end(on thread: Thread, isCancelled: Bool) -> rac_status? {
    guard let open = SetCollector.open(on: thread) else { return nil }
    let batch = unsafeDowncast(open, to: PropertyBatch.self)
    if batch.isScoped || batch.depth != thread.depthNow { return nil }
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
    // Batches that the callback began and did not end.
    thread.takeBack(to: Unmanaged.passUnretained(batch).toOpaque())
    _ = thread.take()
    return status < 0 ? status : batch.end(on: thread)
  }

  /// Once it is open no longer.
  private func end(on thread: Thread) -> rac_status {
    if changes.isEmpty { return Status.ok }
    guard let outer = SetCollector.open(on: thread) else {
      return BatchAtOnce(changes).make() ? Status.ok : BatchCommit(changes).make()
    }
    changes.each { _ = unsafeDowncast(outer, to: PropertyBatch.self).add($0) }
    return Status.queued
  }

  override func takeBack() {
    var line = TextBuffer()
    line.append("rac: a batch was never ended; nothing of it is set")
    Diagnostics.shared.write(line)
  }
}
