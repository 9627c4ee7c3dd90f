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
  private let count: Int
  private let latest: UnsafeMutablePointer<Value>
  private let isFilled: UnsafeMutablePointer<Bool>
  /// The downstream, if it wants the values and no tuple.
  private let reducer: Unmanaged<ReduceEachSink>?
  private var missing: Int
  private var running: Int

  init(_ count: Int, _ downstream: Sink) {
    self.count = count
    let values = count &* MemoryLayout<Value>.stride
    let memory = rac_shim_allocate(values &+ count).unsafelyUnwrapped
    latest = memory.assumingMemoryBound(to: Value.self)
    latest.initialize(repeating: .null, count: count)
    isFilled = (memory + values).assumingMemoryBound(to: Bool.self)
    isFilled.initialize(repeating: false, count: count)
    reducer = (downstream as? ReduceEachSink).map { .passUnretained($0) }
    missing = count
    running = count
    super.init(downstream)
  }

  deinit {
    var at = 0
    while at < count {
      latest[at].release()
      at &+= 1
    }
    rac_shim_free(latest)
  }

  override func next(_ input: Input?, _ value: Value) {
    guard let position = input?.position else { return }
    let old = latest[position]
    latest[position] = value.retained()
    old.release()
    if !isFilled[position] {
      isFilled[position] = true
      missing &-= 1
    }
    guard missing == 0 else { return }
    if let reducer { return reducer._withUnsafeGuaranteedRef { $0.take(latest, count) } }
    let tuple = Value.tuple(count) { self.latest[$0].retained() }
    downstream.next(tuple)
    tuple.release()
  }

  override func completed(_ input: Input?) {
    running &-= 1
    if running == 0 { endCompleted() }
  }
}
