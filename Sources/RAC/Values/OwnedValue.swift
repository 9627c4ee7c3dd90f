/// A value that is released with this object: what closures and signals hold.
final class OwnedValue {
  let value: Value

  /// Retains the value.
  init(_ value: Value) { self.value = value.retained() }
  deinit { value.release() }
}
