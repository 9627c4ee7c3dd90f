import CRACShims

// How the C functions are written: check the arguments, turn handles into objects, call one function of
// the engine. The names below stand for C types; the header is generated from them.

public typealias CSignal = OpaquePointer
public typealias CSubject = OpaquePointer
public typealias CSubscriber = OpaquePointer
public typealias CDisposable = OpaquePointer
public typealias CScheduler = OpaquePointer
public typealias CConnection = OpaquePointer
public typealias CRecursion = OpaquePointer
public typealias CHandle = UnsafeMutableRawPointer
public typealias CContext = UnsafeMutableRawPointer
public typealias CString = UnsafePointer<CChar>
public typealias CBuffer = UnsafeMutablePointer<CChar>
public typealias CSize = UInt

/// True in a child after fork(), where the library's threads and locks are not what they were.
func isForkedChild() -> Bool { rac_shim_forked }

/// The checks that all C functions share. Each records the failure with the function's name.
enum Border {
  /// Why a handle was not accepted.
  @inline(never)
  static func refuse(_ handle: OpaquePointer?, _ function: StaticString) -> rac_status {
    if rac_shim_forked {
      return Failure.record(Status.fork, function, "the library does not work in a forked child")
    }
    // A NULL that an earlier failure left behind does not hide that failure.
    if isBrokenChain(handle) { return Status.null }
    if handle == nil { return Failure.record(Status.null, function, "a handle is NULL") }
    return Failure.record(Status.stale, function, "the handle was released, or never was one")
  }

  @inline(never)
  static func refuseKind(_ function: StaticString) -> rac_status {
    Failure.record(Status.kind, function, "the handle is of another kind")
  }

  /// Calls with the object behind a handle, which is kept alive for the call.
  @inline(__always)
  static func use<T: Object, Result>(
    _ handle: OpaquePointer?, _ kinds: Kind, as type: T.Type, _ function: StaticString,
    otherwise: (rac_status) -> Result, _ body: (T) -> Result
  ) -> Result {
    guard let handle, let slot = Handles.acquire(handle) else {
      return otherwise(refuse(handle, function))
    }
    defer { Handles.release(slot) }
    guard kinds.includes(slot) else {
      return otherwise(refuseKind(function))
    }
    let object = Unmanaged<T>.fromOpaque(slot.object.pointee.unsafelyUnwrapped)
    return object._withUnsafeGuaranteedRef { body($0) }
  }

  /// `use` for functions that return a status.
  static func check<T: Object>(
    _ handle: OpaquePointer?, _ kinds: Kind, as type: T.Type, _ function: StaticString,
    _ body: (T) -> rac_status
  ) -> rac_status {
    use(handle, kinds, as: type, function, otherwise: { $0 }, body)
  }

  /// A signal for the caller, one reference. Refused in a forked child and for chains that are too deep.
  static func give(_ function: StaticString, _ make: () -> Signal) -> OpaquePointer? {
    if rac_shim_forked { return refuseFork(function) }
    let signal = make()
    if signal.depth > Signal.maximumDepth {
      return fail(Status.range, function, "more than 4096 operators in one chain")
    }
    return Handles.make(signal, .plainSignal)
  }

  /// NULL because an earlier call failed: what went wrong there is what there is to read.
  static func isBrokenChain(_ handle: OpaquePointer?) -> Bool {
    handle == nil && currentThread().pointee.error_code != 0
  }

  /// A signal made from another. A NULL source keeps the error that made it NULL readable.
  static func derive(
    _ source: OpaquePointer?, _ function: StaticString, _ make: (Signal) -> Signal
  ) -> OpaquePointer? {
    if isBrokenChain(source) { return nil }
    return use(source, .signals, as: Signal.self, function, otherwise: { _ in nil }) { source in
      give(function) { make(source) }
    }
  }

  /// A signal made from another and a callback, which must be there.
  static func derive<Callback>(
    _ source: OpaquePointer?, _ callback: Callback?, _ function: StaticString,
    _ make: (Signal, Callback) -> Signal
  ) -> OpaquePointer? {
    if isBrokenChain(source) { return nil }
    guard let callback else { return fail(Status.null, function, "a callback is NULL") }
    return derive(source, function) { make($0, callback) }
  }

