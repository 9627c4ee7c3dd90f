/// What makes a running result: a callback that may want to know how many values came before.
enum Reducer {
  case plain(rac_reduce_fn)
  case indexed(rac_reduce_index_fn)

  @inline(__always)
  func call(
    _ context: UnsafeMutableRawPointer?, _ running: Value, _ next: Value, _ index: Int,
    _ out: UnsafeMutablePointer<Value>
  ) -> rac_status {
    switch self {
    case .plain(let reduce): return reduce(context, running, next, out)
    case .indexed(let reduce): return reduce(context, running, next, index, out)
    }
  }
}

/// What a signal of these holds: where a subscription begins, and the context of what goes on.
final class Accumulation: Object {
  fileprivate let start: Value
  fileprivate let reduce: Closure<Reducer>

  /// Retains the start.
  init(_ start: Value, _ reduce: Closure<Reducer>) {
    self.start = start.retained()
    self.reduce = reduce
  }
  deinit { start.release() }

  override func visit(_ visitor: inout Visitor) {
    visitor.value(start)
    visitor.reference(reduce.context)
  }
}

/// Keeps the running result; sends each one, or only the last: what scan with an index and the forms
/// of aggregate have in common.
final class AccumulatingSink: Stage {
  @exclusivity(unchecked) private var running: Value
  @exclusivity(unchecked) private var position = 0
  private let reduce: Closure<Reducer>
  private let sendsEach: Bool

  convenience init(_ whole: Accumulation, sendsEach: Bool, _ downstream: Sink) {
    self.init(whole.start, whole.reduce, sendsEach: sendsEach, downstream)
  }

  init(_ start: Value, _ reduce: Closure<Reducer>, sendsEach: Bool, _ downstream: Sink) {
    running = start.retained()
    self.reduce = reduce
    self.sendsEach = sendsEach
    super.init(downstream)
  }
  deinit { running.release() }

  override func next(_ value: Value) {
    guard scope.isActive,
      let result = result({ reduce.function.call(reduce.pointer, running, value, position, $0) })
    else { return }
    position &+= 1
    let old = running
    running = result
    old.release()
    if sendsEach { downstream.next(result) }
  }

  override func completed() {
    if !sendsEach { downstream.next(running) }
    downstream.completed()
  }

  /// Takes the start from a callback. False: it failed, and so has the stream.
  func starts(from factory: rac_factory_fn) -> Bool {
    guard scope.isActive, let start = result({ factory(reduce.pointer, $0) }) else { return false }
    running = start
    return scope.isActive
  }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.value(running)
    visitor.reference(reduce.context)
  }
}
