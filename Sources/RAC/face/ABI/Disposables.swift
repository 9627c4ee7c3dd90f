/// A disposable that runs an action when it is disposed.
///
/// - Parameter context: passed to the callbacks, one at a time.
/// - Parameter action: runs at most once, in the disposing thread; may be NULL.
/// - Parameter destroy: runs after the action, or when the disposable goes undisposed; may be NULL.
/// - Returns: one reference. RAC: +disposableWithBlock:. Since: 0.1
@c public func rac_disposable_create(
  _ context: CContext?, _ action: rac_action_fn?, _ destroy: rac_destroy_fn?
) -> CDisposable? {
  guard let context = Border.context(context, destroy) else { return nil }
  return Border.give(.plainDisposable) { ActionDisposable(context, action) }
}

/// Disposes something, once; later calls do nothing.
///
/// Disposing a subscription sends no event. No callback of it starts afterwards; one that is
/// running on another thread may still be running when this returns. May be called from inside the
/// callback.
///
/// - Parameter disposable: borrowed; NULL is a no-op.
/// - Returns: RAC_OK, RAC_ESTALE, RAC_EKIND. Any thread; never waits. Where RAC_EFORK is answered a
///   no-op. RAC: -dispose. Since: 0.1
@discardableResult
@c public func rac_dispose(_ disposable: CDisposable?) -> rac_status {
  if disposable == nil { return Status.ok }
  if Process.isOver, let status = disposeAtLast(disposable) { return status }
  return Border.use(
    disposable, .disposables, as: Disposable.self,
    // Sealed between the two: no disposal is lost to somebody who closes.
    otherwise: { $0 == Status.closed ? disposeAtLast(disposable) ?? $0 : $0 },
    {
      $0.dispose()
      return Status.ok
    })
}

/// Disposes a disposable and gives it back: rac_dispose() and rac_release() in one step, for its
/// only holder. The usual end of a subscription, and quicker than the two.
///
/// - Parameter disposable: transferred: its handle may be stale before anything is disposed. NULL
///   is a no-op.
/// - Returns: RAC_OK; RAC_ESTALE, RAC_EKIND: nothing has happened. Any thread; never waits. In a
///   forked child as rac_dispose() and rac_release(). Since: 0.1
@discardableResult
@c public func rac_dispose_and_release(_ disposable: CDisposable?) -> rac_status {
  guard let disposable else { return Status.ok }
  if !Process.isOver && Joining.leave(disposable) || disposable == EndedSubscription.handle {
    return Status.ok
  }
  let status = rac_dispose(disposable)
  if status < 0 { return status }
  return rac_release(UnsafeMutableRawPointer(disposable))
}

/// In a forked child nothing; when the library is closed what lets go, but no action runs. nil: it
/// is not sealed, not yet perhaps.
@inline(never)
private func disposeAtLast(_ disposable: CDisposable?) -> rac_status? {
  guard Process.isClosed else { return Status.ok }
  return withSealed(disposable, "rac_dispose") { $0.dispose() }
}

/// A disposable of a closed library. nil: it is not sealed.
private func withSealed(
  _ disposable: CDisposable?, _ function: StaticString = #function, _ body: (Disposable) -> Void
) -> rac_status? {
  guard let disposable, let slot = Handles.acquireSealed(disposable) else { return nil }
  defer { Handles.release(slot) }
  guard HandleKind.disposables.includes(slot) else {
    return Border.refuse(slot.kind.pointee, .disposables, function)
  }
  Unmanaged<Disposable>.fromOpaque(slot.object)._withUnsafeGuaranteedRef(body)
  return Status.ok
}

/// Disposes a subscription and waits until its `destroy` has run: its context, and all that the
/// callbacks used, may be freed then.
///
/// - Parameter disposable: borrowed. For other disposables than subscriptions this is
///   rac_dispose().
/// - Parameter timeout: in seconds; negative waits for ever.
/// - Returns: RAC_OK; RAC_PENDING when called inside a callback or a job, where it does not wait,
///   and destroy has yet to run; RAC_ETIMEDOUT; RAC_EINVAL (NaN), RAC_ENULL, RAC_ESTALE, RAC_EKIND.
///   May block. Since: 0.1
@discardableResult
@c public func rac_dispose_and_wait(_ disposable: CDisposable?, _ timeout: Double) -> rac_status {
  guard let limit = Border.timeout(timeout) else { return Border.refused() }
  return Border.check(disposable, .disposables, as: Disposable.self) {
    $0.dispose()
    guard let callbacks = ($0 as? Link)?.callbacks else { return Status.ok }
    if callbacks.isDone { return Status.ok }
    if currentThread().isAwaited { return Status.pending }
    if callbacks.wait(timeout: limit) { return Status.ok }
    if Process.isOver { return Border.refuseOver() }
    return Failure.record(Status.timedOut, "a callback is still running")
  }
}

/// Whether a disposable was disposed; a subscription's also is once it has ended. May be asked
/// after rac_close(), too.
///
/// - Parameter disposable: borrowed.
/// - Returns: true or false; false, with a failure recorded, for no disposable. RAC: -isDisposed.
///   Since: 0.1
@c public func rac_is_disposed(_ disposable: CDisposable?) -> Bool {
  if Process.isClosed {
    var answer = false
    let status = withSealed(disposable) { answer = $0.isDisposed }
    if status != nil { return answer }
  }
  return Border.use(
    disposable, .disposables, as: Disposable.self, otherwise: { _ in false },
    { $0.isDisposed })
}

/// A disposable that disposes all that was added to it.
///
/// - Returns: one reference. RAC: +compoundDisposable. Since: 0.1
@c public func rac_compound_disposable_create() -> CDisposable? {
  Border.give(.compound) { CompoundDisposable() }
}

