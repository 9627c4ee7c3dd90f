import CRACShims

// The pattern of the C functions: check the arguments, turn handles into objects, call one function
// of the engine.

/// The checks that all C functions share. Each records the failure with the function's name.
enum Border {
  /// Calls with the object behind a handle, which is kept alive for the call.
  static func use<T: Object, Result>(
    _ handle: OpaquePointer?, _ kinds: HandleKind, as type: T.Type,
    _ function: StaticString = #function,
    otherwise: (rac_status) -> Result, _ body: (T) -> Result
  ) -> Result {
    guard let handle, let slot = Handles.acquire(handle) else {
      return otherwise(refuse(handle, kinds, function))
    }
    defer { Handles.release(slot) }
    guard kinds.includes(slot) else { return otherwise(refuse(handle, kinds, function)) }
    let object = Unmanaged<T>.fromOpaque(slot.object)
    return object._withUnsafeGuaranteedRef { body($0) }
  }

  /// `use` for functions that give a handle, or look for what one stands for: nil when it is
  /// refused.
  static func use<T: Object, Result>(
    _ handle: OpaquePointer?, _ kinds: HandleKind, as type: T.Type,
    _ function: StaticString = #function,
    _ body: (T) -> Result?
  ) -> Result? {
    guard let handle, let slot = Handles.acquire(handle) else {
      return refuse(handle, kinds, inChain: function)
    }
    defer { Handles.release(slot) }
    guard kinds.includes(slot) else { return refuse(handle, kinds, inChain: function) }
    let object = Unmanaged<T>.fromOpaque(slot.object)
    return object._withUnsafeGuaranteedRef { body($0) }
  }

  /// What a handle stands for that may be NULL; nil: it is refused.
  static func ifGiven<Found>(
    _ handle: OpaquePointer?, _ find: (OpaquePointer?, StaticString) -> Found?,
    _ function: StaticString = #function
  ) -> Found?? {
    handle == nil ? .some(nil) : find(handle, function).map { $0 }
  }

  /// The handle itself, where it is of these kinds: for functions that give it under another type.
  @inline(__always)
  static func same(
    _ handle: OpaquePointer?, _ kinds: HandleKind, _ function: StaticString = #function
  ) -> OpaquePointer? {
    if let handle, Handles.names(kinds, handle) == true { return handle }
    return refuse(handle, kinds, inChain: function)
  }

  /// `use` for functions that return a status.
  static func check<T: Object>(
    _ handle: OpaquePointer?, _ kinds: HandleKind, as type: T.Type,
    _ function: StaticString = #function,
    _ body: (T) -> rac_status
  ) -> rac_status {
    use(handle, kinds, as: type, function, otherwise: { $0 }, body)
  }

  /// The way in of every call that makes something: the library works, and the calling thread has
  /// its emergency reserve, so that nothing further in asks for memory in vain (reserve.c). False:
  /// why not is recorded.
  static func isReady(_ function: StaticString = #function) -> Bool {
    // A thread without a record has no reserve, nor has one of a forked child.
    let thread = rac_shim_thread_if_any().unsafelyUnwrapped
    return thread.pointee.ready != 0 && !Process.isClosed || makeReady(function)
  }

  @inline(never)
  private static func makeReady(_ function: StaticString) -> Bool {
    if !Process.isOver && rac_shim_fill_reserve(currentThread()) { return true }
    refuseUnready(function)
    return false
  }

  private static func refuseUnready(_ function: StaticString) {
    _ = Process.isOver ? refuseOver(function) : refuseMemory(function)
    Failure.leaveNull()
  }

  @discardableResult
  static func refuseMemory(_ function: StaticString = #function) -> rac_status {
    Failure.record(Status.noMemory, "not enough memory", in: function)
  }

  /// A caller's pointer and the function that frees it; nil where nothing can be made. It is freed
  /// in any case.
  static func context(
    _ pointer: CContext?, _ destroy: rac_destroy_fn?, _ function: StaticString = #function
  ) -> Context? {
    if isReady(function) { return Context(pointer, destroy) }
    Border.destroy(pointer, destroy)
    // Again: the calls of destroy may have failed, or have cleared the thread's last error.
    refuseUnready(function)
    return nil
  }

