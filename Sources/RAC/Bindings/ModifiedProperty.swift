/// A property whose next value a callback makes of the one before.
extension MutablePropertyCore {
  /// Reads the value and sets the next one with nobody in between.
  final func modify(_ context: Context, _ body: @escaping rac_map_fn) -> rac_status {
    if let batch = PropertyBatch.open(on: currentThread()) {
      return batch.modify(self, context, body)
    }
    guard let hold = enter() else {
      let task = Modification(context, body)
      return gate.post(self, .fire, task, .null) ? Status.queued : Status.ok
    }
    let status = modifyInside(context, body)
    hold.leave(self)
    return status
  }

  /// Inside the gate.
  fileprivate final func modifyInside(_ context: Context, _ body: @escaping rac_map_fn)
    -> rac_status
  {
    if traits.contains(.held) {
      return keep(.fire, Modification(context, body), .null)
    }
    var next = Value.null
    var status = makeNext(context, body, &next)
    if status < 0 { return status }
    status = change(next)
    next.release()
    return status
  }

  /// What a callback makes of the value, owned by the caller if that does not fail.
  final func makeNext(_ context: Context, _ body: rac_map_fn, _ next: inout Value) -> rac_status {
    if hasEnded { return Status.done }
    guard let before = traits.contains(.adapted) ? read() : current.retained() else {
      return Status.user
    }
    var out = Value.null
    let status = body(context.pointer, before, &out)
    before.release()
    if Callback.hasFailed(status) {
      out.release()
      Callback.discardRaised()
      return status
    }
    switch out.admitted() {
    case .sound: next = out.kept()
    case .copied(let copy):
      next = copy
      out.release()
    case .refused(let refusal, _): return refusal
    }
    return status
  }
}

private final class Modification: PropertyTask {
  private let context: Context
  private let body: rac_map_fn

  init(_ context: Context, _ body: @escaping rac_map_fn) {
    self.context = context
    self.body = body
  }

  override func run(_ core: MutablePropertyCore, _ value: Value) {
    _ = core.modifyInside(context, body)
  }
}
