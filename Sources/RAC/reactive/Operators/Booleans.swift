/// Sends the opposite of each truth value. Numbers count as true unless they are 0.
///
///     source --t--0--|   t: true
///     not    --f--t--|   f: false
///
/// - Parameter source: borrowed; any other value ends the stream with an error.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -not. Since: 0.1
@c public func rac_signal_not(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.lift("not", NotStep()) }
}

/// Sends for each tuple of truth values whether all are true. Numbers count as true unless they are
/// 0.
///
///     source --a--b--|   a: (true,0), b: (1,true)
///     and    --f--t--|   f: false, t: true
///
/// - Parameter source: borrowed; an empty tuple, or anything else, ends the stream with an error.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -and. Since: 0.1
@c public func rac_signal_and(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.lift("and", AndOrStep(decidedBy: false)) }
}

/// Sends for each tuple of truth values whether one is true. Numbers count as true unless they are
/// 0.
///
///     source --a--b--|   a: (true,0), b: (0,false)
///     or     --t--f--|   t: true, f: false
///
/// - Parameter source: borrowed; an empty tuple, or anything else, ends the stream with an error.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -or. Since: 0.1
@c public func rac_signal_or(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.lift("or", AndOrStep(decidedBy: true)) }
}

private final class NotStep: RowStep {
  override func next(_ value: Value, at place: RowPlace) -> Value? {
    if let truth = value.truth { return .bool(!truth) }
    place.fail(Status.kind, "a truth value was expected, another value was sent", at: value)
    return nil
  }
}

private final class AndOrStep: RowStep {
  private let decisive: Bool

  init(decidedBy decisive: Bool) {
    self.decisive = decisive
    super.init()
  }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    guard value.kind == Value.Kind.tuple, value.elements.count > 0 else {
      place.fail(
        Status.kind, "a tuple of truth values was expected, another value was sent", at: value)
      return nil
    }
    var result = !decisive
    for element in value.elements {
      guard let truth = element.truth else {
        place.fail(
          Status.kind, "a tuple of truth values was expected, it has another value", at: value)
        return nil
      }
      if truth == decisive { result = decisive }
    }
    return .bool(result)
  }
}
