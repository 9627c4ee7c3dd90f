extension Signal {
  /// Sends what the signal sends that belongs to the latest key.
  ///
  /// ```
  /// keys          --a-----b--|
  /// a: case 1     -----1--2----
  /// b: case 2     ---8-----9--|
  /// switch        -----1---9--|
  /// ```
  /// A key without a case takes `fallback`; without one it is an error. Completes when the keys and the
  /// latest case have. C: rac_signal_switch. RAC: +switch:cases:default:
  func switched(_ cases: SwitchCases) -> Signal {
    lift("map:", besides: cases.depth) { SwitchKeySink(cases, $0) }.switchToLatest().named(
      "switch:cases:default:", self)
  }

  /// Sends what `yes` sends while the latest value is true, else what `no` sends.
  /// C: rac_signal_if. RAC: +if:then:else:
  func choose(_ yes: Signal, _ no: Signal) -> Signal {
    lift("map:", besides: max(yes.depth, no.depth)) { IfSink(yes, no, $0) }.switchToLatest()
      .named("if:then:else:", self)
  }
}

/// Which signal belongs to which key. Of two equal keys the first counts.
final class SwitchCases {
  private let keys: OwnedValue
  private let signals: [Signal]
  private let fallback: Signal?
  private var places: KeyTable
  /// Of the deepest of them.
  let depth: Int32

  /// What they take for so many, at most, in one block.
  static func size(_ count: Int) -> Int { count &* 128 &+ 512 }

  /// `keys` is a tuple.
  init(_ keys: Value, _ signals: [Signal], _ fallback: Signal?) {
    self.keys = OwnedValue(keys)
    self.signals = signals
    self.fallback = fallback
    places = KeyTable(minimumCapacity: keys.elements.count)
    var depth = fallback?.depth ?? 0
    for signal in signals { depth = max(depth, signal.depth) }
    self.depth = depth
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
}

private final class SwitchKeySink: Stage {
  private let cases: SwitchCases

  init(_ cases: SwitchCases, _ downstream: Sink) {
    self.cases = cases
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if let signal = cases.signal(for: value) { return downstream.next(.lent(signal)) }
    let error = Value.error("rac.signal", SignalError.noMatchingCase, "no case has this key")
    self.error(error)
    error.release()
  }
}

private final class IfSink: Stage {
  private let yes: Signal
  private let no: Signal

  init(_ yes: Signal, _ no: Signal, _ downstream: Sink) {
    self.yes = yes
    self.no = no
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard let truth = value.truth else {
      return fail(Status.kind, "a truth value was expected, another value was sent")
    }
    downstream.next(.lent(truth ? yes : no))
  }
}

/// Codes of the domain "rac.signal". RACSignalErrorDomain.
enum SignalError {
  static var timedOut: rac_status { rac_status(RAC_SIGNAL_TIMED_OUT) }
  static var noMatchingCase: rac_status { rac_status(RAC_SIGNAL_NO_MATCHING_CASE) }
}
