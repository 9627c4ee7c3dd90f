import Synchronization

/// One of the inputs of an operator with several: it hands every event to the operator's gate.
///
/// It has a scope of its own below the operator's, so that one input can end without the others.
final class Input: Sink {
  let core: CombiningCore
  /// Which input this is.
  let position: Int
  /// The signal to subscribe it to, the scope that it replaces, and the input that was noted before
  /// this one: the business of a `DynamicCore`.
  @exclusivity(unchecked) var signal: Unmanaged<Signal>?
  @exclusivity(unchecked) var replaced: Unmanaged<Scope>?
  @exclusivity(unchecked) var previous: UInt = 0

  /// Whether it is of those that a `DynamicCore` links itself, when they begin.
  let beginsAlone: Bool
  /// A `create` signal that goes on sending here. After the core, so that it goes after what is
  /// below.
  private var kept: Object?

  /// The only one, of an operator that is subscribed to so seldom that the code had better be
  /// short.
  static func only(_ core: consuming CombiningCore, position: Int = 0) -> Input {
    Input(core, position: position)
  }

  @inline(__always)
  init(_ core: CombiningCore, position: Int) {
    self.core = core
    self.position = position
    beginsAlone = false
    super.init(scope: Scope(), height: core.heightOfInputs)
    let mine = Unmanaged.passUnretained(scope)
    mine.keepNew()
    Unmanaged.passUnretained(core.downstream.scope)._withUnsafeGuaranteedRef {
      $0.add(owned: .fromOpaque(mine.toOpaque()))
    }
  }

  /// One that is in no scope until it is subscribed.
  @inline(__always)
  init(_ core: DynamicCore, beginningAt position: Int) {
    self.core = core
    self.position = position
    beginsAlone = true
    super.init(scope: Scope(), height: core.heightOfInputs)
  }

  override var leaf: Leaf? {
    Leaf(
      function: { context, value in
        Unmanaged<Input>.fromOpaque(context.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
          $0.next(value)
        }
      },
      context: Unmanaged.passUnretained(self).toOpaque())
  }

  override func keeps(_ object: Object, toTheEnd: Bool) -> Bool {
    if toTheEnd { kept = object } else { core.keep(object) }
    return true
  }

  override func next(_ value: Value) {
    if scope.isActive { core.submit(.next, self, value) }
  }

  override var recordedBelow: RecordedBelow { core.downstream.recordedBelow }

  override func holds(_ question: Question) -> Bool { core.holds(question, at: self) }

  // An input disposes what is above it before its end goes on, as every subscriber does.
  override func error(_ error: Value) {
    if scope.close() { core.submit(.error, self, error) }
  }

  override func completed() {
    if scope.close() { core.submit(.completed, self) }
  }

  deinit {
    if beginsAlone { leave() } else { unlink() }
    if Stack.isTooShort(toTakeApart: height) { Stack.outlive(core) }
  }

  /// Closed first: a thread that is moving it to the scope below meanwhile looks at that.
  @inline(__always)
  private func leave() {
    if scope.isActive { scope.close() }
    // The core unmanaged, or it is retained once more for the length of the call.
    Unmanaged<DynamicCore>.fromOpaque(Unmanaged.passUnretained(core).toOpaque())
      ._withUnsafeGuaranteedRef { $0.leave(.passUnretained(scope)) }
  }

  private func unlink() {
    let mine = Unmanaged.passUnretained(scope)
    Unmanaged.passUnretained(core.downstream.scope)._withUnsafeGuaranteedRef { below in
      mine._withUnsafeGuaranteedRef { below.remove($0) }
    }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(core)
    visitor.reference(kept)
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    visitor.goesAtEnd(core, withValue: withValue)
  }
}

/// The inside of an operator with several inputs, or with input from timers.
///
/// A subclass overrides `next`, `completed` and what else it needs; each runs inside the gate, so
/// counters and buffers need no further care. Errors end the stream at once unless overridden.
class CombiningCore: Core {
  final let downstream: Sink
  /// The contexts of what the inputs come from, which may end before this.
  @exclusivity(unchecked) private final var contextsAbove: Object?
  /// An end was sent; nothing follows it.
  @exclusivity(unchecked) final private(set) var hasEnded = false

