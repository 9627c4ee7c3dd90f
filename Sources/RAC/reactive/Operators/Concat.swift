/// Subscribes to `next` when the source has completed.
///
///     source --1--|
///     next        --2--3--|
///     concat --1----2--3--|
///
/// However long a chain of these is built, it costs no stack.
///
/// - Parameter source: borrowed.
/// - Parameter next: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -concat:. Rx: concatWith. Since: 0.1
@c public func rac_signal_concat(_ source: CSignal?, _ next: CSignal?) -> CSignal? {
  Border.derive(source, next) { $0.concat($1) }
}

/// Sends the values of the signals, one signal after the other.
///
///     a          --1--3--|
///     b                  --4--5--|
///     concat_all --1--3----4--5--|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +concat:. Rx: concat. Since: 0.1
@c public func rac_signal_concat_all(_ signals: CList<CSignal?>?, _ count: CSize) -> CSignal? {
  Border.derive(signals, count) { Signal.concat($0) }
}

extension Signal {
  func concat(_ next: Signal) -> Signal { ConcatSignal([self, next]).named("concat:", self) }

  static func concat(_ signals: [Signal]) -> Signal { ConcatSignal(signals).named("concat:") }
}

/// A chain of concatenations, however it was built, is subscribed to as one flat list: neither the
/// length of the list nor the way it was put together costs stack.
private final class ConcatSignal: Signal {
  fileprivate var parts: [Signal]
  private let contextsOfParts: Object?

  init(_ parts: [Signal]) {
    self.parts = parts
    // Nested concatenations are flattened, so they add no depth.
    var depth: Int32 = 0
    var contexts: Object?
    for part in parts {
      depth = max(depth, part is ConcatSignal ? part.depth &- 1 : part.depth)
      contexts = ContextPair.of(part.contexts, contexts)
    }
    contextsOfParts = contexts
    super.init(depth: depth &+ 1)
  }

  override var contexts: Object? { contextsOfParts }

  override func attach(_ sink: Sink) {
    ConcatRelay(parts, sink).begin(keeping: contextsOfParts)
  }

  deinit {
    // A long chain of concatenations is taken apart in a loop.
    var dying = parts
    parts = []
    while var part = dying.popLast() {
      guard isKnownUniquelyReferenced(&part), let nested = part as? ConcatSignal else { continue }
      dying.append(contentsOf: nested.parts)
      nested.parts = []
    }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.references(parts)
    visitor.reference(contextsOfParts)
  }
}

class ConcatRelay: Relay {
  /// The sources that are left, the last one first.
  final var left: [Signal]

  init(_ parts: [Signal], _ downstream: Sink) {
    left = []
    super.init(downstream)
    push(parts)
  }

  // A loop: `reversed()` of an array brings traps along.
  private func push(_ parts: [Signal]) {
    var index = parts.count
    while index > 0 {
      index &-= 1
      left.append(parts.element(at: index))
    }
  }

  override func nextSource() -> Signal? {
    while let signal = left.popLast() {
      guard let nested = signal as? ConcatSignal else { return signal }
      push(nested.parts)
    }
    return nil
  }

  /// Nothing is left to subscribe to.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    left.isEmpty && downstream.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) { visitor.references(left) }
}
