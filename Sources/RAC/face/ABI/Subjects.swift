import CRACShims

/// A subject without a memory.
///
/// An end reaches the current subscribers; later ones hear later values, as in RAC. When the last
/// reference goes, the subscriptions are let go without an event.
///
/// - Returns: one reference. RAC: +subject. Rx: Subject. Since: 0.1
@c public func rac_subject_create() -> CSubject? {
  giveSubject { Subject().named("subject") }
}

/// A subject that sends its current value to each new subscriber, also after its end (which it does
/// not repeat).
///
/// - Parameter value: borrowed; the first current value.
/// - Returns: one reference; NULL with RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: +behaviorSubjectWithDefaultValue:. Rx: BehaviorSubject. Since: 0.1
@c public func rac_behavior_subject_create(_ value: rac_value) -> CSubject? {
  Border.take(value, otherwise: Border.none) { value in
    giveSubject { BehaviorSubject(value).named("behaviorSubject") }
  }
}

/// A subject that replays its last values, and its end, to each new subscriber.
///
/// - Parameter capacity: how many values; 0 replays only the end; RAC_REPLAY_UNLIMITED keeps all.
/// - Returns: one reference. RAC: +replaySubjectWithCapacity:. Rx: ReplaySubject.
///   Since: 0.1
@c public func rac_replay_subject_create(_ capacity: CSize) -> CSubject? {
  giveSubject { ReplaySubject(capacity: Border.count(capacity)).named("replaySubject") }
}

/// Sends a value to all subscribers.
///
/// - Parameter subject: borrowed.
/// - Parameter value: borrowed.
/// - Returns: RAC_OK when it was delivered; RAC_QUEUED when others are delivering, or this thread's
///   stack is too short, and it comes in its turn, perhaps on a thread of the library and after
///   this thread has gone on; RAC_ENULL, RAC_ESTALE, RAC_EKIND, RAC_EUTF8, RAC_ENOMEM. Either says
///   nothing of operators below that another thread is in, or that have a scheduler: there it waits
///   in its turn, too. May block, with RAC_BOUND_WAIT. Any thread, also inside a callback. RAC:
///   -sendNext:. Since: 0.1
@discardableResult
@c public func rac_subject_send(_ subject: CSubject?, _ value: rac_value) -> rac_status {
  Sending.next(subject, value, .subject)
}

/// Sends an error to all subscribers, which ends their subscriptions.
///
/// - Parameter subject: borrowed.
/// - Parameter error: borrowed; an error or nil.
/// - Returns: as rac_subject_send(). RAC: -sendError:. Since: 0.1
@discardableResult
@c public func rac_subject_send_error(_ subject: CSubject?, _ error: rac_value) -> rac_status {
  Border.takeError(error, otherwise: { $0 }) { Sending.end(subject, .subjects, .error, $0) }
}

/// Completes all subscriptions.
///
/// - Parameter subject: borrowed.
/// - Returns: as rac_subject_send(). RAC: -sendCompleted. Since: 0.1
@discardableResult
@c public func rac_subject_send_completed(_ subject: CSubject?) -> rac_status {
  Sending.end(subject, .subjects, .completed, .null)
}

/// The subject as a signal, for functions that take one.
///
/// - Parameter subject: borrowed.
/// - Returns: lent: the same handle, valid as long as the subject's; retaining it is retaining the
///   subject. NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Since: 0.1
@c public func rac_subject_as_signal(_ subject: CSubject?) -> CSignal? {
  Border.same(subject, .subjects)
}

/// The subject as a subscriber, for functions that take one.
///
/// - Parameter subject: borrowed.
/// - Returns: lent: the same handle, valid as long as the subject's; retaining it is retaining the
///   subject. NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Since: 0.1
@c public func rac_subject_as_subscriber(_ subject: CSubject?) -> CSubscriber? {
  Border.same(subject, .subjects)
}

/// How many subscribers a subject has.
///
/// - Parameter subject: borrowed.
/// - Returns: a count, which other threads may change at any time; 0 with RAC_ENULL, RAC_ESTALE or
///   RAC_EKIND. Since: 0.1
@c public func rac_subject_subscriber_count(_ subject: CSubject?) -> CSize {
  Border.use(
    subject, .subjects, as: Subject.self, otherwise: { _ in 0 },
    { $0.core.subscriberCount })
}

/// The key of a group that rac_signal_group_by() made, lent.
///
/// - Parameter signal: borrowed.
/// - Parameter out: gets the key, lent, valid as long as the signal.
/// - Returns: RAC_OK; RAC_EKIND for a signal that is no group; RAC_ENULL, RAC_ESTALE.
///   RAC: RACGroupedSignal's key. Since: 0.1
@discardableResult
@c public func rac_signal_get_key(_ signal: CSignal?, _ out: COut<rac_value>?) -> rac_status {
  Border.check(signal, .grouped, as: GroupedSubject.self) {
    guard let out else { return Failure.record(Status.null, "out is NULL") }
    out.pointee = $0.key
    return Status.ok
  }
}

/// The handle lies in the subject's gate, so that a send takes one step less.
private func giveSubject(_ function: StaticString = #function, _ make: () -> Subject) -> CSubject? {
  guard Border.isReady(function) else { return nil }
  let subject = make()
  let gate = subject.core.gate
  // The slow way in, where sends are events.
  let isSlow = rac_recording_is_on() && rac_recording_is_wanted()
  return Border.given(
    Handles.makeFirst(
      owned: .passRetained(consume subject), isSlow ? .boundedSubject : .subject, at: gate))
}
