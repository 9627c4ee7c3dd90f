extension Signal {
  /// Sends a tuple of everybody's first value, then of everybody's second, and so on; completes when
  /// one that has nothing waiting completes, fails with the first.
  ///
  /// ```
  /// a   --1--2-----3--|
  /// b   ----x----y-------|
  /// zip ----1x---2y---|
  /// ```
  /// Values wait without limit for those that are behind. C: rac_signal_zip. RAC: +zip:
  static func zip(_ signals: [Signal]) -> Signal {
    signals.isEmpty ? EmptySignal() : ZipSignal(signals).named("zip:")
  }
}

private final class ZipSignal: CombinedSignal {
  override func attach(_ sink: Sink) { subscribe(inputsOf: ZipCore(signals.count, sink)) }
}

private final class ZipCore: CombiningCore {
  private var lines: [ValueLine]
  private var isDone: [Bool]

  init(_ count: Int, _ downstream: Sink) {
    lines = Array(repeating: ValueLine(), count: count)
    isDone = Array(repeating: false, count: count)
    super.init(downstream)
  }
  deinit { for line in lines { line.releaseAll() } }

  override func next(_ input: Input?, _ value: Value) {
    guard let position = input?.position else { return }
    lines[position].append(value.retained())
    for line in lines where line.isEmpty { return }
    var row: [Value] = []
    row.reserveCapacity(lines.count)
    var at = 0
    while at < lines.count {
      row.append(lines[at].removeFirst())
      at &+= 1
    }
    let tuple = row.withUnsafeBufferPointer { Value.tuple($0) } ?? .null
    for value in row { value.release() }
    downstream.next(tuple)
    tuple.release()
    endIfNothingCanFollow()
  }

  override func completed(_ input: Input?) {
    guard let position = input?.position else { return }
    isDone[position] = true
    endIfNothingCanFollow()
  }

  private func endIfNothingCanFollow() {
    var at = 0
    while at < lines.count {
      if isDone[at] && lines[at].isEmpty { return endCompleted() }
      at &+= 1
    }
  }
}

/// Values waiting in order; whoever holds it owns them.
private struct ValueLine {
  private var values: [Value] = []
  private var head = 0

  var isEmpty: Bool { head == values.count }

  mutating func append(_ value: Value) { values.append(value) }

  mutating func removeFirst() -> Value {
    let value = values[head]
    head &+= 1
    if head &* 2 >= values.count {
      values.removeFirst(head)
      head = 0
    }
    return value
  }

  func releaseAll() {
    for value in values[head...] { value.release() }
  }
}