/// Adds a disposable; disposes it at once if the compound one is disposed already.
///
/// - Parameter compound: borrowed.
/// - Parameter disposable: borrowed, retained. NULL and disposed ones are ignored.
/// - Returns: RAC_OK; RAC_EINVAL for itself; RAC_ENULL, RAC_ESTALE, RAC_EKIND; RAC_ENOMEM, and it
///   was neither added nor disposed. RAC: -addDisposable:. Since: 0.1
@discardableResult
@c public func rac_compound_disposable_add(_ compound: CDisposable?, _ disposable: CDisposable?)
  -> rac_status
{
  guard Border.isReady() else { return Border.refused() }
  return withCompound(compound, disposable) {
    $0.add($1)
    return Status.ok
  }
}

/// Takes a disposable out again, without disposing it.
///
/// - Parameter compound: borrowed.
/// - Parameter disposable: borrowed. NULL and absent ones are ignored.
/// - Returns: RAC_OK; RAC_EINVAL for itself; RAC_ENULL, RAC_ESTALE, RAC_EKIND.
///   RAC: -removeDisposable:. Since: 0.1
@discardableResult
@c public func rac_compound_disposable_remove(_ compound: CDisposable?, _ disposable: CDisposable?)
  -> rac_status
{
  withCompound(compound, disposable) {
    $0.remove($1)
    return Status.ok
  }
}

/// A disposable that holds one other at a time.
///
/// - Returns: one reference. RAC: RACSerialDisposable. Since: 0.1
@c public func rac_serial_disposable_create() -> CDisposable? {
  Border.give(.serial) { SerialDisposable() }
}

/// Puts another disposable in. As in RAC, the one before is not disposed.
///
/// - Parameter serial: borrowed.
/// - Parameter disposable: borrowed, retained; NULL empties it. Disposed at once if `serial` is.
/// - Returns: RAC_OK; RAC_EINVAL for itself; RAC_ENULL, RAC_ESTALE, RAC_EKIND. RAC:
///   -setDisposable:. Since: 0.1
@discardableResult
@c public func rac_serial_disposable_set(_ serial: CDisposable?, _ disposable: CDisposable?)
  -> rac_status
{
  withSerial(serial, disposable, otherwise: { $0 }) {
    $0.swap($1)
    return Status.ok
  }
}

/// Puts another disposable in and gives back the one before.
///
/// - Parameter serial: borrowed.
/// - Parameter disposable: borrowed, retained; may be NULL. Disposed at once if `serial` is.
/// - Returns: one reference to the one before; NULL if there was none, or `serial` is disposed, or
///   with RAC_EINVAL, RAC_ENULL, RAC_ESTALE, RAC_EKIND. RAC: -swapInDisposable:. Since: 0.1
@c public func rac_serial_disposable_swap(_ serial: CDisposable?, _ disposable: CDisposable?)
  -> CDisposable?
{
  guard Border.isReady() else { return nil }
  return withSerial(serial, disposable, otherwise: Border.none) { handle(to: $0.swap($1)) }
}

/// The disposable that is in.
///
/// - Parameter serial: borrowed.
/// - Returns: one reference; NULL if there is none, or with RAC_ENULL, RAC_ESTALE, RAC_EKIND.
///   RAC: -disposable. Since: 0.1
@c public func rac_serial_disposable_current(_ serial: CDisposable?) -> CDisposable? {
  guard Border.isReady() else { return nil }
  return Border.use(serial, .serial, as: SerialDisposable.self) { handle(to: $0.current) }
}

/// A disposable that disposes another one when its own last reference goes.
///
/// - Parameter disposable: borrowed, retained.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND. RAC: -asScopedDisposable.
///   Since: 0.1
@c public func rac_scoped_disposable_create(_ disposable: CDisposable?) -> CDisposable? {
  Border.use(disposable, .disposables, as: Disposable.self) { inner in
    Border.give(.scoped) { ScopedDisposable(inner) }
  }
}

private func withCompound(
  _ compound: CDisposable?, _ member: CDisposable?, _ function: StaticString = #function,
  _ body: (CompoundDisposable, Disposable) -> rac_status
) -> rac_status {
  Border.check(compound, .compound, as: CompoundDisposable.self, function) { compound in
    if member == nil { return Status.ok }
    return Border.check(member, .disposables, as: Disposable.self, function) {
      if $0 === compound {
        return Failure.record(Status.invalid, "a disposable cannot contain itself", in: function)
      }
      return body(compound, $0)
    }
  }
}

private func withSerial<Result>(
  _ serial: CDisposable?, _ inner: CDisposable?, _ function: StaticString = #function,
  otherwise: (rac_status) -> Result, _ body: (SerialDisposable, Disposable?) -> Result
) -> Result {
  Border.use(serial, .serial, as: SerialDisposable.self, function, otherwise: otherwise) { serial in
    if inner == nil { return body(serial, nil) }
    return Border.use(inner, .disposables, as: Disposable.self, function, otherwise: otherwise) {
      if $0 === serial {
        return otherwise(
          Failure.record(Status.invalid, "a disposable cannot contain itself", in: function))
      }
      return body(serial, $0)
    }
  }
}

private func handle(to disposable: Disposable?) -> CDisposable? {
  guard let disposable else { return nil }
  let kind: HandleKind
  if disposable is CompoundDisposable {
    kind = .compound
  } else if disposable is SerialDisposable {
    kind = .serial
  } else {
    kind = disposable is ScopedDisposable ? .scoped : .plainDisposable
  }
  return Border.given(Handles.make(disposable, kind))
}
