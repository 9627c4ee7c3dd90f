import CRACShims

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
  /// Everybody's latest value.
  private var latest: ReusedTuple
  /// Who has sent one.
  private let isFilled: UnsafeMutablePointer<Bool>
  private var missing: Int
  private var running: Int

  init?(_ count: Int, _ downstream: Sink) {
    guard let block = rac_shim_allocate_checked(count) else { return nil }
    latest = ReusedTuple(count)
    isFilled = block.assumingMemoryBound(to: Bool.self)
    isFilled.initialize(repeating: false, count: count)
    missing = count
    running = count
    super.init(downstream)
  }

  deinit {
    latest.release()
    rac_shim_free(isFilled)
  }

  override func next(_ input: Input?, _ value: Value) {
    guard let position = input?.position else { return }
    guard latest.prepare(keeping: true) else { return failWithoutMemory() }
    latest.set(position, value.retained())
    if !isFilled[position] {
      isFilled[position] = true
      missing &-= 1
    }
    if missing == 0 { downstream.next(latest.value) }
  }

  override func completed(_ input: Input?) {
    running &-= 1
    if running == 0 { endCompleted() }
  }
}
