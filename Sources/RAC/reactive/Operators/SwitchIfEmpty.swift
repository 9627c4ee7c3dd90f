/// Goes on with another signal when the source completes without having sent a value.
///
///     source          -----|
///     other                --1--2--|
///     switch_if_empty -------1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed; subscribed to only then.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: switchIfEmpty. Since: 0.1
@c public func rac_signal_switch_if_empty(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other) { source, other in
    source.relay("switchIfEmpty:", besides: other.depth, holding: other, and: other.contexts) {
      SwitchIfEmptyRelay($0, other, EmptinessSink($1))
    }
  }
}

/// Notes whether a value came, for the relay that it is right below.
final class EmptinessSink: Stage {
  var isEmpty = true

  override func next(_ value: Value) {
    isEmpty = false
    downstream.next(value)
  }

  override var sendsAtEnd: Bool { false }
}

private final class SwitchIfEmptyRelay: Relay {
  private var upcoming: Signal?
  private var other: Signal?
  /// Right below.
  private var watch: EmptinessSink { unsafeDowncast(downstream, to: EmptinessSink.self) }

  init(_ source: Signal, _ other: Signal, _ watch: EmptinessSink) {
    upcoming = source
    self.other = other
    super.init(watch)
  }

  override func nextSource() -> Signal? { upcoming.take() }

  override func sourceCompleted() {
    if watch.isEmpty { upcoming = other.take() }
    advance()
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    (!watch.isEmpty || other == nil) && downstream.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(upcoming)
    visitor.reference(other)
  }
}
