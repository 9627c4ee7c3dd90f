// How C functions take bounds.

extension Border {
  /// Takes a bound for what is being made, or none, `.some(nil)`: for RAC_BOUND_NONE, and for NULL,
  /// as no place has one by default. nil is a refusal. If the thing cannot be made after all,
  /// `made` gives the bound back.
  @inline(never)
  static func bound(_ handle: OpaquePointer?, _ function: StaticString = #function) -> Bound?? {
    if handle == nil || UInt(bitPattern: handle) == 1 << 53 { return .some(nil) }
    return use(handle, .bound, as: Bound.self, function) { bound in
      bound.give() ? bound : fail(Status.busy, "the bound is in use elsewhere", in: function)
    }
  }

  /// The object that was made, or none: then the bound may be given to another one.
  @inline(never)
  static func made(_ handle: OpaquePointer?, with bound: Bound?) -> OpaquePointer? {
    if handle == nil { bound?.takeBack() }
    return handle
  }

  /// The sources of a signal below the senders; nil: one of them was refused.
  @inline(never)
  private static func parts(
    _ source: OpaquePointer?, below handle: OpaquePointer?, _ function: StaticString
  ) -> (source: Signal, bound: Bound?)? {
    guard let source = parent(source, function),
      let bound = bound(handle, function)
    else { return nil }
    return (source, bound)
  }

  /// A signal made from another, below the senders.
  @inline(__always)
  static func derive(
    _ source: OpaquePointer?, below handle: OpaquePointer?, _ function: StaticString = #function,
    _ make: (Signal, Bound?) -> Signal
  ) -> OpaquePointer? {
    guard let (source, bound) = parts(source, below: handle, function) else { return nil }
    return made(give(owned: .passRetained(make(source, bound)), function), with: bound)
  }
}
