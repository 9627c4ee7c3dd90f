import CRACShims

// Shared by the functions of sequences. As in SignalHandles.swift, functions that are called seldom
// are not inlined.

extension Border {
  /// The sequence behind a handle. A NULL keeps the error that made it NULL readable.
  static func sequence(_ handle: OpaquePointer?, _ function: StaticString = #function)
    -> ValueSequence?
  {
    use(handle, .sequence, as: ValueSequence.self, function) { $0 }
  }

  /// The sequences behind a list of handles.
  static func sequences(
    _ list: UnsafePointer<OpaquePointer?>?, _ count: CSize, _ function: StaticString = #function
  ) -> [ValueSequence]? {
    objects(list, count, .sequence, as: ValueSequence.self, function)
  }

  /// A sequence for the caller, one reference. Refused in a forked child and for chains that are
  /// too deep.
  @inline(__always)
  static func give(_ make: @autoclosure () -> ValueSequence, _ function: StaticString = #function)
    -> OpaquePointer?
  {
    isReady(function) ? give(made: make(), function) : nil
  }

  @inline(never)
  private static func give(made sequence: ValueSequence, _ function: StaticString)
    -> OpaquePointer?
  {
    if sequence.depth > Signal.maximumDepth {
      return fail(Status.range, "more than 4096 operators in one chain", in: function)
    }
    return given(Handles.make(sequence, .sequence))
  }

  /// A sequence made from another.
  @inline(__always)
  static func sequence(
    from source: OpaquePointer?, _ function: StaticString = #function,
    _ make: (ValueSequence) -> ValueSequence?
  ) -> OpaquePointer? {
    guard let source = sequence(source, function), isReady(function), let made = make(source)
    else { return nil }
    return give(made, madeFrom: source, function)
  }

  /// A sequence made from another with a callback, which must be there.
  @inline(__always)
  static func sequence<Callback>(
    from source: OpaquePointer?, _ context: CContext?, _ callback: Callback?,
    _ destroy: rac_destroy_fn?, _ function: StaticString = #function,
    _ make: (ValueSequence, Context, Callback) -> ValueSequence?
  ) -> OpaquePointer? {
    guard let context = self.context(context, destroy, function) else { return nil }
    return sequence(from: source, function) { source in
      guard let callback else { return fail(Status.null, "a callback is NULL", in: function) }
      return make(source, context, callback)
    }
  }

  /// The same by an operator of signals.
  @inline(__always)
  static func sequence<Callback>(
    through source: OpaquePointer?, _ context: CContext?, _ callback: Callback?,
    _ destroy: rac_destroy_fn?, _ function: StaticString = #function,
    _ make: (Signal, Context, Callback) -> Signal
  ) -> OpaquePointer? {
    sequence(from: source, context, callback, destroy, function) { source, context, callback in
      source.through { make($0, context, callback) }
    }
  }

  /// A sequence made from another with a value of the caller's.
  @inline(__always)
  static func sequence(
    from source: OpaquePointer?, _ value: rac_value, _ function: StaticString = #function,
    _ make: (ValueSequence, Value) -> ValueSequence?
  ) -> OpaquePointer? {
    sequence(from: source, function) { source in
      guard let value = kept(value, function) else { return nil }
      defer { value.release() }
      return make(source, value)
    }
  }

  /// A sequence made by an operator of signals with a value and a callback.
  @inline(__always)
  static func sequence<Callback>(
    through source: OpaquePointer?, _ value: rac_value, _ context: CContext?,
    _ callback: Callback?, _ destroy: rac_destroy_fn?, _ function: StaticString = #function,
    _ make: (Signal, Value, Context, Callback) -> Signal
  ) -> OpaquePointer? {
    guard let context = self.context(context, destroy, function) else { return nil }
    return sequence(from: source, value, function) { source, value in
      guard let callback else { return fail(Status.null, "a callback is NULL", in: function) }
      return source.through { make($0, value, context, callback) }
    }
  }

  /// It is computed at once if what it is made from was.
  @inline(never)
  private static func give(
    _ made: ValueSequence, madeFrom source: ValueSequence, _ function: StaticString
  ) -> OpaquePointer? {
    give(made: source.isEager ? made.evaluated().0 : made, function)
  }

  /// Reads a sequence and records why there is nothing to be read.
  @inline(__always)
  static func read(
    _ handle: OpaquePointer?, _ function: StaticString = #function,
    _ body: (ValueSequence) -> Reading
  ) -> Reading {
    use(handle, .sequence, as: ValueSequence.self, function, otherwise: { Reading(status: $0) }) {
      guard isReady(function) else { return Reading(status: refused()) }
      return recorded(body($0), function)
    }
  }

  @inline(never)
  static func recorded(_ reading: Reading, _ function: StaticString = #function) -> Reading {
    switch reading.status {
    case Status.deadlock:
      Failure.record(Status.deadlock, "reading this here would wait for itself", in: function)
    case Status.range:
      Failure.record(
        Status.range,
        "more evaluations inside each other than 4096, or than the stack bears", in: function)
    case Status.timedOut:
      Failure.record(Status.timedOut, "the time given has passed", in: function)
    case Status.closed: Border.refuseOver(function)
    case Status.stream:
      Failure.record(Status.stream, "the sequence ends with an error", in: function)
    case Status.noMemory:
      Failure.record(Status.noMemory, "not enough memory for the value", in: function)
    default: break
    }
    return reading
  }

  /// Writes what was read, for the caller to release.
  static func write(_ reading: Reading, _ out: UnsafeMutablePointer<rac_value>?) -> rac_status {
    if let out { out.pointee = reading.value } else { reading.value.release() }
    return reading.status
  }

  /// Reads a sequence into `out`.
  @inline(__always)
  static func read(
    _ handle: OpaquePointer?, into out: UnsafeMutablePointer<rac_value>?,
    _ function: StaticString = #function,
    _ body: (ValueSequence) -> Reading
  ) -> rac_status {
    write(read(handle, function, body), out)
  }

  /// Reads a sequence for a yes or no.
  static func ask(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<Bool>?,
    _ function: StaticString = #function,
    _ body: (ValueSequence) -> Reading
  ) -> rac_status {
    answer(read(handle, function, body), out)
  }

  private static func answer(_ reading: Reading, _ out: UnsafeMutablePointer<Bool>?) -> rac_status {
    out?.pointee = reading.status == Status.ok && reading.value.bits != 0
    reading.value.release()
    return reading.status
  }
}
