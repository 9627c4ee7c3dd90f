/// A property that can be set: a `Property`, or a `Lens`, which is a part of one.
public protocol MutablePropertyProtocol<Value>: PropertyProtocol {
  /// The current value; setting it is `set`.
  var value: Value { get set }

  /// Sets the value, and says what became of it.
  @discardableResult
  func set(_ value: Value) -> SendResult

  /// Changes the value, with no other set in between.
  @discardableResult
  func modify(_ change: @escaping @Sendable (inout Value) -> Void) -> SendResult
}

extension MutablePropertyProtocol {
  /// A part of the value as a property of its own: `form[\.name]`.
  @inlinable @inline(__always)
  public subscript<Part: Sendable>(
    path: WritableKeyPath<Value, Part> & Sendable
  ) -> Lens<Part> {
    Lens(of: self, path)
  }
}

extension MutablePropertyProtocol where Value: AdditiveArithmetic {
  /// Adds to the value in one step, whatever other threads do: `count += 1`.
  public static func += (property: Self, amount: Value) { property.modify { $0 += amount } }

  /// Subtracts from the value in one step, whatever other threads do: `count -= 1`.
  public static func -= (property: Self, amount: Value) { property.modify { $0 -= amount } }
}
