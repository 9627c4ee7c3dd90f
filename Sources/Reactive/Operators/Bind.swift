import CRAC

extension SignalProtocol {
  /// The general operator: sends what all signals send that `transform` makes of the values, until
  /// it says stop; signals that are running go on to their end.
  ///
  ///     source        --1-----2-----3--
  ///     x -> -x-x|    ---1-1---2-2---3-3
  ///     stop after 2  ---1-1---2-2|
  ///
  /// - Parameter transform: sets `stop` to end after this value's signal; nil ends without one.
  ///
  /// RAC: -bind:.
  public func bind<S: SignalProtocol>(
    _ transform: @escaping @Sendable (_ value: Value, _ stop: inout Bool) throws -> S?
  ) -> Signal<S.Value> {
    let context = BindContext { value, stop, out in
      guard let input: Value = decode(value) else { return raiseMismatch(value, Value.self) }
      do {
        out.pointee = try transform(input, &stop.pointee)?.signal.retainedPointer()
        return 0
      } catch {
        return raise(error)
      }
    }
    return derive { rac_signal_bind($0, context.passed, BindContext.call, BindContext.release) }
  }
}

private final class BindContext: Context, @unchecked Sendable {
  typealias Body =
    @Sendable (rac_value, UnsafeMutablePointer<Bool>, UnsafeMutablePointer<OpaquePointer?>)
    -> rac_status
  let body: Body

  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  static var call: rac_bind_fn {
    { context, value, stop, out in
      context.with(BindContext.self) {
        $0.body(value, stop.unsafelyUnwrapped, out.unsafelyUnwrapped)
      }
    }
  }
}
