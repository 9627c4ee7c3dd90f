import CRAC

/// A number with a name, for people who look at the program: recordings have it, and rac-scope
/// shows it.
///
/// A source that works with something outside of the library shows by counters how that goes, such
/// as how often a connection was lost. Counters of one source begin their names alike, with a
/// colon: "sensors: connections lost". A counter is shown as long as somebody holds it.
public final class Counter: Sendable {
  nonisolated(unsafe) private let pointer: OpaquePointer?

  /// - Parameter name: for its readers; not empty.
  public init(_ name: String) { pointer = rac_counter_create(name) }

  deinit { if let pointer { rac_release(UnsafeMutableRawPointer(pointer)) } }

  /// Adds to it in one step, whatever other threads do.
  public func add(_ more: Int = 1) {
    withExtendedLifetime(self) { _ = rac_counter_add(pointer, Int64(more)) }
  }

  /// Reading it and setting it are two steps: threads that count use `add`.
  public var value: Int {
    get { withExtendedLifetime(self) { Int(rac_counter_get(pointer)) } }
    set { withExtendedLifetime(self) { _ = rac_counter_set(pointer, Int64(newValue)) } }
  }
}
