import CRAC

/// Something that sends values over time: a `Signal`, or what has one, as a `Subject`, a
/// `Property`, a `Channel`'s end. Every operator is there for each of them.
public protocol SignalProtocol<Value>: Sendable {
  /// The type of its values.
  associatedtype Value: Sendable

  /// The signal itself.
  var signal: Signal<Value> { get }
}

/// A stream of values over time that anybody may observe: values, then at most one end, which is a
/// completion or an error.
///
/// A signal is a description. One that was made with a closure runs the closure anew for each
/// observer, when that begins to observe; all observers of a `Subject` or a `Property` share its
/// values.
///
///     let words = Subject<String>()
///     words.map(\.count).filter { $0 > 2 }.observe { print($0) }
///     words.send("three")   // 5
public struct Signal<Value: Sendable>: SignalProtocol {
  /// NULL, which the engine refuses by name, when the engine could not even make a signal that
  /// fails, and where there is a `constant`: to pass it on, take it from `signal`.
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?
  /// Holds the reference: a `Reference`, or the subject whose signal this is.
  @usableFromInline let owner: (any AnyObject & Sendable)?
  /// Of `just`: the number, from which the engine's signal is made when it is wanted. A `flatMap`
  /// to one gives the engine that, and no object is made in between.
  @usableFromInline let constant: Constant

  @inlinable
  init(_ pointer: OpaquePointer?, heldBy owner: any AnyObject & Sendable) {
    self.pointer = pointer
    self.owner = owner
    constant = Constant()
  }

  @inlinable
  init(constant: rac_value) {
    pointer = nil
    owner = nil
    self.constant = Constant(constant)
  }

  /// Takes over the reference that a C function gave. When it gave none, the signal fails with what
  /// the function had against it.
  @inlinable @inline(__always)
  init(adopting made: OpaquePointer?) {
    pointer = made ?? refusedSignal()
    owner = Reference(pointer)
    constant = Constant()
  }

  /// The signal itself.
  @inlinable
  public var signal: Signal<Value> {
    isConstant ? Signal(adopting: rac_signal_return(constant.value)) : self
  }

  @inlinable
  var isConstant: Bool { constant.head != Constant.none }
}

/// A number as a value of the engine's, in two words: of a structure with more than six fields,
/// counted through, the compiler keeps copies in memory, and then the `Reference` beside them is
/// released as if somebody had it.
@usableFromInline
struct Constant: Sendable {
  @usableFromInline let head: UInt64
  @usableFromInline let bits: Int64

  /// No kind of the engine's.
  @inlinable static var none: UInt64 { 255 }

  @inlinable
  init() {
    head = Constant.none
    bits = 0
  }

  @inlinable
  init(_ number: rac_value) {
    head = UInt64(number.kind) | UInt64(number.length) << 32
    bits = number.bits
  }

  @inlinable var value: rac_value {
    rac_value(
      kind: UInt8(truncatingIfNeeded: head), flags: 0, reserved: 0,
      length: UInt32(truncatingIfNeeded: head >> 32), bits: bits)
  }
}

/// A signal that fails with what the engine has just refused.
@usableFromInline @inline(never)
func refusedSignal() -> OpaquePointer? {
  let error = encode(error: EngineError.latest())
  defer { rac_value_release(error) }
  return rac_signal_error(error)
}

/// The same, heard where everything else would have been.
func refusedSignal(on scheduler: OpaquePointer?) -> OpaquePointer? {
  let refused = refusedSignal()
  defer { rac_release(UnsafeMutableRawPointer(refused)) }
  return rac_signal_deliver_on(refused, scheduler)
}

extension SignalProtocol {
  /// Calls `body` with the signal's pointer, valid for the call. A `Signal` is not copied for it.
  @inlinable @inline(__always)
  func withPointer<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
    if Self.self == Signal<Value>.self {
      let lent = unsafeBitCast(self, to: Signal<Value>.self)
      if !lent.isConstant { return withExtendedLifetime(self) { body(lent.pointer) } }
    }
    let source = signal
    return withExtendedLifetime(source) { body(source.pointer) }
  }

  /// Makes an operator's signal: the C function gets the source's pointer, valid for the call.
  @inlinable @inline(__always)
  func derive<T>(_ make: (OpaquePointer?) -> OpaquePointer?) -> Signal<T> {
    let source = signal
    return withExtendedLifetime(source) { Signal<T>(adopting: make(source.pointer)) }
  }

  /// The same with a second signal.
  @inlinable @inline(__always)
  func derive<Other: SignalProtocol, T>(
    with other: Other, _ make: (OpaquePointer?, OpaquePointer?) -> OpaquePointer?
  ) -> Signal<T> {
    let source = signal
    let other = other.signal
    return withExtendedLifetime((source, other)) {
      Signal<T>(adopting: make(source.pointer, other.pointer))
    }
  }
}

extension Signal {
  /// A reference of its own to the signal, for a C function or callback that takes one over.
  @inlinable
  func retainedPointer() -> OpaquePointer? {
    if isConstant { return rac_signal_return(constant.value) }
    return withExtendedLifetime(owner) {
      OpaquePointer(rac_retain(UnsafeMutableRawPointer(pointer)))
    }
  }
}
