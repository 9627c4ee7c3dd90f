import CRAC

// The common part of the functions of several sources, each of a type of its own.

/// The engine's pointer of a signal, valid as long as this is there.
@usableFromInline
struct Lent: Sendable {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?
  @usableFromInline let owner: (any AnyObject & Sendable)?

  @inlinable
  init<S: SignalProtocol>(_ source: S) {
    let signal = source.signal
    pointer = signal.pointer
    owner = signal.owner
  }
}

/// The signal that a C function makes of those, whose pointers are valid for the call.
@inlinable
func gathered<T>(
  _ sources: [Lent], _ make: ([OpaquePointer?]) -> OpaquePointer?
) -> Signal<T> {
  withExtendedLifetime(sources) { Signal(adopting: make(sources.map(\.pointer))) }
}

/// The answer of a callback whose closure makes a value.
@inlinable @inline(__always)
func answering<T>(
  _ out: UnsafeMutablePointer<rac_value>, _ make: () throws -> T
) -> rac_status {
  do {
    out.pointee = encode(try make())
    return 0
  } catch {
    return raise(error)
  }
}

extension SignalProtocol {
  /// Each value with the latest ones of others, which come as a tuple of the engine's.
  func withLatest<T>(
    of others: [Lent], _ transform: @escaping @Sendable (Value, rac_value) throws -> T
  ) -> Signal<T> {
    let source = signal
    return withExtendedLifetime((source, others)) {
      let latest = rac_signal_combine_latest(others.map(\.pointer), others.count)
      defer { rac_release(UnsafeMutableRawPointer(latest)) }
      return converting(rac_signal_with_latest_from(source.pointer, latest)) {
        try transform(try part(of: $0, 0), rac_tuple_get($0, 1))
      }
    }
  }
}