  /// Signals in signals may go on for ever; each input has a gate, which looks at the stack itself.
  final var heightOfInputs: Int32 { min(downstream.height, CombiningCore.highest) &+ 1 }
  private static var highest: Int32 { 8192 }

  @inline(never)
  init(_ downstream: consuming Sink) {
    // Given away first: kept until the superclass is called, it would be retained once more.
    self.downstream = consume downstream
  }

  @inline(never)
  deinit {}

  /// Before anything is subscribed.
  final func keep(_ contexts: Object) { contextsAbove = contexts }

  /// Before the first is subscribed. An input must not be held: it holds the core; its scope may
  /// be.
  func willBegin(_ inputs: [Input]) {}

  // MARK: Demand

  /// Values that wait in the gate's queue, which no place below counts yet.
  private final let behind = Atomic<Int>(0)

  /// They are under way to the bound of that place, whose senders wait for them.
  override func divert(_ operation: Operation, _ object: Object?, _ value: Value) -> Diversion {
    if operation == .next {
      behind.wrappingAdd(1, ordering: .relaxed)
      Brake.countAnother()
      boundBelow?._withUnsafeGuaranteedRef { bound in bound.lock.locked { bound.begin(1) } }
    }
    return .inQueue
  }

  override final func hasApplied(_ operation: Operation) {
    if operation != .next { return }
    behind.wrappingSubtract(1, ordering: .releasing)
    boundBelow?._withUnsafeGuaranteedRef { $0.arrive(1) }
  }

  private final var boundBelow: Unmanaged<Bound>? {
    var found: Unmanaged<Object>?
    _ = withUnsafeMutablePointer(to: &found) { holds(at: nil, .bound($0)) }
    return found.map { .fromOpaque($0.toOpaque()) }
  }

  /// See `Sink.holds`, which asks from outside of the gate. nil: an input without a position.
  final func holds(_ question: Question, at input: Input?) -> Bool {
    if case .job(let job) = question {
      if isBehind { return waitInLine(job) }
    } else if case .now = question, isBehind {
      return true
    }
    return holds(at: input, question)
  }

  private final var isBehind: Bool { behind.load(ordering: .acquiring) > 0 }

  /// Until what is in the queue now has been applied.
  @inline(never)
  private final func waitInLine(_ job: PausableJob) -> Bool {
    job.ask()
    submitRarely(.resume, job)
    return true
  }

  /// The same about what is below, for a subclass: a trigger is never held, …
  func holds(at input: Input?, _ question: Question) -> Bool { downstream.holds(question) }

  // MARK: Events

  func next(_ input: Input?, _ value: Value) {}
  func error(_ input: Input?, _ error: Value) { end(error: error) }
  func completed(_ input: Input?) {}
  func fire(_ value: Value) {}
  /// Where a value waits a timer has this, or a thread that has yet to be counted.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    downstream.goesAtEnd(withValue: withValue, &visitor)
  }
  /// An operation that arrives after the end. Nobody hears it, but its object may have to be let
  /// go.
  func leaveOut(_ operation: Operation) {}

  override final func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    if hasEnded || operation == .resume { return applyRarely(operation, object) }
    let input = object.map { unsafeDowncast($0, to: Input.self) }
    switch operation {
    case .next: next(input, value)
    case .error: error(input, value)
    case .completed: completed(input)
    case .fire: fire(value)
    default: break
    }
  }

  @inline(never)
  private final func applyRarely(_ operation: Operation, _ object: Object?) {
    guard operation == .resume else { return leaveOut(operation) }
    (object as? PausableJob)?.resume()
  }

  override final func stop(_ error: Value) {
    if !hasEnded { end(error: error) }
  }

  final func end(error: Value) {
    hasEnded = true
    downstream.error(error)
  }

  final func end(owned error: Value) {
    end(error: error)
    error.release()
  }

  @inline(never)
  final func failWithoutMemory() {
    end(owned: .error("rac", Status.noMemory, "not enough memory to go on"))
  }

  final func endCompleted() {
    hasEnded = true
    downstream.completed()
  }

  /// A timer that is over may have been the last inside. That this comes later is ordered by
  /// reference counts, which ThreadSanitizer does not see; this it does.
  override func visitBase(_ visitor: inout Visitor) {
    _ = gate.slot.word.pointee.load(ordering: .acquiring)
    visitor.reference(downstream)
    visitor.reference(contextsAbove)
  }
}
