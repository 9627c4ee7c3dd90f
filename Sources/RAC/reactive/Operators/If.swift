/// Sends the values of one signal while the latest value is true, and else those of the other.
///
///     source --t-----f--|     t: true, f: false
///     yes    -----1--2----3--
///     no     --7--------8---9--|
///     if     -----1--2--8---9--|
///
/// Each value subscribes anew. Completes when the source and the signal chosen last have.
///
/// - Parameter source: borrowed; sends truth values, or numbers, which are true unless they are 0.
///   Any other value ends the stream with an error.
/// - Parameter yes: borrowed.
/// - Parameter no: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +if:then:else:. Since: 0.1
@c public func rac_signal_if(_ source: CSignal?, _ yes: CSignal?, _ no: CSignal?) -> CSignal? {
  guard let source = Border.signal(source) else { return nil }
  return Border.derive(yes, no) { yes, no in
    let choices = SignalList([yes, no])
    return source.lift("map:", besides: max(yes.depth, no.depth), holding: choices) {
      IfSink(choices, $0)
    }
    .switchToLatest().named("if:then:else:", source)
  }
}

private final class IfSink: Stage {
  /// If it is true, and if not.
  private let choices: SignalList

  init(_ choices: SignalList, _ downstream: Sink) {
    self.choices = choices
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard let truth = value.truth else {
      return fail(Status.kind, "a truth value was expected, another value was sent", at: value)
    }
    downstream.next(.lent(choices.signals[truth ? 0 : 1]))
  }

  override var sendsAtEnd: Bool { false }

  override func visit(_ visitor: inout Visitor) { visitor.reference(choices) }
}
