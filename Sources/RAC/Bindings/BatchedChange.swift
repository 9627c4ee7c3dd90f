import CRACShims

/// What a batch is to do with a property.
final class BatchedChange: Object {
  let core: MutablePropertyCore
  /// What to set, owned; unless there is a body, which makes it of the value before.
  private(set) var value: Value
  private(set) var context: Context?
  let body: rac_map_fn?
  /// In whose name; and, where a tie brings it, of what time: see Tie.
  let origin: Tie?
  let time: UInt64
  let renewed: UInt64
  /// The one before of the same property.
  private(set) var earlier: BatchedChange?
  /// It does not count any more.
  private(set) var isForgotten = false

  /// Retains the value.
  @inline(never)
  init(
    _ core: MutablePropertyCore, set value: Value, at time: UInt64 = 0,
    renewing renewed: UInt64 = 0, from origin: Tie?
  ) {
    self.core = core
    self.value = value.retained()
    self.origin = origin
    self.time = time
    self.renewed = renewed
    body = nil
  }

  init(_ core: MutablePropertyCore, modify context: Context, _ body: @escaping rac_map_fn) {
    self.core = core
    self.context = context
    self.body = body
    value = .null
    origin = nil
    time = 0
    renewed = 0
  }

  /// The value to set, owned by the caller; or why there is none.
  func make(_ next: inout Value) -> rac_status {
    if let body, let context { return core.makeNext(context, body, &next) }
    next = value.retained()
    return Status.ok
  }

  /// Comes after that one, and is to be forgotten with it.
  func follow(_ earlier: BatchedChange?) {
    if body != nil, self.earlier == nil { self.earlier = earlier }
  }

  /// And all before it of the same property; how many.
  func forget() -> Int {
    var count = 0
    var change: BatchedChange? = self
    while let next = change {
      count &+= 1
      next.isForgotten = true
      next.value.release()
      next.value = .null
      next.context = nil
      change = next.earlier.take()
    }
    return count
  }

  deinit { value.release() }
}
