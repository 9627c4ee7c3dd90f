import CRACShims

/// How many values may wait, and what happens to what comes then.
///
/// It is given to what holds values back: a subject or a signal of `create`, deliver_on, merge,
/// flatten, a sequence. Each subscription has a line of its own, with room for `capacity`; what the
/// bound counts is summed over all of them. Values alone are counted and dropped: ends,
/// subscriptions and disposals never are.
///
/// One that drops, keeps the latest or makes an error is given to one thing. One that waits or
/// refuses acts where values enter, and looks at all that is given the same bound further down:
/// first it is given to the subjects, or signals of `create`, then to what is below them, as often
/// as needed.
///
/// - Parameter capacity: 1 or more; with RAC_BOUND_LATEST it counts as 1.
/// - Parameter policy: RAC_BOUND_DROP_OLDEST and the like.
/// - Returns: one reference; NULL with RAC_EINVAL for a capacity of 0 or an unknown policy. Since:
///   0.1
@_cdecl("rac_bound_create")
public func rac_bound_create(_ capacity: CSize, _ policy: Int32) -> CBound? {
  let function: StaticString = "rac_bound_create"
  guard capacity != 0 else {
    return Border.fail(Status.invalid, function, "a bound has a capacity of 1 or more")
  }
  guard let policy = Bound.Policy(rawValue: policy) else {
    return Border.fail(Status.invalid, function, "the policy is none of RAC_BOUND_…")
  }
  return Border.give(.bound, function) { Bound(Border.count(capacity), policy) }
}

/// How long a send waits for room with RAC_BOUND_WAIT, before it answers RAC_ETIMEDOUT. For ever,
/// unless this is called. It concerns sends that begin to wait afterwards.
///
/// - Parameter bound: borrowed.
/// - Parameter seconds: negative for ever; 0 answers at once.
/// - Returns: RAC_OK; RAC_EINVAL (NaN), RAC_ENULL, RAC_ESTALE, RAC_EKIND. Any thread. Since: 0.1
@discardableResult
@_cdecl("rac_bound_set_timeout")
public func rac_bound_set_timeout(_ bound: CBound?, _ seconds: Double) -> rac_status {
  let function: StaticString = "rac_bound_set_timeout"
  guard seconds == seconds else {
    return Failure.record(Status.invalid, function, "the timeout is not a number")
  }
  return Border.check(bound, .bound, as: Bound.self, function) {
    $0.setTimeout(Duration.timeout(seconds))
    return Status.ok
  }
}

/// A bound's capacity.
///
/// - Parameter bound: borrowed.
/// - Returns: 1 or more; 0 with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Since: 0.1
@_cdecl("rac_bound_capacity")
public func rac_bound_capacity(_ bound: CBound?) -> CSize {
  look(bound, "rac_bound_capacity").map { $0.capacity } ?? 0
}

/// A bound's policy.
///
/// - Parameter bound: borrowed.
/// - Returns: RAC_BOUND_DROP_OLDEST and the like; 0 with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Since:
///   0.1
@_cdecl("rac_bound_policy")
public func rac_bound_policy(_ bound: CBound?) -> Int32 {
  look(bound, "rac_bound_policy").map { $0.policy.rawValue } ?? 0
}

/// How many values wait now, in all that has been given the bound.
///
/// - Parameter bound: borrowed.
/// - Returns: a count, which other threads may change at any time; 0 with RAC_ENULL, RAC_ESTALE or
///   RAC_EKIND. Any thread. Since: 0.1
@_cdecl("rac_bound_length")
public func rac_bound_length(_ bound: CBound?) -> CSize {
  look(bound, "rac_bound_length").map { $0.counts.length } ?? 0
}

/// How many have waited at once, at most.
///
/// - Parameter bound: borrowed.
/// - Returns: the greatest length there was; 0 with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Any thread.
///   Since: 0.1
@_cdecl("rac_bound_highest")
public func rac_bound_highest(_ bound: CBound?) -> CSize {
  look(bound, "rac_bound_highest").map { $0.counts.highest } ?? 0
}

