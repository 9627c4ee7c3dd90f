/// A value that is released with this object: closures and signals hold one.
final class OwnedValue: Object {
  let value: Value

  /// Retains the value.
  init(_ value: Value) { self.value = value.retained() }
  override func visit(_ visitor: inout Visitor) { visitor.value(value) }
  deinit { value.release() }
}
