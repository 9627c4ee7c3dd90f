/// Sends nothing but its end. RACEmptySignal.
final class EmptySignal: ColdSignal {
  override var known: Known { .end }

  override func start(_ sink: Sink) {
    if sink.scope.isActive { sink.completed() }
  }
}

/// Sends one value and completes. RACReturnSignal.
final class ReturnSignal: ColdSignal {
  private let value: Value

  init(_ value: Value) { self.value = value.retained() }
  deinit { value.release() }

  override var known: Known { .value(value) }

  override func start(_ sink: Sink) {
    if sink.scope.isActive { sink.next(value) }
    if sink.scope.isActive { sink.completed() }
  }

  override func visit(_ visitor: inout Visitor) { visitor.value(value) }
}

/// Sends an error. RACErrorSignal.
final class ErrorSignal: ColdSignal {
  private let error: Value

  init(_ error: Value) { self.error = error.retained() }
  deinit { error.release() }

  override func start(_ sink: Sink) {
    if sink.scope.isActive { sink.error(error) }
  }

  override func visit(_ visitor: inout Visitor) { visitor.value(error) }
}

/// Sends nothing, ever. Nobody can send into its subscriptions, so they are let go at once.
final class NeverSignal: Signal {
  override func attach(_ sink: Sink) {}
}

/// Sends the values it was made with, then completes. RACSequence's -signal for an array.
final class ValuesSignal: ColdSignal {
  private let values: Value

  /// A tuple of the values.
  init(_ values: Value) { self.values = values.retained() }
  deinit { values.release() }

  override func start(_ sink: Sink) {
    for value in values.elements {
      guard sink.scope.isActive else { return }
      sink.next(value)
    }
    if sink.scope.isActive { sink.completed() }
  }

  override func visit(_ visitor: inout Visitor) { visitor.value(values) }
}
