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
public typealias CCommand = OpaquePointer
public typealias CSequence = OpaquePointer
public typealias CSequenceIterator = OpaquePointer
public typealias CProperty = OpaquePointer
public typealias CChannel = OpaquePointer
public typealias CHandle = UnsafeMutableRawPointer
public typealias CContext = UnsafeMutableRawPointer
public typealias CString = UnsafePointer<CChar>
public typealias CBuffer = UnsafeMutablePointer<CChar>
public typealias CSize = UInt

/// True in a child after fork(), where the library's threads and locks are not what they were.
func isForkedChild() -> Bool { rac_shim_forked }

/// The checks that all C functions share. Each records the failure with the function's name.
enum Border {
  /// Calls with the object behind a handle, which is kept alive for the call.
  @inline(__always)
  static func use<T: Object, Result>(
    _ handle: OpaquePointer?, _ kinds: HandleKind, as type: T.Type, _ function: StaticString,
    otherwise: (rac_status) -> Result, _ body: (T) -> Result
  ) -> Result {
    guard let handle, let slot = Handles.acquire(handle) else {
      return otherwise(refuse(handle, function))
    }
    defer { Handles.release(slot) }
    guard kinds.includes(slot) else {
      return otherwise(refuseKind(function))
    }
    let object = Unmanaged<T>.fromOpaque(slot.object)
    return object._withUnsafeGuaranteedRef { body($0) }
  }

  /// `use` for functions that give a handle, or look for what one stands for: nil when it is refused.
  @inline(__always)
  static func use<T: Object, Result>(
    _ handle: OpaquePointer?, _ kinds: HandleKind, as type: T.Type, _ function: StaticString,
    _ body: (T) -> Result?
  ) -> Result? {
    guard let handle, let slot = Handles.acquire(handle) else {
      return refuse(handle, inChain: function)
    }
    defer { Handles.release(slot) }
    guard kinds.includes(slot) else { return none(refuseKind(function)) }
    let object = Unmanaged<T>.fromOpaque(slot.object)
    return object._withUnsafeGuaranteedRef { body($0) }
  }

  /// `use` for functions that return a status.
  static func check<T: Object>(
    _ handle: OpaquePointer?, _ kinds: HandleKind, as type: T.Type, _ function: StaticString,
    _ body: (T) -> rac_status
  ) -> rac_status {
    use(handle, kinds, as: type, function, otherwise: { $0 }, body)
  }

  /// Whether there is memory to make something of so many objects: asked before the first of them is
  /// made. Records that there is none.
  @inline(__always)
  static func isReady(_ function: StaticString, for objects: UInt32 = Reserve.enough) -> Bool {
    // A thread without a record has nothing put by.
    let ready = rac_shim_thread_if_any().unsafelyUnwrapped.pointee.ready
    return ready >= objects || makeReady(function, objects)
  }

  @inline(never)
  private static func makeReady(_ function: StaticString, _ objects: UInt32) -> Bool {
    if Reserve.isReady(currentThread(), for: objects) { return true }
    refuseMemory(function)
    Failure.leaveNull()
    return false
  }

  @inline(never)
  @discardableResult
  static func refuseMemory(_ function: StaticString) -> rac_status {
    Failure.record(Status.noMemory, function, "not enough memory")
  }

  // What makes signals is called seldom, so its parts are functions: inlined, or specialised for each
  // operator, they would be a third of the library.

  /// What the body makes, with blocks of that size put by for it; NULL when there is no memory for them.
  @inline(never)
  static func holding(
    _ bytes: Int, times: Int = 1, _ function: StaticString, _ body: () -> OpaquePointer?
  ) -> OpaquePointer? {
    Reserve.holding(bytes, times: times, body) ?? none(refuseMemory(function))
  }

  /// A caller's pointer and the function that frees it; nil when there is no memory to go on. Freed it is
  /// in any case.
  @inline(never)
  static func context(_ pointer: CContext?, _ destroy: rac_destroy_fn?, _ function: StaticString)
    -> Context?
  {
    if isReady(function) { return Context(pointer, destroy) }
    destroy?(pointer)
    return nil
  }

  /// A signal for the caller, one reference. Refused in a forked child and for chains that are too deep.
  @inline(__always)
  static func give(_ function: StaticString, _ make: () -> Signal) -> OpaquePointer? {
    if rac_shim_forked { return refuseFork(function) }
    guard isReady(function, for: Reserve.left) else { return nil }
    return give(make(), function)
  }

