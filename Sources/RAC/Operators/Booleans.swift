extension Signal {
  /// Sends the opposite of each truth value. C: rac_signal_not. RAC: -not
  func not() -> Signal { lift("not") { NotSink($0) } }

  /// Sends for each tuple of truth values whether all are true. C: rac_signal_and. RAC: -and
  func and() -> Signal { lift("and") { AndOrSink(decidedBy: false, $0) } }

  /// Sends for each tuple of truth values whether one of them is true. C: rac_signal_or. RAC: -or
  func or() -> Signal { lift("or") { AndOrSink(decidedBy: true, $0) } }
}

private final class NotSink: Stage {
  override func next(_ value: Value) {
    guard let truth = value.truth else {
      return fail(Status.kind, "a truth value was expected, another value was sent")
    }
    downstream.next(.bool(!truth))
  }
}

private final class AndOrSink: Stage {
  private let decisive: Bool

  init(decidedBy decisive: Bool, _ downstream: Sink) {
    self.decisive = decisive
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard value.kind == Value.Kind.tuple, value.elements.count > 0 else {
      return fail(Status.kind, "a tuple of truth values was expected, another value was sent")
    }
    var result = !decisive
    for element in value.elements {
      guard let truth = element.truth else {
        return fail(Status.kind, "a tuple of truth values was expected, it has another value")
      }
      if truth == decisive { result = decisive }
    }
    downstream.next(.bool(result))
  }
}
