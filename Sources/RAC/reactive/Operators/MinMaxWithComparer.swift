extension Signal {
  /// The side is how a value has to compare to the best one to take its place.
  func extreme(
    _ operation: StaticString, _ side: Int32, _ context: Context,
    _ compare: @escaping rac_compare_fn
  ) -> Signal {
    lift(operation, ExtremeStep(side, context, compare))
  }
}

/// State: the best value so far.
private final class ExtremeStep: RowStep {
  private let side: Int32
  private let compare: rac_compare_fn

  init(_ side: Int32, _ context: Context, _ compare: @escaping rac_compare_fn) {
    self.side = side
    self.compare = compare
    super.init(context, state: .nothing)
  }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    if place.state.kind != Value.nothing.kind {
      var order: Int32 = 0
      let status = compare(pointer, value, place.state, &order)
      if Callback.hasFailed(status) {
        place.fail(status)
        return nil
      }
      if order.signum() != side { return nil }
    }
    place.keep(value.retained())
    return nil
  }

  override var sendsAtEnd: Bool { true }
  override func completed(at place: RowPlace) -> Bool {
    if place.state.kind != Value.nothing.kind { place.send(place.state) }
    return true
  }
}
