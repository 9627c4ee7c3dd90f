import CRAC

extension SignalProtocol<Bool> {
  /// Sends what one signal sends while the latest value is true, and else what the other sends.
  ///
  ///     source     --t-----f--|     t: true, f: false
  ///     then       -----1--2----3--
  ///     otherwise  --7--------8---9--|
  ///     choose     -----1--2--8---9--|
  ///
  /// Each value observes anew. Completes when the source and the signal chosen last have.
  ///
  /// RAC: +if:then:else:.
  public func choose<Yes: SignalProtocol, No: SignalProtocol<Yes.Value>>(
    then yes: Yes, otherwise no: No
  ) -> Signal<Yes.Value> {
    let yes = yes.signal
    let no = no.signal
    return withExtendedLifetime((yes, no)) {
      derive { rac_signal_if($0, yes.pointer, no.pointer) }
    }
  }
}

extension SignalProtocol where Value: Hashable {
  /// Sends what the signal sends that belongs to the latest value.
  ///
  ///     source  --a-----b--|
  ///     case a  -----1----2--
  ///     case b  ---8-----9--|
  ///     choose  -----1---9--|
  ///
  /// Each value observes anew. Completes when the source and the signal chosen last have.
  ///
  /// - Parameters:
  ///   - cases: a signal for each value.
  ///   - fallback: for values that have no case; nil fails then.
  ///
  /// RAC: +switch:cases:default:.
  public func choose<Case: SignalProtocol>(
    _ cases: [Value: Case], otherwise fallback: Case? = nil
  ) -> Signal<Case.Value> {
    let keys = cases.keys.map { encode(box: ValueBox(ComparedKey($0))) }
    defer { for key in keys { rac_value_release(key) } }
    let fallback = fallback?.signal
    let source = signal
    let context = hashing { (value: Value) in value }
    let compared = withExtendedLifetime(source) {
      rac_signal_map(source.pointer, context.passed, MapContext.call, MapContext.release)
    }
    defer { if let compared { rac_release(UnsafeMutableRawPointer(compared)) } }
    return withExtendedLifetime(fallback) {
      cases.values.withPointers {
        Signal(adopting: rac_signal_switch(compared, keys, $0, $0.count, fallback?.pointer))
      }
    }
  }
}
