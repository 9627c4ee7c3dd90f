/// One subscription to the source for all subscribers: begun with the first of them, disposed with
/// the last, and begun anew with the next.
///
///     source       --1--2--3--|
///     subscriber A --1--2--3--|   (subscribes to the source)
///     subscriber B       --3--|
///
/// After the source has ended, a new subscriber subscribes to it again, where
/// rac_connection_autoconnect() is done for good. An end begins the next round before anybody hears
/// it, so that rac_signal_retry() and rac_signal_repeat() below may stand below this. A source in
/// which nobody can send any more, such as rac_signal_never(), is over as well: its subscribers are
/// let go, and the next one subscribes again.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: share, refCount. Since: 0.1
@c public func rac_signal_share(_ source: CSignal?) -> CSignal? {
  Border.derive(source) {
    let memory = Memory(capacity: 0, lifetime: nil, keepsCompletion: false)
    return SharedSignal($0, memory).named("share", $0)
  }
}

/// rac_signal_share() that replays the latest values to later subscribers: so many, and none that
/// is older than so long.
///
///     source       --1--2--3--|
///     subscriber A --1--2--3--|   (subscribes to the source)
///     subscriber B       2-3--|   (1 value)
///     subscriber C             (3|)
///
/// A completion is kept, with the values that are not too old: a later subscriber hears those, and
/// the source is not subscribed to again. An error is not kept, nor are values once the last
/// subscriber has gone before the end: a later subscriber subscribes to the source again.
/// rac_signal_replay_lazily() never disconnects.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many values at most; SIZE_MAX for all.
/// - Parameter seconds: how old one may be, less than this; INFINITY for any age.
/// - Parameter scheduler: borrowed, retained; whose clock it is. NULL: that of the one which is
///   current when a value or a subscriber comes. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: shareReplay with refCount. Since: 0.1
@c public func rac_signal_share_replay(
  _ source: CSignal?, _ count: CSize, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  Border.derive(source, seconds, scheduler) {
    let lifetime = $1.isEndless ? nil : $1
    let memory = Memory(
      capacity: Border.count(count), lifetime: lifetime, keepsCompletion: true)
    return SharedSignal($0, memory).named("shareReplay:", $0)
  }
}

/// The memory of a round. It has the end in any case, for subscribers that come just then.
private struct Memory {
  let capacity: Int
  let lifetime: Timing?
  let keepsCompletion: Bool

  /// Joined at once, on any thread, so that no subscriber misses the values that come meanwhile.
  func makeSubject() -> Subject {
    if capacity == 0 { return Subject(core: EndKeepingCore()) }
    return Subject(
      core: ReplayCore(
        capacity: capacity, lifetime: lifetime, initial: nil, replaysEnd: true))
  }
}

private final class SharedSignal: Signal {
  private let source: Signal
  private let sharing: Sharing

  init(_ source: Signal, _ memory: Memory) {
    self.source = source
    sharing = Sharing(memory)
    super.init(depth: 2)
  }

  // Shared signals in a row are no chain whose length is known.
  deinit {
    if !Stack.hasRoom() { Stack.outlive(source) }
  }

  override func attach(_ sink: Sink) {
    let (round, subject, isNew) = sharing.join()
    subject.subscribe(ShareSink(sharing, round, sink))
    guard isNew else { return }
    let below = SubjectSink(subject, scope: round.subscription)
    source.subscribe(RoundSink(sharing, round, below))
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(source)
    visitor.reference(sharing)
  }
}

/// One subscription to the source. Its listeners keep it, but not its subject, which would keep
/// itself by way of them.
private final class Round: Object {
  let subscription = Scope()
  /// Guarded by the lock of `Sharing`.
  var listeners = 0
}

/// All subscribers share this: the round that is going on. The source is not part of it: only the
/// signal itself subscribes to that again.
private final class Sharing: Object {
  private let memory: Memory
  /// Guards what follows.
  private let lock = Lock()
  private var round: Round?
  private var subject: Subject?
  /// The round has completed, and that is remembered.
  private var isKept = false

  init(_ memory: Memory) { self.memory = memory }

  var keepsCompletion: Bool { memory.keepsCompletion }

  /// The round for one more listener, and whether it has to be begun.
  func join() -> (round: Round, subject: Subject, isNew: Bool) {
    lock.lock()
    defer { lock.unlock() }
    if let round, let subject {
      round.listeners &+= 1
      return (round, subject, false)
    }
    let (round, subject) = (Round(), memory.makeSubject())
    round.listeners = 1
    self.round = round
    self.subject = subject
    return (round, subject, true)
  }

  /// The subject that is forgotten when the round's source goes. Lent.
  func subject(of round: Round) -> UnsafeMutableRawPointer? {
    lock.lock()
    defer { lock.unlock() }
    guard self.round === round, !isKept else { return nil }
    return subject.map { Unmanaged.passUnretained($0).toOpaque() }
  }

  /// The last one turns off the light.
  func leave(_ round: Round) {
    lock.lock()
    round.listeners &-= 1
    lock.unlock()
    if forget(round, ifUnheard: true) != nil {
      // Not close(): the source may be shared, too, and end in here.
      round.subscription.dispose()
    }
  }

  /// The source has completed.
  func complete(_ round: Round) {
    if memory.keepsCompletion {
      lock.locked { isKept = self.round === round }
    } else {
      forget(round)
    }
  }

  /// The next subscriber begins another one, unless this one is kept. The subject is for the caller
  /// to release, outside the lock: with it goes what it remembers, and who still listens where
  /// nobody can send.
  @discardableResult
  func forget(_ round: Round, ifUnheard: Bool = false) -> Subject? {
    lock.lock()
    defer { lock.unlock() }
    guard self.round === round, !isKept, !ifUnheard || round.listeners == 0 else { return nil }
    self.round = nil
    return subject.take()
  }

  override func visit(_ visitor: inout Visitor) { if isKept { visitor.reference(subject) } }
}

/// Counts itself out when it is let go, however that comes about.
private final class ShareSink: Stage {
  private let sharing: Sharing
  private let round: Round

  init(_ sharing: Sharing, _ round: Round, _ downstream: Sink) {
    self.sharing = sharing
    self.round = round
    super.init(downstream)
  }

  deinit { sharing.leave(round) }

  override var sendsAtEnd: Bool { false }

  override func visit(_ visitor: inout Visitor) { visitor.reference(sharing) }
}

/// The subscription of a round to the source.
private final class RoundSink: Stage {
  private let sharing: Sharing
  private let round: Round

  init(_ sharing: Sharing, _ round: Round, _ downstream: SubjectSink) {
    self.sharing = sharing
    self.round = round
    super.init(downstream)
  }

  override func error(_ error: Value) {
    sharing.forget(round)
    downstream.error(error)
  }

  override func completed() {
    sharing.complete(round)
    downstream.completed()
  }

  /// A completion that is kept keeps what it is kept with.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    !sharing.keepsCompletion && downstream.goesAtEnd(withValue: withValue, &visitor)
  }

  deinit { sharing.forget(round) }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(sharing)
    visitor.reference(sharing.subject(of: round))
  }
}
