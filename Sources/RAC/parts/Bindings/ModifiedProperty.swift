/// A property whose next value a callback makes of the one before.
extension MutablePropertyCore {
  /// Reads the value and sets the next one with nobody in between.
  final func modify(_ context: Context, _ body: @escaping rac_map_fn) -> rac_status {
    if let open = SetCollector.open(on: currentThread()) { return open.modify(self, context, body) }
    guard let hold = enter() else {
      return gate.post(self, .fire, modification(context, body), .null) ? Status.queued : Status.ok
    }
    let status = modifyInside(context, body)
    hold.leave(self)
    return status
  }

  private final func modification(_ context: Context, _ body: @escaping rac_map_fn)
    -> PropertyTask
  {
    PropertyTask { _ in _ = self.modifyInside(context, body) }
  }

  /// Inside the gate.
  private final func modifyInside(_ context: Context, _ body: @escaping rac_map_fn) -> rac_status {
    if traits.contains(.held) { return keep(.fire, modification(context, body), .null) }
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
    var made = Value.null
    let status = body(context.pointer, before, &made)
    before.release()
    if Callback.hasFailed(status) { Callback.discardRaised() }
    return Value.admit(made, status, &next)
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