  /// The same with a value of the caller's.
  static func derive<Callback>(
    _ source: OpaquePointer?, _ value: rac_value, _ callback: Callback?, _ function: StaticString,
    _ make: (Signal, Value, Callback) -> Signal
  ) -> OpaquePointer? {
    if isBrokenChain(source) { return nil }
    return take(value, function, otherwise: { _ in nil }) { value in
      derive(source, callback, function) { make($0, value, $1) }
    }
  }

  /// A signal made from two.
  static func derive(
    _ first: OpaquePointer?, _ second: OpaquePointer?, _ function: StaticString,
    _ make: (Signal, Signal) -> Signal
  ) -> OpaquePointer? {
    if isBrokenChain(first) || isBrokenChain(second) { return nil }
    return use(first, .signals, as: Signal.self, function, otherwise: { _ in nil }) { first in
      use(second, .signals, as: Signal.self, function, otherwise: { _ in nil }) { second in
        give(function) { make(first, second) }
      }
    }
  }

  /// A signal made from a list of them.
  static func derive(
    _ list: UnsafePointer<OpaquePointer?>?, _ count: UInt, _ function: StaticString,
    _ make: ([Signal]) -> Signal
  ) -> OpaquePointer? {
    if count > 1 << 28 { return fail(Status.noMemory, function, "not enough memory for the list") }
    if count > 0 && list == nil { return fail(Status.null, function, "the list is NULL") }
    var signals: [Signal] = []
    var index: UInt = 0
    while index < count {
      let handle = list.unsafelyUnwrapped[Int(bitPattern: index)]
      let signal = use(
        handle, .signals, as: Signal.self, function, otherwise: { _ in nil },
        { Optional($0) })
      guard let signal else { return nil }
      signals.append(signal)
      index &+= 1
    }
    return give(function) { make(signals) }
  }

  /// Any other object for the caller, one reference.
  static func give<T: Object>(_ kind: Kind, _ function: StaticString, _ make: () -> T)
    -> OpaquePointer?
  {
    if rac_shim_forked { return refuseFork(function) }
    return Handles.make(make(), kind)
  }

  static func fail(_ status: rac_status, _ function: StaticString, _ message: StaticString)
    -> OpaquePointer?
  {
    Failure.record(status, function, message)
    return nil
  }

  @inline(never)
  private static func refuseFork(_ function: StaticString) -> OpaquePointer? {
    fail(Status.fork, function, "the library does not work in a forked child")
  }

  /// A count or capacity as the engine keeps it: more than fits means "as many as there are".
  static func count(_ count: CSize) -> Int { count > UInt(Int.max) ? Int.max : Int(count) }

  /// Seconds as nanoseconds; nil, and the failure recorded, for NaN and negative ones.
  static func duration(_ seconds: Double, _ function: StaticString) -> Int64? {
    if let nanoseconds = Duration.nanoseconds(seconds) { return nanoseconds }
    Failure.record(Status.invalid, function, "a time is negative or not a number")
    return nil
  }

  // MARK: Values

  /// Calls with a value of the caller's once it is known to be sound.
  @inline(__always)
  static func take<Result>(
    _ value: rac_value, _ function: StaticString, otherwise: (rac_status) -> Result,
    _ body: (Value) -> Result
  ) -> Result {
    // Scalars need no look.
    if value.kind <= Value.Kind.double { return body(value) }
    switch value.admitted() {
    case .sound: return body(value)
    case .copied(let copy):
      let result = body(copy)
      copy.release()
      return result
    case .refused(let status, let message):
      return otherwise(Failure.record(status, function, message))
    }
  }

  /// Calls with an error value: an error, or nil, which RAC allows.
  static func takeError<Result>(
    _ value: rac_value, _ function: StaticString, otherwise: (rac_status) -> Result,
    _ body: (Value) -> Result
  ) -> Result {
    guard value.kind == Value.Kind.error || value.kind == Value.Kind.null else {
      return otherwise(Failure.record(Status.kind, function, "the value is no error and not nil"))
    }
    return take(value, function, otherwise: otherwise, body)
  }
}
