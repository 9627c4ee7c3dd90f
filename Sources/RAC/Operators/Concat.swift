extension Signal {
  /// Subscribes to `next` when this signal has completed.
  ///
  /// ```
  /// a      --1--|
  /// b      --2--3--|
  /// concat --1----2--3--|
  /// ```
  /// C: rac_signal_concat. RAC: -concat:
  func concat(_ next: Signal) -> Signal { ConcatSignal([self, next]).named("concat:", self) }

  /// All signals, one after the other. C: rac_signal_concat_all. RAC: +concat:
  static func concat(_ signals: [Signal]) -> Signal { ConcatSignal(signals).named("concat:") }

  /// Sends `value`, then subscribes. C: rac_signal_start_with. RAC: -startWith:
  func startWith(_ value: Value) -> Signal {
    ConcatSignal([ReturnSignal(value), self]).named("startWith:", self)
  }
}

/// A chain of concatenations, however it was built, is subscribed to as one flat list: neither the
/// length of the list nor the way it was put together costs stack.
private final class ConcatSignal: Signal {
  fileprivate var parts: [Signal]

  init(_ parts: [Signal]) {
    self.parts = parts
    // Nested concatenations are flattened, so they add no depth.
    var depth: Int32 = 0
    for part in parts { depth = max(depth, part is ConcatSignal ? part.depth &- 1 : part.depth) }
    super.init(depth: depth &+ 1)
  }

  override func attach(_ sink: Sink) {
    let relay = Reserve.holding(Reserve.list(parts.count)) { ConcatRelay(parts, sink) }
    if let relay { relay.advance() } else { sink.failWithoutMemory() }
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
}

private final class ConcatRelay: Relay {
  /// What is left to do, last first.
  private var left: [Signal]

  init(_ parts: [Signal], _ downstream: Sink) {
    left = []
    left.reserveCapacity(parts.count)
    var index = parts.count
    while index > 0 {
      index &-= 1
      left.append(parts[index])
    }
    super.init(downstream)
  }

  override func nextSource() -> Signal? {
    while let signal = left.popLast() {
      guard let nested = signal as? ConcatSignal else { return signal }
      left.append(contentsOf: nested.parts.reversed())
    }
    return nil
  }
}
