/// Sends the values of the signal that belongs to the latest key.
///
///     source --a-----b--|
///     case a -----1----2--
///     case b ---8-----9--|
///     switch -----1---9--|
///
/// Each key subscribes anew. Completes when the source and the signal chosen last have.
///
/// - Parameter source: borrowed; sends keys; nil is one.
/// - Parameter keys: borrowed array, the signal retains the values; may be NULL with count 0. Of
///   two equal keys the first counts; see rac_value_equal().
/// - Parameter cases: borrowed array of borrowed signals, one for each key; may be NULL with count
///   0.
/// - Parameter count: how many keys, and cases.
/// - Parameter fallback: borrowed; for keys without a case. NULL: such a key ends the stream with
///   an error, domain "rac.signal", code RAC_SIGNAL_NO_MATCHING_CASE.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///
/// RAC: +switch:cases:default:. Since: 0.1
@c public func rac_signal_switch(
  _ source: CSignal?, _ keys: CList<rac_value>?, _ cases: CList<CSignal?>?,
  _ count: CSize, _ fallback: CSignal?
) -> CSignal? {
  Border.derive(source) { source in
    let tuple = Border.tuple(keys, count)
    if tuple.isNull { return nil }
    defer { tuple.release() }
    guard let fallback = Border.ifGiven(fallback, Border.signal),
      let signals = Border.signals(cases, count)
    else { return nil }
    let cases = SwitchCases(tuple, signals, fallback)
    return source.lift("map:", besides: cases.depth, holding: cases) { SwitchKeySink(cases, $0) }
      .switchToLatest().named("switch:cases:default:", source)
  }
}

/// Which signal belongs to which key. Of two equal keys the first counts.
final class SwitchCases: Object {
  private let keys: OwnedValue
  private let signals: [Signal]
  private let fallback: Signal?
  private var places = KeyTable()
  /// Of the deepest of them.
  let depth: Int32

  /// `keys` is a tuple.
  init(_ keys: Value, _ signals: [Signal], _ fallback: Signal?) {
    self.keys = OwnedValue(keys)
    self.signals = signals
    self.fallback = fallback
    var depth = fallback?.depth ?? 0
    for signal in signals { depth = max(depth, signal.depth) }
    self.depth = depth
    super.init()
    for key in keys.elements {
      let hash = key.hash
      places.append(place(of: key, hash) == nil ? hash : nil)
    }
  }

  func signal(for key: Value) -> Signal? {
    if let place = place(of: key, key.hash) { return signals[place] }
    return fallback
  }

  private func place(of key: Value, _ hash: UInt64) -> Int? {
    let elements = keys.value.elements
    return places.number(hash) { elements[$0].isEqual(key) }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(keys)
    visitor.references(signals)
    visitor.reference(fallback)
  }
}

private final class SwitchKeySink: Stage {
  private let cases: SwitchCases

  init(_ cases: SwitchCases, _ downstream: Sink) {
    self.cases = cases
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if let signal = cases.signal(for: value) { return downstream.next(.lent(signal)) }
    error(
      owned: .error(
        "rac.signal", RAC_SIGNAL_NO_MATCHING_CASE, "no case has this key", underlying: value))
  }

  override var sendsAtEnd: Bool { false }

  override func visit(_ visitor: inout Visitor) { visitor.reference(cases) }
}
