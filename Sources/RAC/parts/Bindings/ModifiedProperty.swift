/// A property whose next value a callback makes of the one before.
extension MutablePropertyCore {
  /// Reads the value and sets the next one, with no change in between. nil: the place was taken
  /// that a thread was let in for.
  final func modify(_ context: Context, _ body: @escaping rac_map_fn) -> rac_status? {
    if let open = SetCollector.open(on: currentThread()) { return open.modify(self, context, body) }
    guard let hold = enter() else { return leave(context, body) }
    // If it is held: kept, as this thread leaves.
    let status = traits.contains(.held) ? leave(context, body) : make(context, body)
    hold.leave(self)
    return status
  }

  /// Leaves it to the thread inside. RAC_OK when it was made here after all.
  private final func leave(_ context: Context, _ body: @escaping rac_map_fn) -> rac_status? {
    let place = line.flatMap { BoundedPlace(in: $0) }
    if line != nil && place == nil { return nil }
    let task = PropertyTask { _ in
      place?.leave()
      _ = self.make(context, body)
    }
    Component.locked {
      push(.next, task)
      endLatestSet()
    }
    return gate.knock(self) ? Status.queued : Status.ok
  }

  /// Inside the gate.
  private final func make(_ context: Context, _ body: rac_map_fn) -> rac_status {
    var next = Value.null
    var status = makeNext(context, body, &next)
    if status < 0 { return status }
    status = change(next)
    next.release()
    return status
  }

  /// The value that a callback makes of the present one, owned by the caller if that does not fail.
  final func makeNext(_ context: Context, _ body: rac_map_fn, _ next: inout Value) -> rac_status {
    if hasEnded { return Status.done }
    guard let before = traits.contains(.adapted) ? read() : current.retained() else {
      return Status.user
    }
    let status = MutablePropertyCore.make(of: before, context, body, &next)
    before.release()
    return status
  }

  /// The same of any value, on any thread.
  static func make(
    of before: Value, _ context: Context, _ body: rac_map_fn, _ next: inout Value
  ) -> rac_status {
    var made = Value.null
    let status = body(context.pointer, before, &made)
    if Callback.hasFailed(status) { Callback.discardRaised() }
    return Value.admit(made, status, &next)
  }

  /// Whether that value, and no equal one, is the present one. Inside the gate.
  final func holds(_ value: Value) -> Bool {
    if hasEnded { return false }
    guard traits.contains(.adapted) else { return current.isIdentical(to: value) }
    guard let now = read() else { return false }
    defer { now.release() }
    return now.isIdentical(to: value)
  }
}

extension Value {
  /// The value that a callback has made, owned if that has not failed, and else released.
  @inline(never)
  static func admit(_ made: Value, _ status: rac_status, _ out: inout Value) -> rac_status {
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