  @inline(never)
  private static func give(_ signal: Signal, _ function: StaticString) -> OpaquePointer? {
    if signal.depth > Stack.few && isTooLong(signal, function) { return nil }
    Failure.goOn()
    return Handles.make(owned: .passRetained(consume signal), .plainSignal)
  }

  @inline(never)
  private static func isTooLong(_ signal: Signal, _ function: StaticString) -> Bool {
    if signal.depth <= Signal.maximumDepth { return lacksRoom(for: signal, function) }
    _ = fail(Status.range, function, "more than 4096 operators in one chain")
    return true
  }

  /// Whether the calling thread's stack is too short to subscribe to the signal.
  @inline(never)
  static func lacksRoom(for signal: Signal, _ function: StaticString) -> Bool {
    let thread = currentThread()
    if signal.isShort(for: thread) || signal.hasRoom(in: thread) { return false }
    _ = refuseSubscription(nil, function)
    return true
  }

  /// Takes over the reference.
  @inline(never)
  static func refuseSubscription(_ scope: Unmanaged<Object>?, _ function: StaticString)
    -> OpaquePointer?
  {
    scope?.drop()
    return fail(
      Status.range, function, "the stack is too short for the chain, or full of subscriptions")
  }

  /// The signal behind a handle. A NULL keeps the error that made it NULL readable.
  @inline(never)
  static func signal(_ handle: OpaquePointer?, _ function: StaticString) -> Signal? {
    if isBrokenChain(handle) { return nil }
    return use(handle, .signals, as: Signal.self, function) { $0 }
  }

  /// The scheduler behind a handle.
  @inline(never)
  static func scheduler(_ handle: OpaquePointer?, _ function: StaticString) -> Scheduler? {
    use(handle, .schedulers, as: Scheduler.self, function) { $0 }
  }

  /// Whether what is scheduled has a thread to run on. Records that the system refused one.
  @inline(__always)
  static func isServed(_ scheduler: Scheduler, dated: Bool = false, _ function: StaticString)
    -> Bool
  {
    Staff.isComplete || makeServed(scheduler, dated: dated, function)
  }

  @inline(never)
  private static func makeServed(_ scheduler: Scheduler, dated: Bool, _ function: StaticString)
    -> Bool
  {
    if scheduler.isServed(dated: dated) { return true }
    Failure.record(Status.noMemory, function, "the system gives no thread")
    Failure.leaveNull()
    return false
  }

  /// A job that there was no memory to schedule: its context is destroyed.
  @inline(never)
  static func refuse(
    _ job: Unmanaged<Object>, _ place: Slot, _ function: StaticString
  ) -> OpaquePointer? {
    Slots.free(place)
    unsafeDowncast(job.takeRetainedValue(), to: Job.self).dispose()
    return none(refuseMemory(function))
  }

  /// A scheduler that can let time pass without sleeping: not the immediate one.
  @inline(never)
  static func timedScheduler(_ handle: OpaquePointer?, _ function: StaticString) -> Scheduler? {
    guard let scheduler = scheduler(handle, function) else { return nil }
    if scheduler !== engine.immediate { return scheduler }
    return none(
      Failure.record(Status.invalid, function, "the immediate scheduler cannot wait or repeat"))
  }

  /// The objects behind a list of handles, which may be NULL when it is empty.
  @inline(never)
  static func objects<T: Object>(
    _ list: UnsafePointer<OpaquePointer?>?, _ count: UInt, _ kinds: HandleKind, as type: T.Type,
    _ function: StaticString
  ) -> [T]? {
    if count > 1 << 28 {
      return none(Failure.record(Status.noMemory, function, "not enough memory for the list"))
    }
    if count > 0 && list == nil {
      return none(Failure.record(Status.null, function, "the list is NULL"))
    }
    guard isReady(function, for: Reserve.left) else { return nil }
    let length = Int(bitPattern: count)
    guard var objects = Reserve.holding(Reserve.list(length), { [T](withRoomFor: length) }) else {
      return none(refuseMemory(function))
    }
    var index: UInt = 0
    while index < count {
      let handle = list.unsafelyUnwrapped[Int(bitPattern: index)]
      let object = use(
        handle, kinds, as: type, function, { Optional($0) })
      guard let object else { return nil }
      objects.append(object)
      index &+= 1
    }
    return objects
  }

  /// The signals behind a list of handles.
  @inline(never)
  static func signals(
    _ list: UnsafePointer<OpaquePointer?>?, _ count: UInt, _ function: StaticString
  ) -> [Signal]? {
    objects(list, count, .signals, as: Signal.self, function)
  }

