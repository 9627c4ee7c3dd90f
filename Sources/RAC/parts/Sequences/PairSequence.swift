/// A sequence of two callbacks: one makes the first value, the other what follows.
/// +sequenceWithHeadBlock:tailBlock:
///
/// Each is called once at most, and only when what it makes is asked for.
final class PairSequence: ValueSequence {
  private let context: Context
  private let makeHead: rac_factory_fn
  private let makeTail: rac_sequence_tail_fn?
  private let headOnce = Once()
  private let tailOnce = Once()
  private var cell = Cell()
  /// It follows itself. Not kept as the rest: it would keep itself alive.
  private var isCircular = false

  init(
    _ context: Context, _ makeHead: @escaping rac_factory_fn, _ makeTail: rac_sequence_tail_fn?
  ) {
    self.context = context
    self.makeHead = makeHead
    self.makeTail = makeTail
  }

  deinit { cell.value.release() }

  override func head() -> ReadResult {
    switch headOnce.begin() {
    case .refused: return .refused(Status.deadlock)
    case .late: return .refused(Status.timedOut)
    case .mine:
      if Stack.isShort { return .refused(refused(headOnce)) }
      computeHead()
      headOnce.finish()
    case .done: break
    }
    return cell.head
  }

  private func computeHead() {
    switch ReadResult.result({ makeHead(context.pointer, $0) }) {
    case .value(let first): cell = Cell(.value, first)
    case .failed(let error): cell = Cell(.failed, error)
    default: cell = Cell(.end)
    }
  }

  /// Does not ask for the head; but after an end, or an error, nothing follows.
  override func tail() -> TailResult {
    if headOnce.isDone && cell.state != .value { return cell.tail(nil) }
    switch tailOnce.begin() {
    case .refused: return .refused(Status.deadlock)
    case .late: return .refused(Status.timedOut)
    case .mine:
      if Stack.isShort { return .refused(refused(tailOnce)) }
      computeTail()
      tailOnce.finish()
    case .done: break
    }
    if isCircular { return .sequence(self) }
    return rest.map { .sequence($0) } ?? .end
  }

  /// Callbacks that read other sequences may do so deeper than the stack goes.
  private func refused(_ once: borrowing Once) -> rac_status {
    once.abandon()
    return Status.range
  }

  private func computeTail() {
    guard let makeTail else { return rest = EmptySequence() }
    switch SequenceCallback.call({ makeTail(context.pointer, $0) }) {
    case .sequence(let next):
      isCircular = next === self
      if !isCircular { rest = next ?? EmptySequence() }
    case .failure(let error): rest = FailedSequence(owned: error)
    }
  }

  override func visit(_ visitor: inout Visitor) {
    if visitor.enter(tailOnce) { super.visit(&visitor) }
    if visitor.enter(headOnce) { visitor.value(cell.value) }
    visitor.reference(context)
  }
}

/// Values that a callback makes of a state, which it makes the next state of.
final class GeneratorCursor: Cursor {
  private let context: Context
  private let generate: rac_generate_fn
  private var state: Value

  init(_ state: Value, _ context: Context, _ generate: @escaping rac_generate_fn) {
    self.state = state.retained()
    self.context = context
    self.generate = generate
  }

  deinit { state.release() }

  override func next() -> ReadResult {
    var following = Value.null
    let pulled = ReadResult.result { generate(context.pointer, state, &following, $0) }
    guard case .value(let value) = pulled else {
      following.release()
      return pulled
    }
    // The state is checked as the value was.
    switch ReadResult.admitted(following, Status.ok) {
    case .value(let next):
      state.release()
      state = next
      return pulled
    case let refusal:
      value.release()
      return refusal
    }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(context)
    visitor.value(state)
  }
}
