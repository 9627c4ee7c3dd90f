import CRACShims

/// A list of values, perhaps without end, whose values are computed when they are asked for and
/// kept. RACSequence.
///
/// A sequence never changes: reading it again gives the same. Subclasses say what is at the front,
/// and what follows it. Both may run callbacks of the user's, so their caller holds no lock.
class ValueSequence: Object {
  /// How many evaluations may lie inside each other to find the first value. Bounded as for
  /// signals.
  final let depth: Int32
  /// The sequence behind the first value, once it is known.
  final var rest: ValueSequence?

  init(depth: Int32 = 1) { self.depth = depth }

  /// The first value.
  func head() -> ReadResult { .end }

  /// The sequence behind the first value.
  func tail() -> TailResult { .end }

  /// Nobody can read it any more, and what follows it is about to be taken: from here on nobody may
  /// add anything.
  func settle() {}

  /// A long line is being taken apart up to here, and further; or that has come to its end at a
  /// reader here.
  func isReached(goesOn: Bool) {}

  /// Whether everything was computed when the sequence was made; so is what is derived from it.
  var isEager: Bool { false }

  deinit {
    // A long line of values is taken apart in a loop.
    var next = rest.take()
    var length = 0
    while next != nil, isKnownUniquelyReferenced(&next) {
      next?.settle()
      length &+= 1
      if length % ValueSequence.long == 0 { next?.isReached(goesOn: true) }
      let following = next?.rest.take()
      next = following
    }
    if length >= ValueSequence.long { next?.isReached(goesOn: false) }
  }

  private static let long = 1024

  override func visit(_ visitor: inout Visitor) { visitor.reference(rest) }
}

/// The result of asking for a value.
enum ReadResult {
  /// Owned by the caller.
  case value(Value)
  case end
  /// The sequence ends with an error, owned by the caller. It stays so.
  case failed(Value)
  /// Not now and not here: nothing was computed, and one may ask again.
  case refused(rac_status)
}

/// The result of asking for the rest.
enum TailResult {
  case sequence(ValueSequence)
  case end
  case failed(Value)
  case refused(rac_status)
}

/// What a sequence has found out about its first value.
struct Cell {
  enum State {
    case none
    case value
    case end
    case failed
    /// Everything is as in the sequence's `rest`.
    case same
  }

  private(set) var state = State.none
  /// The first value, or the error; owned.
  private(set) var value = Value.null

  init() {}

  /// Takes the value over.
  init(_ state: State, _ value: Value = .null) {
    self.state = state
    self.value = value
  }

  var head: ReadResult {
    switch state {
    case .value: return .value(value.retained())
    case .failed: return .failed(value.retained())
    default: return .end
    }
  }

  func tail(_ rest: ValueSequence?) -> TailResult {
    switch state {
    case .value: return rest.map { .sequence($0) } ?? .end
    case .failed: return .failed(value.retained())
    default: return .end
    }
  }
}

/// A place in a sequence. It does not keep the values it has passed.
struct Walk {
  /// For a visitor: a method that visits would have a copy of the walk, which counts as a reference
  /// where the compiler does not optimise.
  private(set) var at: ValueSequence
  /// The value at this place was given out already.
  private var hasRead = false

  init(_ sequence: ValueSequence) { at = sequence }

  /// The next value. Where there is none the place stays, so that asking again gives the same.
  @inline(never)
  mutating func next() -> ReadResult {
    if hasRead {
      switch at.tail() {
      case .sequence(let rest):
        at = rest
        hasRead = false
      case .end: return .end
      case .failed(let error): return .failed(error)
      case .refused(let status): return .refused(status)
      }
    }
    let pulled = at.head()
    guard case .value = pulled else { return pulled }
    hasRead = true
    return pulled
  }
}

/// Runs callbacks of the user's: in there, calls that block are refused.
func asCallback<Result>(_ body: () -> Result) -> Result {
  let thread = currentThread()
  thread.deepen()
  let result = body()
  thread.surface()
  return result
}

extension ReadResult {
  /// The value that a callback wrote to `*out`. It ends the sequence with RAC_EEMPTY, and fails
  /// with any other negative status.
  static func result(_ call: (UnsafeMutablePointer<Value>) -> rac_status) -> ReadResult {
    asCallback {
      var out = Value.null
      let status = call(&out)
      return admitted(out, status)
    }
  }

  @inline(never)
  static func admitted(_ out: Value, _ status: rac_status) -> ReadResult {
    if Callback.hasFailed(status) {
      out.release()
      if status != Status.empty { return .failed(Callback.error(from: status)) }
      Callback.discardRaised()
      return .end
    }
    switch out.admitted() {
    case .sound: return .value(out.kept())
    case .copied(let copy): return .value(copy)
    case .refused(let status, let message): return .failed(.error("rac", status, message))
    }
  }
}
