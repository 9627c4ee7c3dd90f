/// A subject's inside that remembers its end, and no value: a subscriber that comes later hears
/// that alone.
final class EndKeepingCore: SubjectCore {
  private var hasEnded = false
  /// The error it ended with, owned; nil after a completion.
  private var error: Value?

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    if !hasEnded, operation == .error || operation == .completed {
      hasEnded = true
      if operation == .error { error = value.retained() }
    }
    super.apply(operation, object, value)
  }

  override func join(_ sink: Sink) {
    guard hasEnded else { return super.join(sink) }
    guard sink.scope.isActive else { return }
    sink.scope.remove(sink)
    if let error { sink.error(error) } else { sink.completed() }
  }

  override func visit(_ visitor: inout Visitor) { visitor.value(error) }

  deinit { error?.release() }
}
