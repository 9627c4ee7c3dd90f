import CRAC

extension Signal {
  /// A signal whose every subscription runs `subscribe` with an observer of its own.
  ///
  /// The closure runs on the thread that observes, before `observe` returns. Keep the observer to
  /// send later; when nothing keeps it the subscription is over. A closure that throws fails the
  /// signal.
  ///
  ///     Signal<Int> { observer in
  ///       observer.send(1)
  ///       observer.complete()
  ///     }
  ///
  /// RAC: +createSignal:. Rx: create.
  // Disfavoured: with three initialisers to try, a chain that begins with `Signal([1, 2])` is too
  // much for the type checker. They take nothing in common.
  @inlinable @inline(__always) @_disfavoredOverload
  public init(_ subscribe: @escaping @Sendable (Observer<Value>) throws -> Void) {
    let made = makeSignal { subscriber, keeper in
      do {
        try subscribe(Observer(subscriber, keeper))
        return 0
      } catch {
        return raise(error)
      }
    }
    self.init(adopting: made)
  }

  /// The same, and at most so many values wait at each observer as a bound says: those that are
  /// sent while another one is being delivered. With `.wait` and `.refuse` those that wait further
  /// down, where the same bound was given, count as well.
  ///
  /// It fails when the bound is in use elsewhere, which one may be that waits or refuses.
  ///
  /// Rx: create with a BackpressureStrategy.
  public init(bound: Bound, _ subscribe: @escaping @Sendable (Observer<Value>) throws -> Void) {
    let waits = bound.waits
    let context = SubscribeContext { subscriber, keeper in
      do {
        try subscribe(Observer(subscriber, keeper, waits: waits))
        return 0
      } catch {
        return raise(error)
      }
    }
    self.init(
      adopting: withExtendedLifetime(bound) {
        rac_signal_create_bounded(
          bound.pointer, context.passed, SubscribeContext.call, SubscribeContext.release)
      })
  }

  /// Sends one value and completes. RAC: +return:. Rx: just.
  @inlinable
  public static func just(_ value: Value) -> Signal {
    isScalar(Value.self)
      ? Signal(constant: encode(scalar: value))
      : Signal(adopting: withEncoded(value) { rac_signal_return($0) })
  }

  /// Completes. RAC: +empty.
  public static var empty: Signal { Signal(adopting: rac_signal_empty()) }

  /// Neither sends anything nor ends. RAC: +never.
  public static var never: Signal { Signal(adopting: rac_signal_never()) }

  /// Fails. RAC: +error:. Rx: throw.
  public static func fail(_ error: any Error) -> Signal {
    let value = encode(error: error)
    defer { rac_value_release(value) }
    return Signal(adopting: rac_signal_error(value))
  }
}
