import CRACShims

/// How many values may wait, and the fate of the next one.
///
/// A bound is given to a place that holds values back: a subject or a signal of `create`,
/// deliver_on, merge, flatten, a sequence. Each subscription has a line of its own, with room for
/// `capacity`; the bound's counts are sums over all of them. Values alone are counted and dropped:
/// ends, subscriptions and disposals never are.
///
/// One that drops, keeps the latest or makes an error is given to one thing. One that waits or
/// refuses is given to as many as needed. It holds back whoever brings the values: a sender to a
/// subject, or to a subscriber of `create`, that has the bound waits or is refused when one of the
/// places that have it further down is full; a source that can wait, such as rac_signal_lines() and
/// rac_sequence_signal(), rests until half of a full place is free.
///
/// - Parameter capacity: 1 or more; with RAC_BOUND_LATEST it counts as 1.
/// - Parameter policy: RAC_BOUND_DROP_OLDEST and the like.
/// - Returns: one reference; NULL with RAC_EINVAL for a capacity of 0 or an unknown policy. Since:
///   0.1
@c public func rac_bound_create(_ capacity: CSize, _ policy: Int32) -> CBound? {
  guard capacity != 0 else {
    return Border.fail(Status.invalid, "a bound has a capacity of 1 or more")
  }
  guard let policy = Bound.Policy(rawValue: policy) else {
    return Border.fail(Status.invalid, "the policy is none of RAC_BOUND_…")
  }
  return Border.give(.bound) { Bound(Border.count(capacity), policy) }
}

/// How long a send waits for room with RAC_BOUND_WAIT, before it answers RAC_ETIMEDOUT. For ever,
/// unless this is called. It concerns sends that begin to wait afterwards.
///
/// - Parameter bound: borrowed.
/// - Parameter seconds: negative for ever; 0 answers at once.
/// - Returns: RAC_OK; RAC_EINVAL (NaN), RAC_ENULL, RAC_ESTALE, RAC_EKIND. Any thread. Since: 0.1
@discardableResult
@c public func rac_bound_set_timeout(_ bound: CBound?, _ seconds: Double) -> rac_status {
  guard let timeout = Border.timeout(seconds) else { return Border.refused() }
  return Border.check(bound, .bound, as: Bound.self) {
    $0.setTimeout(timeout)
    return Status.ok
  }
}

/// A number of a bound: as it was made with, or a count over all places that have it.
///
/// - Parameter bound: borrowed.
/// - Parameter what: RAC_BOUND_CAPACITY or RAC_BOUND_POLICY, as it was made; RAC_BOUND_LENGTH: how
///   many values wait now, which other threads may change at any time; RAC_BOUND_HIGHEST: how many
///   have waited at once, at most; RAC_BOUND_DROPPED: how many were dropped for lack of room, new
///   ones and waiting ones, but not those that a disposal dropped or a send was refused.
/// - Returns: the number; 0 with RAC_EINVAL for another `what`, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   Any thread. Since: 0.1
@c public func rac_bound_get(_ bound: CBound?, _ what: Int32) -> UInt64 {
  // A forked child has to hear of it: it may be in the middle of something, as behind the lock.
  _ = currentThread()
  return Border.use(bound, .bound, as: Bound.self, otherwise: { _ in 0 }) {
    switch what {
    case RAC_BOUND_CAPACITY: return UInt64(truncatingIfNeeded: $0.capacity)
    case RAC_BOUND_POLICY: return UInt64(truncatingIfNeeded: $0.policy.rawValue)
    case RAC_BOUND_LENGTH: return UInt64(truncatingIfNeeded: $0.counts.length)
    case RAC_BOUND_HIGHEST: return UInt64(truncatingIfNeeded: $0.counts.highest)
    case RAC_BOUND_DROPPED: return $0.counts.dropped
    default:
      Failure.record(Status.invalid, "there is no such number of a bound")
      return 0
    }
  }
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
/// error, behind the waiting values.
///
/// Values from a signal to which the subject is subscribed have no sender that could be held back:
/// they are taken, or dropped by a bound that drops.
///
/// - Parameter bound: borrowed, retained. NULL, and RAC_BOUND_NONE: without a bound.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND; RAC_EBUSY when the bound
///   is in use elsewhere. Rx: Subject with onBackpressureBuffer, onBackpressureDrop,
///   onBackpressureLatest. Since: 0.1
@c public func rac_subject_create_bounded(_ bound: CBound?) -> CSubject? {
  guard Border.isReady() else { return nil }
  guard let bound = Border.bound(bound) else { return nil }
  guard let bound else { return rac_subject_create() }
  let subject = Subject(core: BoundedSubjectCore(bound)).named("subject")
  let gate = subject.core.gate
  return Border.given(
    Handles.makeFirst(owned: .passRetained(consume subject), .boundedSubject, at: gate))
}

/// rac_signal_create() where at most so many values wait at each subscriber as a bound says.
///
///     sent               --1-23--4--|
///     capacity 1, oldest --1----34--|   (1 takes 5 s)
///
/// Values wait that are sent while another one is being delivered; with RAC_BOUND_WAIT and
/// RAC_BOUND_REFUSE those that wait further down count, too. Sends answer as those to a
/// rac_subject_create_bounded() do, and RAC_EDONE as soon as the subscription has ended or was
/// disposed, also when they have begun to wait. The callback itself may wait where rac_subscribe()
/// calls it; where it runs in a job of a scheduler it is inside a callback.
///
/// - Parameter bound: borrowed, retained. NULL, and RAC_BOUND_NONE: without a bound.
/// - Parameter context: passed to the callbacks.
/// - Parameter subscribe: as in rac_signal_create().
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND; RAC_EBUSY when the bound
///   is in use elsewhere. Rx: create with a BackpressureStrategy. Since: 0.1
@c public func rac_signal_create_bounded(
  _ bound: CBound?, _ context: CContext?, _ subscribe: rac_subscribe_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  if subscribe == nil {
    Failure.record(Status.null, "subscribe is NULL")
    Failure.leaveNull()
  }
  guard subscribe != nil, Border.isReady(),
    let bound = Border.bound(bound)
  else {
    Border.destroy(context, destroy)
    return nil
  }
  guard let bound else { return rac_signal_create(context, subscribe, destroy) }
  let signal = BoundedSignal(bound, context, subscribe, destroy).named("createSignal:")
  return Border.give(owned: .passRetained(signal))
}
