/// Carries a value through the engine that is neither a number nor an instance of a class.
///
/// The base class is not generic, so that the engine's questions — equal? hash? text? — can be
/// answered without knowing the type.
@usableFromInline
class AnyValueBox {
  @usableFromInline init() {}

  var anyValue: Any { fatalError("abstract") }
  /// nil where the other one's value is of another type.
  func isEqual(to other: AnyValueBox) -> Bool? { fatalError("abstract") }
}

@usableFromInline
final class ValueBox<Value>: AnyValueBox {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
    super.init()
  }

  override var anyValue: Any { value }

  /// Without the casts that a value in an `Any` takes, which cost several times as much as `==`.
  override func isEqual(to other: AnyValueBox) -> Bool? {
    guard type(of: other) == ValueBox<Value>.self else { return nil }
    let other = unsafeDowncast(other, to: ValueBox<Value>.self).value
    if Value.self == String.self {
      return unsafeBitCast(value, to: String.self) == unsafeBitCast(other, to: String.self)
    }
    guard let value = value as? any Equatable else { return false }
    return areEqual(value, other)
  }
}

/// The second is of the first's type, unless that is behind another one.
private func areEqual<T: Equatable, Value>(_ a: T, _ b: Value) -> Bool {
  if T.self == Value.self { return a == unsafeBitCast(b, to: T.self) }
  return (b as? T).map { a == $0 } ?? false
}
