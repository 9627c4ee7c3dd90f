/// A property as a variable: `name` is the value, `$name` the `Property`.
///
///     final class Settings {
///       @Observed var volume = 0.5
///     }
///     settings.$volume.observe { print($0) }
///     settings.volume = 0.7
///
/// It serves Observation as well, with no macro: `Observations { settings.volume }` and
/// `withObservationTracking` hear of its changes. See `PropertyProtocol.tracked`. Once it has been
/// read, each change is told to Observation, which takes several times as long as the set alone; a
/// `Property` does that only where `tracked` has read it.
///
/// In an initialiser that has not set everything yet `$name` is not there: write
/// `_name.projectedValue`.
///
/// Swift refuses a `var` in a class that is Sendable, also a wrapped one: write
/// `let volume = Property(0.5)` there, and `volume.value`.
@propertyWrapper
public struct Observed<Value: Sendable>: Sendable {
  /// The property: `$name`.
  public let projectedValue: Property<Value>

  /// With its first value.
  @inlinable
  public init(wrappedValue: Value) { projectedValue = Property(wrappedValue) }

  /// The value: `name`. Observation hears when it changes.
  @inlinable
  public var wrappedValue: Value {
    get { projectedValue.tracked }
    nonmutating set { projectedValue.value = newValue }
  }
}
