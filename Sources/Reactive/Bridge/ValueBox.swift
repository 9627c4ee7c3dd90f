/// Carries a value through the engine that is neither a number nor an instance of a class.
///
/// The base class is not generic, so that the engine's questions — equal? hash? text? — can be
/// answered without knowing the type.
@usableFromInline
class AnyValueBox {
  @usableFromInline init() {}

  var anyValue: Any { fatalError("abstract") }
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
}