  /// A value of the caller's, to be released; nil: it is not sound.
  @inline(never)
  static func kept(_ value: rac_value, _ function: StaticString) -> Value? {
    take(value, function, otherwise: none) { value in
      // Keeping what is lent copies it, however large it is.
      if let kept = value.retainedIfPossible() { return kept }
      return none(Failure.record(Status.noMemory, function, "not enough memory for the value"))
    }
  }

  /// A signal made from another.
  @inline(__always)
  static func derive(
    _ source: OpaquePointer?, _ function: StaticString, _ make: (Signal) -> Signal
  ) -> OpaquePointer? {
    guard let source = signal(source, function), isReady(function, for: Reserve.left) else {
      return nil
    }
    return give(make(source), function)
  }

  /// A signal made from another and a callback, which must be there.
  @inline(__always)
  static func derive<Callback>(
    _ source: OpaquePointer?, _ callback: Callback?, _ function: StaticString,
    _ make: (Signal, Callback) -> Signal
  ) -> OpaquePointer? {
    if isBrokenChain(source) { return nil }
    guard let callback else { return fail(Status.null, function, "a callback is NULL") }
    return derive(source, function) { make($0, callback) }
  }

  /// A signal made from another and a value of the caller's.
  @inline(__always)
  static func derive(
    _ source: OpaquePointer?, _ value: rac_value, _ function: StaticString,
    _ make: (Signal, Value) -> Signal
  ) -> OpaquePointer? {
    if isBrokenChain(source) { return nil }
    guard let value = kept(value, function) else { return nil }
    defer { value.release() }
    return derive(source, function) { make($0, value) }
  }

  /// The same with a callback.
  @inline(__always)
  static func derive<Callback>(
    _ source: OpaquePointer?, _ value: rac_value, _ callback: Callback?, _ function: StaticString,
    _ make: (Signal, Value, Callback) -> Signal
  ) -> OpaquePointer? {
    if isBrokenChain(source) { return nil }
    guard let callback else { return fail(Status.null, function, "a callback is NULL") }
    return derive(source, value, function) { make($0, $1, callback) }
  }

  /// A signal made from two.
  @inline(__always)
  static func derive(
    _ first: OpaquePointer?, _ second: OpaquePointer?, _ function: StaticString,
    _ make: (Signal, Signal) -> Signal
  ) -> OpaquePointer? {
    if isBrokenChain(second) { return nil }
    guard let first = signal(first, function), let second = signal(second, function),
      isReady(function, for: Reserve.left)
    else { return nil }
    return give(make(first, second), function)
  }

  /// A signal made from a list of them.
  @inline(__always)
  static func derive(
    _ list: UnsafePointer<OpaquePointer?>?, _ count: UInt, _ function: StaticString,
    _ make: ([Signal]) -> Signal
  ) -> OpaquePointer? {
    guard let signals = signals(list, count, function) else { return nil }
    return give(function) { make(signals) }
  }

  /// Any other object for the caller, one reference.
  static func give<T: Object>(_ kind: HandleKind, _ function: StaticString, _ make: () -> T)
    -> OpaquePointer?
  {
    if rac_shim_forked { return refuseFork(function) }
    guard isReady(function, for: Reserve.left) else { return nil }
    // Taken first: what is made may subscribe, and so run code that takes what memory there is.
    let place = Slots.allocate()
    Failure.goOn()
    return Handles.make(owned: .passRetained(make()), kind, in: place)
  }

  /// A count or capacity as the engine keeps it: more than fits means "as many as there are".
  static func count(_ count: CSize) -> Int { count > UInt(Int.max) ? Int.max : Int(count) }

  /// Seconds as nanoseconds; nil, and the failure recorded, for NaN and negative ones.
  static func duration(_ seconds: Double, _ function: StaticString) -> Int64? {
    if let nanoseconds = Duration.nanoseconds(seconds) { return nanoseconds }
    return none(Failure.record(Status.invalid, function, "a time is negative or not a number"))
  }

  // MARK: Values

  /// Calls with a value of the caller's once it is known to be sound.
  @inline(__always)
  static func take<Result>(
    _ value: rac_value, _ function: StaticString, otherwise: (rac_status) -> Result,
    _ body: (Value) -> Result
  ) -> Result {
    // Scalars need no look.
    if value.kind <= Value.Kind.double { return body(value.scalar) }
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
