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
    combine("zip:", signals) { ZipCore(signals.count, $0) }
  }
}

private final class ZipCore: CombiningCore {
  /// What waits, owned.
  private var lines: [Fifo<Value>]
  private var isDone: [Bool]

  init(_ count: Int, _ downstream: Sink) {
    lines = Array(repeating: Fifo(), count: count)
    isDone = Array(repeating: false, count: count)
    super.init(downstream)
  }

  deinit {
    var at = 0
    while at < lines.count {
      while let value = lines[at].popFirst() { value.release() }
      at &+= 1
    }
  }

  override func next(_ input: Input?, _ value: Value) {
    guard let position = input?.position else { return }
    lines[position].append(value.retained())
    for line in lines where line.isEmpty { return }
    var row: [Value] = []
    row.reserveCapacity(lines.count)
    var at = 0
    while at < lines.count {
      row.append(lines[at].popFirst() ?? .null)
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
