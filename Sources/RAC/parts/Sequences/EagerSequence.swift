/// A sequence that was computed as a whole. RACEagerSequence.
final class EagerSequence: ValueSequence {
  let lazy: ValueSequence

  fileprivate init(_ lazy: ValueSequence) {
    self.lazy = lazy
    super.init(depth: lazy.depth)
  }

  override var isEager: Bool { true }
  override func head() -> ReadResult { lazy.head() }

  override func tail() -> TailResult {
    let rest = lazy.tail()
    if case .sequence(let sequence) = rest { return .sequence(EagerSequence(sequence)) }
    return rest
  }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.reference(lazy)
  }
}

extension ValueSequence {
  /// Computes everything, now. With a status when that is not possible here.
  func evaluated() -> (ValueSequence, rac_status) {
    if isEager { return (self, Status.ok) }
    var walk = Walk(self)
    while true {
      switch walk.next() {
      case .value(let value): value.release()
      case .refused(let status): return (self, status)
      case .failed(let error):
        error.release()
        return (EagerSequence(self), Status.ok)
      case .end: return (EagerSequence(self), Status.ok)
      }
    }
  }
}
