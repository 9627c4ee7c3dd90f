extension Signal {
  /// Calls the function with the elements of each tuple, from now on and whether or not anybody
  /// listens. The last result, replayed, and what ends it.
  ///
  /// C: rac_lift_arguments, rac_lift. RAC: -rac_liftSelector:withSignalOfArguments:
  func liftFunction(_ context: Context, _ function: @escaping rac_reduce_each_fn)
    -> (results: Signal, subscription: Scope)
  {
    let results = ReplaySubject(capacity: 1).named("lift", self)
    let sink = LiftSink(context, function, SubjectSink(results, scope: Scope()))
    subscribe(sink)
    return (results, sink.scope)
  }
}

/// Calls the function. As with a subscriber's callbacks, one can wait until it is not called any
/// more.
private final class LiftSink: Stage {
  private var context: Context?
  private let pointer: UnsafeMutableRawPointer?
  private let function: rac_reduce_each_fn

  init(_ context: Context, _ function: @escaping rac_reduce_each_fn, _ downstream: Sink) {
    self.context = context
    pointer = context.pointer
    self.function = function
    super.init(downstream)
    scope.belongsToCallbacks = true
  }

  override func next(_ value: Value) {
    guard value.kind == Value.Kind.tuple else {
      return fail(Status.kind, "a tuple was expected, another value was sent", at: value)
    }
    guard scope.isActive else { return }
    let elements = value.elements
    // A function without a result stands for the unit.
    send(orElse: .unit) { function(pointer, elements.baseAddress, elements.count, $0) }
  }

  deinit {
    context = nil
    scope.markDrained()
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(context) }
}
