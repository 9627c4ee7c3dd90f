extension SignalProtocol {
  /// Sends what `transform` makes of each value, and nothing where it makes nil.
  ///
  ///     source                --1--x--3--|
  ///     compactMap(Int.init)  --1-----3--|
  ///
  /// RAC: -map:, -ignore: nil. Combine: compactMap.
  @inlinable
  public func compactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> T?
  ) -> Signal<T> {
    map(transform).filter { $0 != nil }.map { $0.unsafelyUnwrapped }
  }
}
