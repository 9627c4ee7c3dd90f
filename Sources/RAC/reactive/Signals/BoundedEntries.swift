// Where values enter that have a bound: a subject, and the subscriber of a `create` callback.

/// The inside of a subject whose contended sends wait in a line of its own.
final class BoundedSubjectCore: SubjectCore {
  let line: BoundedLine

  init(_ bound: Bound) {
    line = BoundedLine(bound, isEntry: true)
    super.init()
  }

  override var isBounded: Bool { true }

  override func holds(_ question: Question) -> Bool { line.holds(question) }

  override func divert(_ operation: Operation, _ object: Object?, _ value: Value) -> Diversion {
    line.divert(operation, object, value)
  }
  override func hasPosted() { line.hasPosted() }

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    guard operation == .fire else { return super.apply(operation, object, value) }
    guard let held = line.takeNext() else { return }
    if held.isDue { super.apply(held.operation, held.object, held.value) }
    line.finish(held)
  }
}

/// The same for the subscriber of one subscription to a `BoundedSignal`.
final class BoundedSubscriber: Subscriber {
  let line: BoundedLine

  init(_ bound: Bound, _ sink: Sink) {
    line = BoundedLine(bound, isEntry: true)
    super.init(sink)
    // A waiting sender has no subscriber any more.
    add(line)
  }

  override func holdsBelow(_ question: Question) -> Bool {
    line.holds(question) || super.holdsBelow(question)
  }

  override var isBounded: Bool { true }

  override func divert(_ operation: Operation, _ object: Object?, _ value: Value) -> Diversion {
    line.divert(operation, object, value)
  }
  override func hasPosted() { line.hasPosted() }

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    guard operation == .fire else { return super.apply(operation, object, value) }
    guard let held = line.takeNext() else { return }
    if held.isDue { super.apply(held.operation, held.object, held.value) }
    line.finish(held)
  }
}

/// A signal whose subscriptions each have a bounded subscriber.
final class BoundedSignal: CreatedSignal {
  private let bound: Bound

  init(
    _ bound: Bound, _ context: UnsafeMutableRawPointer?, _ subscribe: rac_subscribe_fn?,
    _ destroy: rac_destroy_fn?
  ) {
    self.bound = bound
    super.init(context, subscribe, destroy)
    beginsDirectly = false
  }

  override func start(_ sink: Sink) {
    guard sink.scope.runsSource else { return }
    let sink = KeepingSink(self, sink)
    let subscriber = Unmanaged<Subscriber>.passRetained(BoundedSubscriber(bound, sink))
    Subscriber.lend(subscriber, .boundedSubscriber, to: sink) { call($0) }
  }
}
