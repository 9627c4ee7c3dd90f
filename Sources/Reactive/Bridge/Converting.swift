import CRAC

// Values that the engine itself makes: tuples, signals and events. They become Swift's in a map
// above the operator that made them.

/// Takes the signal over that a C function gave, and makes each of its values one of Swift's.
@usableFromInline
func converting<T: Sendable>(
  _ made: OpaquePointer?, _ convert: @escaping @Sendable (rac_value) throws -> T
) -> Signal<T> {
  guard let made else { return Signal(adopting: nil) }
  defer { rac_release(UnsafeMutableRawPointer(made)) }
  let context = MapContext { value, out in
    do {
      out.pointee = encode(try convert(value))
      return 0
    } catch {
      return raise(error)
    }
  }
  return Signal(adopting: rac_signal_map(made, context.passed, MapContext.call, MapContext.release))
}

/// A value, or an error that says what came in its place.
@inlinable @inline(__always)
func decoded<T>(_ value: rac_value, as type: T.Type = T.self) throws -> T {
  guard let decoded: T = decode(value) else { throw EngineError.typeMismatch(value, T.self) }
  return decoded
}

/// The element of a tuple at an index.
@usableFromInline
func part<T>(of tuple: rac_value, _ index: Int, as type: T.Type = T.self) throws -> T {
  try decoded(rac_tuple_get(tuple, index))
}

@usableFromInline
func parts<T>(of tuple: rac_value, as type: T.Type = T.self) throws -> [T] {
  try (0..<rac_tuple_count(tuple)).map { try part(of: tuple, $0) }
}

/// The signal in a value, with a reference of its own.
@usableFromInline
func signal<T: Sendable>(in value: rac_value, of type: T.Type = T.self) -> Signal<T> {
  Signal(adopting: rac_value_to_signal(value))
}

extension Sequence where Element: SignalProtocol {
  /// Calls `make` with the pointers of all signals, valid for the call.
  @usableFromInline
  func withPointers<Result>(_ make: ([OpaquePointer?]) -> Result) -> Result {
    let signals = map(\.signal)
    return withExtendedLifetime(signals) { make(signals.map(\.pointer)) }
  }
}

/// A count for C, where a negative one would be a huge one.
@inlinable
func notNegative(_ count: Int) -> Int { count < 0 ? 0 : count }
