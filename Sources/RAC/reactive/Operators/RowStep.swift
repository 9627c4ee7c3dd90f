import CRACShims
import Synchronization

/// The work of an operator with one input on a value: one object for its signal, shared by all
/// subscriptions. Steps on one another are fused operators.
///
/// Signals that are made of one another by steps alone are subscribed to all at once: a
/// subscription is one `Row`, which runs through the steps in a loop. A subscription has one value
/// of its own for a step, its *state*.
///
/// `map`, `filter` and `scan` are known to the loop. All others are subclasses: override what
/// differs.
class RowStep: RowKeeper {
  /// A step as a row sees it: plain data, so that going through it costs no reference.
  enum Form {
    case map(rac_map_fn, CContext?)
    case filter(rac_predicate_fn, CContext?)
    case scan(rac_reduce_fn, CContext?, state: Int32)
    /// Any other step.
    case call(Unmanaged<RowStep>, state: Int32)
    /// The end of the row. The payload is of no use, but makes for a quicker look at the kind.
    case bottom(Int)
  }

  /// The form of this step, and the end of the row that it is by itself.
  private final var own: (Form, Form)
  /// Its address: asked for by many threads, it would count as being written.
  private final var ownForms: UnsafePointer<Form>?
  /// The context of the callbacks; kept for all that have the step.
  @exclusivity(unchecked) private final var context: Context?
  /// A subscription's state begins with it, if it has one. Owned.
  private final let start: Value?
  /// The step of the signal that this one's was made of.
  fileprivate final var above: RowStep?
  /// How many steps there are with those above.
  fileprivate private(set) final var count: Int32 = 1
  /// The forms of all of them, the topmost first: made for the first subscription, and kept. The
  /// address of the forms, or RowForms as a word. 0: not made yet.
  private final let all = Atomic<UInt>(0)

  /// For subclasses. The context is what they call back with.
  init(_ context: Context? = nil, state start: Value? = nil) {
    own = (.bottom(0), .bottom(0))
    self.context = context
    self.start = start?.retained()
    super.init(states: start == nil ? 0 : 1)
    own.0 = .call(.passUnretained(self), state: 0)
    findOwnForms()
  }

  /// A step that the loop knows.
  init(_ form: Form, _ context: Context, state start: Value? = nil) {
    own = (form, .bottom(0))
    self.context = context
    self.start = start?.retained()
    super.init(states: start == nil ? 0 : 1)
    findOwnForms()
  }

  @inline(__always)
  private final func findOwnForms() {
    ownForms = withUnsafePointer(to: &own) {
      UnsafeRawPointer($0).assumingMemoryBound(to: Form.self)
    }
  }

  deinit {
    start?.release()
    if count > 1 { letGoOfOthers() }
  }

  @inline(never)
  private final func letGoOfOthers() {
    drop(all.load(ordering: .acquiring))
    // The steps above go after this one's own context, as in a chain of stages, and in a loop.
    context = nil
    var step = above.take()
    while step != nil, isKnownUniquelyReferenced(&step) {
      step = step.unsafelyUnwrapped.above.take()
    }
  }

  /// The context's.
  final var pointer: CContext? { context.unsafelyUnwrapped.pointer }

  /// Called once, when the signal of the step is made.
  fileprivate final func follow(_ above: RowStep) {
    self.above = above
    count &+= above.count
    states &+= above.states
  }

  // MARK: In a row

  /// A value of the source's. Returns what goes on to the next step; nil: nothing does, or it has
  /// been sent already.
  func next(_ value: Value, at place: RowPlace) -> Value? { value }
  /// How many numbers that come together may go through `sift`: none where a callback has to see
  /// them, or the stream is about to end.
  func mostNumbers(at place: RowPlace) -> Int { 0 }
  /// See BulkFilter. `target` may be where the numbers are.
  func sift(
    _ numbers: inout Numbers, to target: UnsafeMutableRawPointer, room: Int, at place: RowPlace
  ) -> Int {
    var kept = 0
    while numbers.count > 0 && kept < room {
      if next(numbers.value, at: place) != nil {
        (target + kept &* 8).copyMemory(from: numbers.first, byteCount: 8)
        kept &+= 1
      }
      numbers.drop(1)
    }
    return kept
  }
  /// An end of the source's. Whether it goes on.
  func error(_ error: Value, at place: RowPlace) -> Bool { true }
  func completed(at place: RowPlace) -> Bool { true }
  /// Whether it may send a value then.
  var sendsAtEnd: Bool { false }

  /// A new subscription to all steps, or to this one alone.
  @inline(__always)
  fileprivate final func makeRow(_ downstream: Sink, alone: Bool) -> Row {
    let own = ownForms.unsafelyUnwrapped
    if !alone && count > 1 { return makeLongRow(downstream) }
    if let start { return StatefulRow(self, own, start.retained(), downstream) }
    return Row(self, own, 1, nil, downstream)
  }

  @inline(__always)
  private final func makeLongRow(_ downstream: Sink) -> Row {
    var word = all.load(ordering: .acquiring)
    if word == 0 { word = makeForms() }
    let states = states > 0 ? makeStates() : nil
    if let forms = RowForms.named(word) {
      return forms._withUnsafeGuaranteedRef {
        Row($0, UnsafePointer($0.all), count, states, downstream)
      }
    }
    let forms = UnsafePointer<Form>(bitPattern: word).unsafelyUnwrapped
    return Row(self, forms, count, states, downstream)
  }

