/// A signal made from several, whose events meet in one core.
private final class CombinedSignal: Signal {
  private let contextsAbove: Object?
  private let signals: [Signal]
  private let core: (Sink) -> CombiningCore
  /// Not retained here: the closure holds the object.
  private let held: Unmanaged<Object>?

  init(
    _ signals: [Signal], levels: Int32, holding held: Object?,
    _ core: @escaping (Sink) -> CombiningCore
  ) {
    self.signals = signals
    self.core = core
    self.held = held.map { .passUnretained($0) }
    var depth: Int32 = 0
    var above: Object?
    for signal in signals {
      depth = max(depth, signal.depth)
      above = ContextPair.of(signal.contexts, above)
    }
    contextsAbove = above
    (held as? Context)?.above = above
    super.init(depth: depth &+ levels)
  }

  deinit {
    guard Stack.isTooShort(toTakeApart: depth) else { return }
    let signals = signals
    Stack.outlive { withExtendedLifetime(signals) {} }
  }

  override var contexts: Object? {
    held?._withUnsafeGuaranteedRef { $0 as? Context } ?? contextsAbove
  }

  /// Subscribes to all of them, in order, unless the stream ends meanwhile.
  override func attach(_ sink: Sink) {
    let core = core(sink)
    var inputs = [Input](withRoomFor: signals.count)
    while inputs.count < signals.count { inputs.append(Input(core, position: inputs.count)) }
    if let contextsAbove { core.keep(contextsAbove) }
    core.willBegin(inputs)
    for position in Places(signals.count) {
      guard inputs[position].scope.isActive else { return }
      signals[position].subscribe(inputs[position])
    }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.references(signals)
    visitor.reference(held?.toOpaque())
    visitor.reference(contextsAbove)
  }
}

extension Signal {
  /// Makes an operator with several inputs, whose events meet in `core`. `levels` counts the core
  /// and the stages that it makes below. Of no signals at all it makes one that completes at once.
  /// `held`: see `lift`. The closure must not capture the list.
  @inline(never)
  static func combine(
    _ operation: StaticString, _ signals: [Signal], named source: Signal? = nil, levels: Int32 = 1,
    holding held: Object? = nil, _ core: @escaping (Sink) -> CombiningCore
  ) -> Signal {
    if signals.isEmpty { return EmptySignal().named(operation, source) }
    return CombinedSignal(signals, levels: levels, holding: held, core).named(operation, source)
  }
}
