import CRAC

// Signals between Swift and C.

extension Signal {
  /// A signal that C made, or another library. Values that are not of the type, and numbers that it
  /// has no room for, fail it with an `EngineError` that `isTypeMismatch`.
  ///
  /// C's integers, truth values and floating-point numbers are Swift's; its strings are `String`,
  /// its bytes `[UInt8]`. `UInt` and `UInt64` go by their bits: C's -1 is their largest number, and
  /// the other way round.
  ///
  /// - Parameter handle: an `rac_signal *`, borrowed. NULL, and what is none, gives a signal that
  ///   fails: with why C could not make one, where that was the last that it refused.
  public init(handle: OpaquePointer?) {
    self.init(
      adopting: rac_signal_map(
        handle, mapping { (value: Value) in value }.passed, MapContext.call, MapContext.release))
  }

  /// The signal for C: one reference, which the caller releases with `rac_release`.
  ///
  /// Numbers, truth values and `Void` are C's own; trivial values of up to eight bytes are pointers
  /// without a name; everything else is an object, of which C can keep, compare and print what it
  /// is lent.
  public func makeHandle() -> OpaquePointer? {
    // Not a subject itself, into which C could send what it likes.
    let source = signal
    return withExtendedLifetime(source) { rac_signal_skip(source.pointer, 0) }
  }
}
