import CRACShims

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
  private struct Lane {
    /// What waits.
    var line = ValueLine()
    var isDone = false
  }

  private let count: Int
  private let lanes: UnsafeMutablePointer<Lane>
  /// Inputs without a value that waits.
  private var missing: Int
  private var row: ReusedTuple

  init?(_ count: Int, _ downstream: Sink) {
    guard let block = rac_shim_allocate_checked(count &* MemoryLayout<Lane>.stride) else {
      return nil
    }
    self.count = count
    lanes = block.assumingMemoryBound(to: Lane.self)
    lanes.initialize(repeating: Lane(), count: count)
    missing = count
    row = ReusedTuple(count)
    super.init(downstream)
  }

  deinit {
    var at = 0
    while at < count {
      lanes[at].line.deallocate()
      at &+= 1
    }
    rac_shim_free(lanes)
    row.release()
  }

  override func next(_ input: Input?, _ value: Value) {
    guard let position = input?.position else { return }
    lanes[position].line.append(value.retained())
    if lanes[position].line.count == 1 { missing &-= 1 }
    guard missing == 0 else { return }
    guard row.prepare(keeping: false) else { return failWithoutMemory() }
    var at = 0
    while at < count {
      row.set(at, popFirst(of: at))
      at &+= 1
    }
    downstream.next(row.value)
    row.clear()
    endIfNothingCanFollow()
  }

  private func popFirst(of position: Int) -> Value {
    let value = lanes[position].line.popFirst() ?? .null
    if lanes[position].line.count == 0 { missing &+= 1 }
    return value
  }

  override func completed(_ input: Input?) {
    guard let position = input?.position else { return }
    lanes[position].isDone = true
    endIfNothingCanFollow()
  }

  private func endIfNothingCanFollow() {
    var at = 0
    while at < count {
      if lanes[at].isDone && lanes[at].line.count == 0 { return endCompleted() }
      at &+= 1
    }
  }
}
