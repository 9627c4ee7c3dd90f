import CRACShims

// The C functions of signals share these. They are called seldom, so the parts are functions that
// are not inlined: else, specialised for each operator, they would be a third of the library.

extension Border {
  /// A signal for the caller, one reference. Refused in a forked child and for chains that are too
  /// deep.
  @inline(__always)
  static func give(_ function: StaticString = #function, _ make: () -> Signal) -> OpaquePointer? {
    isReady(function) ? give(owned: .passRetained(make()), function) : nil
  }

  /// The same for one that has been made, where there is memory for its handle. Takes over the
  /// reference.
  @inline(never)
  static func give(owned signal: Unmanaged<Signal>, _ function: StaticString = #function)
    -> OpaquePointer?
  {
    let isRefused = signal._withUnsafeGuaranteedRef {
      $0.depth > Stack.few && isTooLong($0, function)
    }
    if isRefused {
      signal.drop()
      return nil
    }
    return given(Handles.make(owned: .fromOpaque(signal.toOpaque()), .plainSignal))
  }

  @inline(never)
  private static func isTooLong(_ signal: Signal, _ function: StaticString) -> Bool {
    // A subscription from here has a few frames more above it.
    if signal.depth <= Signal.maximumDepth { return lacksRoom(for: signal, sparing: 4, function) }
    Failure.record(Status.range, "more than 4096 operators in one chain", in: function)
    Failure.leaveNull()
    return true
  }

  /// Whether the calling thread's stack is too short to subscribe to the signal, and for so many
  /// levels more.
  @inline(never)
  static func lacksRoom(
    for signal: Signal, sparing levels: Int32 = 0, _ function: StaticString = #function
  ) -> Bool {
    let thread = currentThread()
    if signal.isShort(for: thread) || signal.hasRoom(in: thread, above: levels) { return false }
    _ = refuseSubscription(function)
    return true
  }

  static func refuseSubscription(_ function: StaticString = #function) -> OpaquePointer? {
    fail(
      Status.range, "the stack is too short for the chain, or full of subscriptions", in: function)
  }

  /// The signal behind a handle. A NULL keeps the error that made it NULL readable.
  static func signal(_ handle: OpaquePointer?, _ function: StaticString = #function) -> Signal? {
    use(handle, .signals, as: Signal.self, function) { $0 }
  }

  /// The signal that another is made from, where there is memory to make it.
  static func parent(_ handle: OpaquePointer?, _ function: StaticString = #function) -> Signal? {
    let source = signal(handle, function)
    return source != nil && isReady(function) ? source : nil
  }

  /// The signals behind a list of handles.
  static func signals(
    _ list: UnsafePointer<OpaquePointer?>?, _ count: CSize, _ function: StaticString = #function
  ) -> [Signal]? {
    objects(list, count, .signals, as: Signal.self, function)
  }

  /// A signal made from another, or NULL where `make` has refused an argument.
  static func derive(
    _ source: OpaquePointer?, _ function: StaticString = #function, _ make: (Signal) -> Signal?
  ) -> OpaquePointer? {
    guard let source = parent(source, function), let made = make(source) else { return nil }
    return give(owned: .passRetained(made), function)
  }

  /// A signal made from another and a callback, which must be there.
  static func derive<Callback>(
    _ source: OpaquePointer?, _ callback: Callback?, _ function: StaticString = #function,
    _ make: (Signal, Callback) -> Signal?
  ) -> OpaquePointer? {
    derive(source, function) { source in
      guard let callback else { return fail(Status.null, "a callback is NULL", in: function) }
      return make(source, callback)
    }
  }

  /// The same with the callback's context, which is destroyed when nothing is made.
  static func derive<Callback>(
    _ source: OpaquePointer?, _ context: CContext?, _ callback: Callback?,
    _ destroy: rac_destroy_fn?, _ function: StaticString = #function,
    _ make: (Signal, Context, Callback) -> Signal?
  ) -> OpaquePointer? {
    guard let context = Border.context(context, destroy, function) else { return nil }
    return derive(source, callback, function) { make($0, context, $1) }
  }

  /// A signal made from another and a value of the caller's.
  static func derive(
    _ source: OpaquePointer?, _ value: rac_value, _ function: StaticString = #function,
    _ make: (Signal, Value) -> Signal?
  ) -> OpaquePointer? {
    derive(source, function) { source in
      guard let value = kept(value, function) else { return nil }
      defer { value.release() }
      return make(source, value)
    }
  }

  /// The same with a callback and its context.
  static func derive<Callback>(
    _ source: OpaquePointer?, _ value: rac_value, _ context: CContext?, _ callback: Callback?,
    _ destroy: rac_destroy_fn?, _ function: StaticString = #function,
    _ make: (Signal, Value, Context, Callback) -> Signal
  ) -> OpaquePointer? {
    guard let context = Border.context(context, destroy, function) else { return nil }
    return derive(source, value, function) { source, value in
      guard let callback else { return fail(Status.null, "a callback is NULL", in: function) }
      return make(source, value, context, callback)
    }
  }

  /// A signal made from another and a time.
  static func derive(
    _ source: OpaquePointer?, _ seconds: Double, _ scheduler: OpaquePointer?,
    _ function: StaticString = #function, _ make: (Signal, Timing) -> Signal?
  ) -> OpaquePointer? {
    derive(source, function) { source in
      timing(seconds, scheduler, function).flatMap { make(source, $0) }
    }
  }

  /// A signal made from two.
  static func derive(
    _ first: OpaquePointer?, _ second: OpaquePointer?, _ function: StaticString = #function,
    _ make: (Signal, Signal) -> Signal?
  ) -> OpaquePointer? {
    if isBrokenChain(second) { return nil }
    return derive(first, function) { first in
      signal(second, function).flatMap { make(first, $0) }
    }
  }

  /// A signal made from a list of them.
  static func derive(
    _ list: UnsafePointer<OpaquePointer?>?, _ count: CSize, _ function: StaticString = #function,
    _ make: ([Signal]) -> Signal
  ) -> OpaquePointer? {
    guard let signals = signals(list, count, function) else { return nil }
    return give(function) { make(signals) }
  }
}
