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
  private struct Place {
    var value = Value.null
    var isFilled = false
  }

  private let count: Int
  private let latest: UnsafeMutablePointer<Place>
  private var missing: Int
  private var running: Int

  init(_ count: Int, _ downstream: Sink) {
    self.count = count
    latest = rac_shim_allocate(count &* MemoryLayout<Place>.stride).unsafelyUnwrapped
      .assumingMemoryBound(to: Place.self)
    latest.initialize(repeating: Place(), count: count)
    missing = count
    running = count
    super.init(downstream)
  }

  deinit {
    var at = 0
    while at < count {
      latest[at].value.release()
      at &+= 1
    }
    rac_shim_free(latest)
  }

  override func next(_ input: Input?, _ value: Value) {
    guard let position = input?.position else { return }
    let old = latest[position].value
    latest[position].value = value.retained()
    old.release()
    if !latest[position].isFilled {
      latest[position].isFilled = true
      missing &-= 1
    }
    guard missing == 0 else { return }
    let tuple = Value.tuple(count) { self.latest[$0].value.retained() }
    downstream.next(tuple)
    tuple.release()
  }

  override func completed(_ input: Input?) {
    running &-= 1
    if running == 0 { endCompleted() }
  }
}
