/// The values of the sequences that a sequence has as its values, or a callback makes of them. RAC:
/// -flatten, -flattenMap:, -bind:
final class FlattenCursor: Cursor {
  enum Binding {
    /// The values are sequences.
    case values
    case map(rac_sequence_fn)
    /// The callback can stop.
    case bind(rac_sequence_bind_fn)
  }

  private var outer: Walk
  private var inner = Walk(EmptySequence())
  private var hasStopped = false
  private let context: Context?
  private let binding: Binding

  init(_ source: ValueSequence, _ context: Context?, _ binding: Binding) {
    outer = Walk(source)
    self.context = context
    self.binding = binding
  }

  override func next() -> ReadResult {
    while true {
      let pulled = inner.next()
      guard case .end = pulled, !hasStopped else { return pulled }
      let next = outer.next()
      guard case .value(let value) = next else { return next }
      let result = sequence(for: value)
      value.release()
      switch result {
      case .sequence(let sequence): inner = Walk(sequence ?? EmptySequence())
      case .failure(let error): return .failed(error)
      }
    }
  }

  private func sequence(for value: Value) -> SequenceCallback {
    switch binding {
    case .values:
      if value.isNull { return .sequence(nil) }
      if let sequence = value.asSequence { return .sequence(sequence) }
      return .failure(
        .error("rac", Status.kind, "a sequence was expected, another value was there"))
    case .map(let transform):
      return SequenceCallback.call { transform(context?.pointer, value, $0) }
    case .bind(let transform):
      var stop = false
      let result = SequenceCallback.call { transform(context?.pointer, value, &stop, $0) }
      // No sequence at all ends the binding, as in RAC.
      if case .sequence(nil) = result { stop = true }
      hasStopped = stop
      return result
    }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(outer.at)
    visitor.reference(inner.at)
    visitor.reference(context)
  }
}

extension ValueSequence {
  func flatten(_ context: Context? = nil, _ binding: FlattenCursor.Binding = .values)
    -> ValueSequence
  {
    LazySequence(FlattenCursor(self, context, binding), depth: depth &+ 1)
  }
}
