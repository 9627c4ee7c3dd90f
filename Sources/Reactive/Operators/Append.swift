import CRAC

extension SignalProtocol {
  /// Goes on with another signal when the source has completed.
  ///
  ///     source  --1--|
  ///     next         --2--3--|
  ///     append  --1----2--3--|
  ///
  /// However long a chain of these is built, it costs no stack. RAC: -concat:.
  public func append<Next: SignalProtocol<Value>>(_ next: Next) -> Signal<Value> {
    derive(with: next) { rac_signal_concat($0, $1) }
  }

  /// Drops all values, and goes on after the completion with a signal that `next` makes only then.
  ///
  ///     source  --1--2--|
  ///     next            --3--|
  ///     then    ----------3--|
  ///
  /// RAC: -then:. Rx: andThen.
  public func then<Next: SignalProtocol>(
    _ next: @escaping @Sendable () throws -> Next
  ) -> Signal<Next.Value> {
    let context = DeferContext { out in
      do {
        out.pointee = try next().signal.retainedPointer()
        return 0
      } catch {
        return raise(error)
      }
    }
    return derive { rac_signal_then($0, context.passed, DeferContext.call, DeferContext.release) }
  }
}

extension Signal {
  /// Sends what the signals send, one signal after the other.
  ///
  ///     a       --1--3--|
  ///     b               --4--5--|
  ///     concat  --1--3----4--5--|
  ///
  /// With `delayingErrors` it goes on with the next one after an error, and sends the first error
  /// in the end.
  ///
  /// RAC: +concat:. Rx: concat, concatDelayError.
  public static func concat<Source: SignalProtocol<Value>>(
    _ signals: [Source], delayingErrors: Bool = false
  ) -> Signal<Value> {
    signals.withPointers {
      Signal(
        adopting: delayingErrors
          ? rac_signal_concat_delay_error($0, $0.count) : rac_signal_concat_all($0, $0.count))
    }
  }
}
