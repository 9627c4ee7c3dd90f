extension Signal {
  /// Sends a tuple of everybody's latest value whenever one of them changes, as soon as all have sent
  /// one; completes when all have, fails with the first.
  ///
  /// ```
  /// a       --1-----2--|
  /// b       ----x------y--|
  /// combine ----1x--2x-2y-|
  /// ```
  /// C: rac_signal_combine_latest. RAC: +combineLatest:
  static func combineLatest(_ signals: [Signal]) -> Signal {
    combine("combineLatest:", signals) { CombineLatestCore(signals.count, $0) }
  }
}

private final class CombineLatestCore: CombiningCore {
  private var latest: [Value]
  private var hasValue: [Bool]
  private var missing: Int
  private var running: Int

  init(_ count: Int, _ downstream: Sink) {
    latest = Array(repeating: .null, count: count)
    hasValue = Array(repeating: false, count: count)
    missing = count
    running = count
    super.init(downstream)
  }
  deinit { for value in latest { value.release() } }

  override func next(_ input: Input?, _ value: Value) {
    guard let position = input?.position else { return }
    let old = latest[position]
    latest[position] = value.retained()
    old.release()
    if !hasValue[position] {
      hasValue[position] = true
      missing &-= 1
    }
    guard missing == 0 else { return }
    let tuple = latest.withUnsafeBufferPointer { Value.tuple($0) } ?? .null
    downstream.next(tuple)
    tuple.release()
  }

  override func completed(_ input: Input?) {
    running &-= 1
    if running == 0 { endCompleted() }
  }
}
