extension Signal {
  /// Sends a signal for each new key, which in turn sends the values with that key, transformed.
  ///
  /// ```
  /// source  --1--2--3--4--|
  /// groupBy odd/even:
  ///         --A--B--------|
  ///      A  --1-----3-----|
  ///      B     --2-----4--|
  /// ```
  /// A group is sent before its first value, so only those who subscribe to it at once see that value.
  /// The end goes to the result first, then to the groups in the order they came.
  /// C: rac_signal_group_by. RAC: -groupBy:transform:
  func groupBy(_ context: Context, _ key: @escaping rac_map_fn, _ transform: rac_map_fn?) -> Signal
  {
    lift("groupBy:transform:") { GroupBySink(context, key, transform, $0) }
  }
}

private final class GroupBySink: Stage {
  private let context: Context
  private let key: rac_map_fn
  private let transform: rac_map_fn?
  private var groups: [GroupedSubject] = []
  private var places = KeyTable()
  private var hasEnded = false

  init(
    _ context: Context, _ key: @escaping rac_map_fn, _ transform: rac_map_fn?,
    _ downstream: Sink
  ) {
    self.context = context
    self.key = key
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive, !hasEnded else { return }
    var keyValue = Value.null
    let keyStatus = key(context.pointer, value, &keyValue)
    defer { keyValue.release() }
    if Callback.hasFailed(keyStatus) { return fail(keyStatus) }
    guard accepts(&keyValue) else { return }
    let group = group(for: keyValue)
    guard scope.isActive, !hasEnded else { return }
    guard let transform else {
      group.send(value)
      return
    }
    var out = Value.null
    let status = transform(context.pointer, value, &out)
    if Callback.hasFailed(status) { fail(status) } else if accepts(&out) { group.send(out) }
    out.release()
  }

  private func group(for key: Value) -> GroupedSubject {
    let hash = key.hash
    if let place = places.number(hash, where: { groups[$0].key.isEqual(key) }) {
      return groups[place]
    }
    let group = GroupedSubject(key: key)
    places.append(hash)
    groups.append(group)
    let value = Value.signal(group)
    downstream.next(value)
    value.release()
    return group
  }

  override func error(_ error: Value) {
    hasEnded = true
    downstream.error(error)
    for group in groups { group.sendError(error) }
  }

  override func completed() {
    hasEnded = true
    downstream.completed()
    for group in groups { group.sendCompleted() }
  }
}
