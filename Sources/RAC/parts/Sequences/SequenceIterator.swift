/// A place in a sequence that moves on, for loops. RACSequenceEnumerator.
///
/// Threads that share one get each value once. It holds nothing of what it has passed.
final class SequenceIterator: Object {
  private var walk: Walk
  /// Whose turn it is; never done.
  private let once = Once()

  init(_ sequence: ValueSequence) { walk = Walk(sequence) }

  func next() -> ReadResult {
    switch once.begin() {
    case .mine: break
    case .late: return .refused(Status.timedOut)
    default: return .refused(Status.deadlock)
    }
    let pulled = walk.next()
    if case .end = pulled { walk = Walk(EmptySequence()) }
    once.abandon()
    return pulled
  }

  override func visit(_ visitor: inout Visitor) {
    if visitor.enter(once) { visitor.reference(walk.at) }
  }
}
