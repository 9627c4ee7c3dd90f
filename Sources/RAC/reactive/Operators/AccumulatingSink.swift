/// The callback that makes a running result. It may want to know how many values came before.
enum Reducer {
  case plain(rac_reduce_fn)
  case indexed(rac_reduce_index_fn)

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

/// Keeps the running result; sends each one, or only the last. Serves scan with an index and the
/// forms of aggregate.
final class AccumulatingSink: CallbackStage {
  @exclusivity(unchecked) private var running: Value
  @exclusivity(unchecked) private var position = 0
  private let reduce: Reducer
  private let sendsEach: Bool

  init(_ start: Value, _ reduce: Closure<Reducer>, sendsEach: Bool, _ downstream: Sink) {
    running = start.retained()
    self.reduce = reduce.function
    self.sendsEach = sendsEach
    super.init(reduce.context, downstream)
  }
  deinit { running.release() }

  override func next(_ value: Value) {
    guard scope.isActive,
      let result = result({ reduce.call(pointer, running, value, position, $0) })
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
    guard scope.isActive, let start = result({ factory(pointer, $0) }) else { return false }
    running = start
    return scope.isActive
  }

  override func visit(_ visitor: inout Visitor) { visitor.value(running) }
}

/// A signal whose subscriptions have one. A subscription begins with a value, or with what a
/// callback makes.
final class AccumulatingSignal: Signal {
  private let source: Signal
  private let start: Value
  private let factory: rac_factory_fn?
  private let reduce: Closure<Reducer>
  private let sendsEach: Bool

  /// Retains the start.
  init(
    _ source: Signal, _ start: Value, from factory: rac_factory_fn? = nil,
    _ reduce: Closure<Reducer>, sendsEach: Bool = false
  ) {
    self.source = source
    self.start = start.retained()
    self.factory = factory
    self.reduce = reduce
    self.sendsEach = sendsEach
    reduce.context.above = source.contexts
    super.init(depth: source.depth &+ 1)
  }

  deinit {
    start.release()
    if Stack.isTooShort(toTakeApart: depth) { Stack.outlive(source) }
  }

  override var contexts: Object? { reduce.context }

  override func attach(_ sink: Sink) {
    let stage = AccumulatingSink(start, reduce, sendsEach: sendsEach, sink)
    if let factory {
      let hasStart = stage.starts(from: factory)
      reduce.context.calledBack()
      guard hasStart else { return }
    }
    source.subscribe(stage)
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(source)
    visitor.reference(reduce.context)
    visitor.value(start)
  }
}