  @inline(never)
  private final func makeStates() -> UnsafeMutablePointer<Value> {
    var left = Int(states)
    let made = rac_shim_allocate(left &* MemoryLayout<Value>.stride).unsafelyUnwrapped
      .bindMemory(to: Value.self, capacity: left)
    forEach { step, _ in
      guard let start = step.start else { return }
      left &-= 1
      (made + left).initialize(to: start.retained())
    }
    return made
  }

  /// When all that have the step go.
  override func visitBase(_ visitor: inout Visitor) {
    visitor.reference(above)
    visitor.reference(context)
    visitor.value(start)
    visitor.reference(RowForms.named(all.load(ordering: .acquiring))?.toOpaque())
  }

  /// From below, each with its place.
  private final func forEach(_ body: (RowStep, Int) -> Void) {
    var place = Int(count)
    var step: Unmanaged<RowStep>? = .passUnretained(self)
    while let one = step {
      place &-= 1
      one._withUnsafeGuaranteedRef {
        body($0, place)
        step = $0.above.map { .passUnretained($0) }
      }
    }
  }

  /// Of two threads that make them the slower one drops its own. With a step that is an object the
  /// rows keep this one, and so the others.
  @inline(never)
  private final func makeForms() -> UInt {
    var isKnown = true
    var room = 0
    forEach { step, _ in
      if case .call = step.own.0 { isKnown = false }
      if step.context?.isLasting ?? false { room &+= 1 }
    }
    let length = Int(count) &+ 1
    let whole = isKnown ? RowForms(length, states: states, room: room) : nil
    let forms = whole?.all ?? RowForms.allocate(length)
    (forms + Int(count)).initialize(to: .bottom(0))
    var state = states
    forEach { step, place in
      if step.start != nil { state &-= 1 }
      (forms + place).initialize(to: step.own.0.with(state: state))
      if let whole, let context = step.context, context.isLasting { whole.keep(context) }
    }
    let made = whole?.word ?? UInt(bitPattern: forms)
    let (isFirst, before) = all.replace(0, with: made)
    if isFirst { return made }
    drop(made)
    return before
  }

  private final func drop(_ word: UInt) {
    if let forms = RowForms.named(word) { return forms.drop() }
    rac_shim_free(UnsafeMutableRawPointer(bitPattern: word))
  }
}

extension RowStep.Form {
  var isMap: Bool { if case .map = self { true } else { false } }

  fileprivate func with(state: Int32) -> RowStep.Form {
    switch self {
    case .scan(let reduce, let context, _): return .scan(reduce, context, state: state)
    case .call(let step, _): return .call(step, state: state)
    default: return self
    }
  }
}

/// A signal made from another one by a step.
final class StepSignal: Signal {
  private let source: Signal
  private var step: RowStep
  /// The first above that is not such a signal; the source keeps it.
  private let root: Unmanaged<Signal>

  // Inlined: given to a function, both would be retained once more.
  @inline(__always)
  fileprivate init(_ source: Signal, _ step: RowStep) {
    self.source = source
    self.step = step
    if let upper = source as? StepSignal {
      step.follow(upper.step)
      root = upper.root
    } else {
      root = .passUnretained(source)
    }
    super.init(depth: source.depth &+ 1)
  }

  deinit {
    // Nobody is subscribed: each signal lets its own step go.
    if step.count > 1 && isKnownUniquelyReferenced(&step) { step.above = nil }
    guard Stack.isTooShort(toTakeApart: depth) else { return }
    let (source, step) = (source, step)
    Stack.outlive { withExtendedLifetime((source, step)) {} }
  }

  override var contexts: Object? {
    ContextPair.of(step, root._withUnsafeGuaranteedRef { $0.contexts })
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(source)
    visitor.reference(step)
  }

  /// All steps at once; each for itself while somebody watches what passes between them.
  override func attach(_ sink: Sink) {
    let mine = Unmanaged.passUnretained(step)
    let isWatched =
      rac_stages_are_watched() && mine._withUnsafeGuaranteedRef { $0.count > 1 }
    let row = mine._withUnsafeGuaranteedRef { $0.makeRow(sink, alone: isWatched) }
    let top = isWatched ? .passUnretained(source) : root
    top._withUnsafeGuaranteedRef { $0.subscribe(row) }
  }
}

extension Signal {
  /// How an operator with one input is made that sends a value, or none, for each that it gets.
  @inline(never)
  final func lift(_ operation: StaticString, _ step: consuming RowStep) -> Signal {
    StepSignal(self, step).named(operation, self)
  }
}

/// A step that is one function of the value, and lets the end pass.
final class CallStep: RowStep {
  typealias Next = (CContext?, Value, RowPlace) -> Value?
  private let body: Next

  fileprivate init(_ context: Context, state start: Value?, _ body: @escaping Next) {
    self.body = body
    super.init(context, state: start)
  }

  override func next(_ value: Value, at place: RowPlace) -> Value? { body(pointer, value, place) }
}

extension Signal {
  /// The function gets the context's pointer; it captures no object.
  final func lift(
    _ operation: StaticString, calling context: Context, state: Value? = nil,
    _ next: @escaping CallStep.Next
  ) -> Signal {
    lift(operation, CallStep(context, state: state, next))
  }
}

extension Value {
  /// A state that equals no value.
  static var nothing: Value { Value(.max, bits: 0) }
}
