import CRAC

extension SignalProtocol {
  /// Observes the source once, now, and sends everything it sent to whoever observes, however late.
  ///
  ///     source  --1--2--3------|
  ///     A       --1--2--3------|
  ///     B                (123)-|
  ///
  /// RAC: -replay.
  public func replay() -> Signal<Value> {
    derive { source in startingHere { rac_signal_replay(source) } }
  }

  /// Observes the source once, now, and sends its latest value to whoever observes, then what
  /// comes.
  ///
  ///     source  --1--2--3--|
  ///     A       --1--2--3--|
  ///     B             2-3--|   (came later)
  ///
  /// RAC: -replayLast.
  public func replayLast() -> Signal<Value> {
    derive { source in startingHere { rac_signal_replay_last(source) } }
  }

  /// `replay` that observes the source when somebody observes it first.
  ///
  ///     source  --1--2--3------|
  ///     A       --1--2--3------|   (observes the source)
  ///     B                (123)-|
  ///
  /// RAC: -replayLazily. Rx: shareReplay.
  public func replayLazily() -> Signal<Value> { derive { rac_signal_replay_lazily($0) } }

  /// Observes the source once for all who observe at a time; the last who stops stops that, and the
  /// next one begins anew.
  ///
  ///     source  --1--2--3--|
  ///     A       --1--2--3--|   (observes the source)
  ///     B             --3--|
  ///
  /// Rx: share.
  public func share() -> Signal<Value> { derive { rac_signal_share($0) } }

  /// `share` that sends the last values to whoever comes later.
  ///
  ///     source          --1--2--3--|
  ///     A               --1--2--3--|
  ///     B, replaying 1        2-3--|
  ///     C, replaying 1              (3|)
  ///
  /// - Parameters:
  ///   - count: how many values.
  ///   - age: how old one may be, less than this; nil is any age.
  ///   - scheduler: whose clock it is; nil is that on which it is observed.
  ///
  /// Rx: shareReplay with refCount.
  public func share(
    replaying count: Int, noOlderThan age: Duration? = nil, on scheduler: Scheduler? = nil
  ) -> Signal<Value> {
    derive(on: scheduler) {
      rac_signal_share_replay($0, notNegative(count), age?.seconds ?? .infinity, $1)
    }
  }

  /// A connection: its signal sends what the source sends once it is connected.
  ///
  /// RAC: -publish.
  public func publish() -> Connection<Value> {
    let source = signal
    return withExtendedLifetime(source) {
      Connection(adopting: rac_signal_publish(source.pointer))
    }
  }

  /// A connection that sends through a subject: one with a memory replays.
  ///
  /// RAC: -multicast:.
  public func multicast(_ subject: Subject<Value>) -> Connection<Value> {
    let source = signal
    return withExtendedLifetime((source, subject)) {
      Connection(adopting: rac_signal_multicast(source.pointer, subject.pointer))
    }
  }
}
