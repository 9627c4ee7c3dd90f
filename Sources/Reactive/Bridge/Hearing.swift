import CRAC

/// The closures of an observation, as a context for C. They lie in memory of their own: a Swift
/// object would cost half as much as subscribing does.
///
/// C sees any of them as a `Hearing<Void>`: every closure is two words, and only `body` knows its
/// type. A `Hearing` cannot be copied, so its closures are called in place, without a retain.
@usableFromInline
struct Hearing<Value>: ~Copyable {
  @usableFromInline typealias Body = @Sendable (UnsafeMutableRawPointer, rac_value) -> Void
  @usableFromInline typealias End = @Sendable (Completion) -> Void

  @usableFromInline let body: Body
  @usableFromInline let end: End?
  @usableFromInline let onValue: @Sendable (Value) -> Void
  /// In the record of observations, or 0. Written before the first event alone.
  @usableFromInline var number: UInt = 0

  @inlinable @inline(__always)
  init(
    body: consuming @escaping Body, end: consuming End?,
    onValue: consuming @escaping @Sendable (Value) -> Void
  ) {
    self.body = consume body
    self.end = consume end
    self.onValue = consume onValue
  }

  @inlinable @inline(__always)
  borrowing func hear(_ value: Value) { onValue(value) }

  @inline(__always)
  borrowing func hear(_ value: rac_value, _ context: UnsafeMutableRawPointer) {
    body(context, value)
  }

  @inline(__always)
  borrowing func hear(_ completion: Completion) { end?(completion) }

  /// The context, for the C function that takes `release` along with it.
  @inlinable @inline(__always)
  consuming func passed() -> UnsafeMutableRawPointer {
    let context = hearingMemory()
    context.assumingMemoryBound(to: Hearing.self).initialize(to: self)
    return context
  }
}

/// Values of a type. The closure is beside the body and not captured by it, which would be an
/// object.
@inlinable @inline(__always)
func hearing<Value>(
  _ onValue: consuming @escaping @Sendable (Value) -> Void,
  end: consuming (@Sendable (Completion) -> Void)? = nil
) -> UnsafeMutableRawPointer {
  Hearing(
    body: { context, value in
      if let value: Value = decode(value) {
        context.assumingMemoryBound(to: Hearing<Value>.self).pointee.hear(value)
      }
    }, end: consume end, onValue: consume onValue
  ).passed()
}

/// Values as the engine has them.
func hearing(
  raw onValue: @escaping @Sendable (rac_value) -> Void,
  end: (@Sendable (Completion) -> Void)? = nil
) -> UnsafeMutableRawPointer {
  Hearing<Void>(body: { onValue($1) }, end: end, onValue: {}).passed()
}

/// For any of them.
@usableFromInline
func hearingMemory() -> UnsafeMutableRawPointer { ThreadStore.takeBlock() }

/// What C calls with each value.
@usableFromInline
typealias HearingCall = @Sendable @convention(c) (UnsafeMutableRawPointer?, rac_value) -> Void

/// What C calls with each value of a type. That of a number knows the type, and calls the closure
/// without `body` in between, which is a tenth of a send.
@inlinable @inline(__always)
func hearingCall<Value>(_ type: Value.Type) -> HearingCall {
  if Value.self == Int.self { return Hearing<Int>.number }
  if Value.self == Double.self { return Hearing<Double>.number }
  return Hearing<Void>.call
}

extension Hearing<Int> {
  @usableFromInline static var number: HearingCall {
    { context, value in
      if let number: Int = decode(value) {
        context.unsafelyUnwrapped.assumingMemoryBound(to: Hearing<Int>.self).pointee.hear(number)
      }
    }
  }
}

extension Hearing<Double> {
  @usableFromInline static var number: HearingCall {
    { context, value in
      if let number: Double = decode(value) {
        context.unsafelyUnwrapped.assumingMemoryBound(to: Hearing<Double>.self).pointee.hear(number)
      }
    }
  }
}

extension Hearing where Value == Void {
  @inline(__always)
  static func at(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Hearing<Void>> {
    context.unsafelyUnwrapped.assumingMemoryBound(to: Hearing<Void>.self)
  }

  @usableFromInline static var call: HearingCall {
    { Hearing<Void>.at($0).pointee.hear($1, $0.unsafelyUnwrapped) }
  }

  static var fail: rac_error_fn {
    { Hearing<Void>.at($0).pointee.hear(.failed(decode(error: $1))) }
  }

  static var complete: rac_completed_fn { { Hearing<Void>.at($0).pointee.hear(.finished) } }

  @usableFromInline static var release: rac_destroy_fn {
    {
      let number = Hearing<Void>.at($0).pointee.number
      if number != 0 { ObservationRecord.end(number) }
      Hearing<Void>.at($0).deinitialize(count: 1)
      ThreadStore.giveBlock($0.unsafelyUnwrapped)
    }
  }
}
