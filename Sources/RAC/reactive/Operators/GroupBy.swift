/// Sends a signal for each new key, which sends the values that have that key, transformed.
///
///     source  --1--2--3--4--|
///     groups  --A--B--------|   (by odd and even)
///     A         1-----3-----|
///     B            2-----4--|
///
/// A group is sent before its first value, so only a subscriber that comes at once hears that
/// value. The end goes to the result first, then to the groups in the order they came. See
/// rac_value_to_signal() and rac_signal_get_key().
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter key: writes a value's key, owned, to `*out`.
/// - Parameter transform: writes what the group sends, owned, to `*out`; NULL sends the value
///   itself.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -groupBy:transform:. Rx: groupBy. Since: 0.1
@c public func rac_signal_group_by(
  _ source: CSignal?, _ context: CContext?, _ key: rac_map_fn?, _ transform: rac_map_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, key, destroy) { source, context, key in
    source.lift("groupBy:transform:", holding: context) { GroupBySink(context, key, transform, $0) }
  }
}

private final class GroupBySink: CallbackStage {
  private let key: rac_map_fn
  private let transform: rac_map_fn?
  /// References; they stay as long as this does.
  private var groups = Ring<Unmanaged<GroupedSubject>>()
  private var places = KeyTable()

  init(
    _ context: Context, _ key: @escaping rac_map_fn, _ transform: rac_map_fn?, _ downstream: Sink
  ) {
    self.key = key
    self.transform = transform
    super.init(context, downstream)
  }

  /// A place below may wait for a value of a group.
  override func holds(_ question: Question) -> Bool { false }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    var name = Value.null
    defer { name.release() }
    guard fill(&name, { key(pointer, value, $0) }) else { return }
    guard let group = group(for: name), scope.isActive else { return }
    guard let transform else {
      group._withUnsafeGuaranteedRef { _ = $0.send(value) }
      return
    }
    var out = Value.null
    if fill(&out, { transform(pointer, value, $0) }) {
      group._withUnsafeGuaranteedRef { _ = $0.send(out) }
    }
    out.release()
  }

  /// nil: there is no memory for another one, and the stream has failed.
  @inline(__always)
  private func group(for key: Value) -> Unmanaged<GroupedSubject>? {
    let hash = key.hash
    let place = places.number(hash) {
      groups[$0]._withUnsafeGuaranteedRef { $0.key.isSame(as: key) }
    }
    return place.map { groups[$0] } ?? begin(key, hash)
  }

  @inline(never)
  private func begin(_ key: Value, _ hash: UInt64) -> Unmanaged<GroupedSubject>? {
    let group = GroupedSubject(key: key)
    let mine = Unmanaged.passUnretained(group)
    guard groups.append(mine) else {
      failWithoutMemory()
      return nil
    }
    mine.keep()
    places.append(hash)
    downstream.next(owned: .signal(group))
    return mine
  }

  @inline(__always)
  private func forEach(_ body: (GroupedSubject) -> Void) {
    for place in Places(groups.count) {
      groups[place]._withUnsafeGuaranteedRef(body)
    }
  }

  override func error(_ error: Value) {
    downstream.error(error)
    forEach { $0.sendError(error) }
  }

  override func completed() {
    downstream.completed()
    forEach { $0.sendCompleted() }
  }

  /// The subscribers of the parts hear their end.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    for place in Places(groups.count) {
      let core = groups[place]._withUnsafeGuaranteedRef { $0.core }
      if !visitor.goesAtEnd(core, withValue: withValue) { return false }
    }
    return downstream.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) {
    for place in Places(groups.count) {
      visitor.reference(groups[place].toOpaque())
    }
  }

  deinit { forEach { Unmanaged.passUnretained($0).drop() } }
}
