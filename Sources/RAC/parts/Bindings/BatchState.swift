/// The protocol by which a batch that has ended becomes one change, as a value: it locks nothing
/// and calls nothing. BatchCommit feeds it events, under the lock of components, and does what it
/// answers. `Tests/model/batches.pml` has the same steps.
///
/// ```
/// liningUp --knocked--> holding --took, of all--> passing --entered--> inside
///          --published--> telling --told--> over
/// ```
struct BatchState: Equatable {
  enum Phase: Equatable {
    /// Claims are put into the queues of so many gates more than have been applied.
    case liningUp(missing: Int)
    /// All are in line, and so many properties have yet to be taken hold of.
    case holding(missing: Int)
    /// All are held. The components become one, and the gates on the ways are passed.
    case passing
    /// In the component that counts: values are worked out and computed.
    case inside
    /// All new values are there at once, and subscribers are told.
    case telling
    /// The properties are let go.
    case over
  }
  private(set) var phase = Phase.liningUp(missing: 0)

  enum Action: Equatable {
    case wait, uniteAndPass, workOut, tell, letGo
  }

  /// A claim is in the queue of one more property. It may be one of a batch that joins this one.
  mutating func linedUp() {
    switch phase {
    case .liningUp(let missing): phase = .liningUp(missing: missing &+ 1)
    case .holding(let missing): phase = .holding(missing: missing &+ 1)
    default: break
    }
  }

  /// Whether another batch may join: its properties are looked at by whoever joins.
  var isJoinable: Bool { if case .holding = phase { true } else { false } }

  /// All claims are in line, and somebody looks at each.
  mutating func knocked() -> Action {
    guard case .liningUp(let missing) = phase else { return .wait }
    return hold(missing)
  }

  /// A claim was applied, inside that property's gate. From here on the property is held.
  mutating func took() -> Action {
    switch phase {
    case .liningUp(let missing): phase = .liningUp(missing: missing &- 1)
    case .holding(let missing): return hold(missing &- 1)
    default: break
    }
    return .wait
  }

  private mutating func hold(_ missing: Int) -> Action {
    phase = missing == 0 ? .passing : .holding(missing: missing)
    return missing == 0 ? .uniteAndPass : .wait
  }

  /// All gates on the ways are passed.
  mutating func entered() -> Action { go(from: .passing, to: .inside, .workOut) }
  mutating func published() -> Action { go(from: .inside, to: .telling, .tell) }
  mutating func told() -> Action { go(from: .telling, to: .over, .letGo) }

  private mutating func go(from: Phase, to: Phase, _ action: Action) -> Action {
    guard phase == from else { return .wait }
    phase = to
    return action
  }
}
