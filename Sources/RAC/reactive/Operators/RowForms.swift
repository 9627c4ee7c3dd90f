import CRACShims

/// The part of its steps that a row keeps: a step with those above it, or their forms alone.
class RowKeeper: Object {
  /// How many of the steps have a state.
  final var states: Int32

  init(states: Int32) { self.states = states }

  /// The states of a subscription that goes.
  final func visit(_ made: UnsafeMutablePointer<Value>?, _ visitor: inout Visitor) {
    guard let made else { return }
    for state in Places(Int(states)) {
      visitor.value(made[state])
    }
  }

  /// Those of a subscription that goes.
  @inline(never)
  final func release(_ made: UnsafeMutablePointer<Value>) {
    for state in Places(Int(states)) {
      made[state].release()
    }
    rac_shim_free(made)
  }
}

/// The forms of several steps, all of which the loop of a row knows. Rows keep these and not the
/// steps, which so go with their signals: nobody can subscribe to them any more. A step
/// leaves its context behind, if that has to be destroyed.
final class RowForms: RowKeeper {
  /// The topmost first, then the end of the row.
  private let forms: UnsafeMutablePointer<RowStep.Form>
  /// How many forms there are, with the end; behind them lie so many contexts, the lowest first.
  private let length: Int32
  private var kept: Int32 = 0

  /// `room`: for so many contexts at most. They are to be kept with `keep`, the forms to be filled.
  init(_ length: Int, states: Int32, room: Int) {
    self.length = Int32(truncatingIfNeeded: length)
    forms = RowForms.allocate(length, room: room)
    super.init(states: states)
  }

  static func allocate(_ length: Int, room: Int = 0) -> UnsafeMutablePointer<RowStep.Form> {
    let bytes =
      length &* MemoryLayout<RowStep.Form>.stride &+ room &* MemoryLayout<Unmanaged<Context>>.stride
    return rac_shim_allocate(bytes).unsafelyUnwrapped
      .assumingMemoryBound(to: RowStep.Form.self)
  }

  var all: UnsafeMutablePointer<RowStep.Form> { forms }

  private var contexts: UnsafeMutablePointer<Unmanaged<Context>> {
    UnsafeMutableRawPointer(forms + Int(length))
      .assumingMemoryBound(to: Unmanaged<Context>.self)
  }

  /// Called before anybody else has this, for the lowest step first.
  func keep(_ context: Context) {
    (contexts + Int(kept)).initialize(to: .passRetained(context))
    kept &+= 1
  }

  override func visit(_ visitor: inout Visitor) {
    for place in Places(Int(kept)) {
      visitor.reference(contexts[place].toOpaque())
    }
  }

  deinit {
    for place in Places(Int(kept)) {
      contexts[place].drop()
    }
    rac_shim_free(forms)
  }

  // MARK: As a word, beside the address of forms that their step owns

  /// The caller's reference goes into the word.
  var word: UInt { UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()) | 1 }

  @inline(__always)
  static func named(_ word: UInt) -> Unmanaged<RowForms>? {
    if word & 1 == 0 { return nil }
    return UnsafeRawPointer(bitPattern: word & ~1).map { .fromOpaque($0) }
  }
}