  /// Frees what a call was given that keeps nothing of it: a callback like any other destroy.
  @inline(never)
  static func destroy(_ pointer: CContext?, _ destroy: rac_destroy_fn?) {
    if let destroy { currentThread().asOwn { destroy(pointer) } }
  }

  /// The objects behind a list of handles, which may be NULL when it is empty.
  static func objects<T: Object>(
    _ list: UnsafePointer<OpaquePointer?>?, _ count: CSize, _ kinds: HandleKind, as type: T.Type,
    _ function: StaticString = #function
  ) -> [T]? {
    let length = Self.count(count)
    if count > 0 && list == nil {
      return none(Failure.record(Status.null, "the list is NULL", in: function))
    }
    guard isReady(function) else { return nil }
    guard length <= 1 << 28, var objects = [T](checkedFor: length) else {
      return none(refuseMemory(function))
    }
    for index in Places(length) {
      let handle = list.unsafelyUnwrapped[index]
      let object = use(handle, kinds, as: type, function, { Optional($0) })
      guard let object else { return nil }
      objects.append(object)
    }
    return objects
  }

  /// A value of the caller's, to be released; nil: it is not sound.
  static func kept(_ value: rac_value, _ function: StaticString = #function) -> Value? {
    if value.isOwnText { return value.retained() }
    return take(value, function, otherwise: none) { value in
      // Keeping what is lent copies it, however large it is.
      if let kept = value.retainedIfPossible() { return kept }
      return none(Failure.record(Status.noMemory, "not enough memory for the value", in: function))
    }
  }

  /// An object for the caller, one reference.
  static func give<T: Object>(
    _ kind: HandleKind, _ function: StaticString = #function, _ make: () -> T
  ) -> OpaquePointer? {
    isReady(function) ? given(Handles.make(owned: .passRetained(make()), kind)) : nil
  }

  /// Every handle that a C function makes for its caller passes here.
  static func given(_ handle: OpaquePointer) -> OpaquePointer {
    Failure.goOn()
    return handle
  }

  /// A count or capacity as the engine keeps it: more than fits, in Swift a negative number, means
  /// "as many as there are".
  static func count(_ count: CSize) -> Int { count < 0 ? Int.max : count }

  /// How many bytes a value may have: 0 is 65,536. nil: more than is allowed.
  static func byteLimit(_ most: CSize, _ function: StaticString = #function) -> Int? {
    let size = most == 0 ? 65_536 : count(most)
    if size <= 1 << 30 { return size }
    return none(Failure.record(Status.invalid, "more bytes than 2^30", in: function))
  }

  // MARK: Values

  /// Calls with a value of the caller's once it is known to be sound.
  static func take<Result>(
    _ value: rac_value, _ function: StaticString = #function, otherwise: (rac_status) -> Result,
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
      return otherwise(Failure.record(status, message, in: function))
    }
  }

  /// Calls with an error value: an error, or nil, which RAC allows.
  static func takeError<Result>(
    _ value: rac_value, _ function: StaticString = #function, otherwise: (rac_status) -> Result,
    _ body: (Value) -> Result
  ) -> Result {
    guard value.kind == Value.Kind.error || value.kind == Value.Kind.null else {
      return otherwise(
        Failure.record(Status.kind, "the value is no error and not nil", in: function))
    }
    return take(value, function, otherwise: otherwise, body)
  }

  /// A tuple of the caller's values, owned; nil, and the failure recorded, when there is none.
  static func tuple(
    _ values: UnsafePointer<rac_value>?, _ count: CSize, _ function: StaticString = #function
  ) -> Value {
    if values == nil && count != 0 { return noTuple(Status.null, function, "the values are NULL") }
    if Self.count(count) > 1 << 28 { return noTuple(Status.noMemory, function) }
    let list = UnsafeBufferPointer(start: values, count: count)
    for value in list {
      let status = take(value, function, otherwise: { $0 }) { _ in Status.ok }
      if status < 0 { return .null }
    }
    return .tuple(list) ?? noTuple(Status.noMemory, function)
  }

  private static func noTuple(
    _ status: rac_status, _ function: StaticString,
    _ message: StaticString = "not enough memory for the value"
  ) -> Value {
    Failure.record(status, message, in: function)
    return .null
  }
}