/// How many values were dropped because there was no room: those that came and those that gave way.
/// What a disposal drops, and what was refused, is not counted.
///
/// - Parameter bound: borrowed.
/// - Returns: a count that only grows; 0 with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Any thread.
///   Since: 0.1
@_cdecl("rac_bound_dropped")
public func rac_bound_dropped(_ bound: CBound?) -> UInt64 {
  look(bound, "rac_bound_dropped").map { $0.counts.dropped } ?? 0
}

/// A subject where at most so many values wait as a bound says: those that are sent while another
/// one is being delivered, by another thread or from inside a callback.
///
/// A send answers, besides what rac_subject_send() does: RAC_DROPPED when this value does not come,
/// because the bound drops the newest, or because it makes an error; with RAC_BOUND_REFUSE
/// RAC_EAGAIN when there is no room; with RAC_BOUND_WAIT, after waiting, RAC_ETIMEDOUT, and inside
/// a callback RAC_EDEADLK in place of waiting. An array is so many sends; but with
/// RAC_BOUND_REFUSE, and inside a callback with RAC_BOUND_WAIT, it is sent whole or not at all, and
/// answers RAC_ERANGE when it is longer than the capacity. RAC_BOUND_ERROR sends the subscribers an
/// error, behind what waits.
///
/// Values that come from a signal to which the subject is subscribed have nobody who could be held
/// back: they are taken, or dropped by a bound that drops.
///
/// - Parameter bound: borrowed, retained.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND; RAC_EBUSY when the bound
///   is in use elsewhere. Rx: Subject with onBackpressureBuffer, onBackpressureDrop,
///   onBackpressureLatest. Since: 0.1
@_cdecl("rac_subject_create_bounded")
public func rac_subject_create_bounded(_ bound: CBound?) -> CSubject? {
  let function: StaticString = "rac_subject_create_bounded"
  if Process.isOver { return Border.none(Border.refuseOver(function)) }
  guard Border.isReady(function) else { return nil }
  guard let bound = Border.bound(bound, function, isBelow: false) else { return nil }
  let subject = Subject(core: BoundedSubjectCore(bound)).named("subject")
  let gate = subject.core.gate
  return Border.given(
    Handles.makeFirst(owned: .passRetained(consume subject), .boundedSubject, at: gate))
}

/// rac_signal_create() where at most so many values wait at each subscriber as a bound says.
///
///     sent                   --1-23--4--|
///     (1 is being delivered)   =====
///     capacity 1, oldest     --1----34--|
///
/// What waits is what is sent while another value is being delivered; with RAC_BOUND_WAIT and
/// RAC_BOUND_REFUSE what waits further down counts, too. Sends answer as those to a
/// rac_subject_create_bounded() do, and RAC_EDONE as soon as the subscription has ended or was
/// disposed, also when they have begun to wait. The callback itself may wait where rac_subscribe()
/// calls it; where it runs in a job of a scheduler it is inside a callback.
///
/// - Parameter bound: borrowed, retained.
/// - Parameter context: passed to the callbacks.
/// - Parameter subscribe: as in rac_signal_create().
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND; RAC_EBUSY when the bound
///   is in use elsewhere. Rx: create with a BackpressureStrategy. Since: 0.1
@_cdecl("rac_signal_create_bounded")
public func rac_signal_create_bounded(
  _ bound: CBound?, _ context: CContext?, _ subscribe: rac_subscribe_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_create_bounded"
  if subscribe == nil {
    Failure.record(Status.null, function, "subscribe is NULL")
    Failure.leaveNull()
  }
  guard subscribe != nil, Border.isReady(function),
    let bound = Border.bound(bound, function, isBelow: false)
  else {
    Border.destroy(context, destroy)
    return nil
  }
  let signal = BoundedSignal(bound, context, subscribe, destroy).named("createSignal:")
  return Border.give(owned: .passRetained(signal), function)
}

/// The bound behind a handle.
@inline(never)
private func look(_ bound: CBound?, _ function: StaticString) -> Bound? {
  // A forked child has to hear of it: it may be in the middle of something, as behind the lock.
  _ = currentThread()
  return Border.use(bound, .bound, as: Bound.self, function, otherwise: { _ in nil }, { $0 })
}
