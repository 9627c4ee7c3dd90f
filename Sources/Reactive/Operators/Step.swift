import CRAC

extension SignalProtocol {
  /// An operator of your own: a closure that is called for each event and sends none, one or many
  /// values, with a state for each observation.
  ///
  ///     source          --1--2--3------|
  ///     odd ones twice  --(11)--(33)---|
  ///
  ///     numbers.step(from: 0) { count, event, output in
  ///       guard case .value(let number) = event, number % 2 == 1 else { return }
  ///       count += 1
  ///       output.send(number)
  ///       output.send(number)
  ///     }
  ///
  /// Events of an observation do not overlap, so the state needs no lock. An end goes on by itself,
  /// after what was sent; when the closure throws, the signal fails with that error.
  ///
  /// - Parameters:
  ///   - initial: where the state of each observation begins.
  ///   - body: gets the state, the event, and an output to send with.
  public func step<State: Sendable, Output: Sendable>(
    from initial: State,
    _ body: @escaping @Sendable (inout State, Event<Value>, StepOutput<Output>) throws -> Void
  ) -> Signal<Output> {
    let context = StepContext { step, value, _ in
      let place = step.pointee.state.unsafelyUnwrapped.assumingMemoryBound(
        to: Unmanaged<Accumulated<State>>?.self)
      if place.pointee == nil { place.pointee = .passRetained(Accumulated(initial)) }
      let state = place.pointee.unsafelyUnwrapped.takeUnretainedValue()
      let event: Event<Value>
      switch step.pointee.event {
      case RAC_EVENT_NEXT:
        guard let input: Value = decode(value) else { return raiseMismatch(value, Value.self) }
        event = .value(input)
      case RAC_EVENT_ERROR: event = .failed(decode(error: value))
      default: event = .finished
      }
      let output = StepOutput<Output>(step)
      do {
        try body(&state.value, event, output)
        return output.isComplete ? RAC_STEP_COMPLETE : 0
      } catch {
        return raise(error)
      }
    }
    return derive {
      rac_signal_step(
        $0, MemoryLayout<UnsafeRawPointer>.size, context.passed, StepContext.call,
        StepContext.clear, StepContext.release)
    }
  }
}

/// The closure of `step` sends with this while it runs; later nothing arrives.
public final class StepOutput<Value: Sendable> {
  private let step: UnsafeMutablePointer<rac_step>
  fileprivate var isComplete = false

  fileprivate init(_ step: UnsafeMutablePointer<rac_step>) { self.step = step }

  /// Sends a value.
  @discardableResult
  public func send(_ value: Value) -> SendResult {
    SendResult(rawValue: withEncoded(value) { rac_step_send(step, $0) })
  }

  /// Completes the signal when the closure has returned.
  public func complete() { isComplete = true }
}

private final class StepContext: Context, @unchecked Sendable {
  typealias Body =
    @Sendable (UnsafeMutablePointer<rac_step>, rac_value, UnsafeMutablePointer<rac_value>)
    -> rac_status
  let body: Body

  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  static var call: rac_step_fn {
    { context, step, value, out in
      context.with(StepContext.self) {
        $0.body(step.unsafelyUnwrapped, value, out.unsafelyUnwrapped)
      }
    }
  }

  static var clear: rac_clear_fn {
    { _, state in
      state.unsafelyUnwrapped.assumingMemoryBound(to: Unmanaged<AnyObject>?.self).pointee?.release()
    }
  }
}
