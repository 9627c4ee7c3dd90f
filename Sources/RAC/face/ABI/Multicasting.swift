/// A connection through a plain subject.
///
/// - Parameter source: borrowed.
/// - Returns: one reference, not connected yet; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -publish. Rx: publish. Since: 0.1
@c public func rac_signal_publish(_ source: CSignal?) -> CConnection? {
  Border.use(source, .signals, as: Signal.self) { source in
    Border.give(.connection) { source.publish() }
  }
}

/// A connection through a subject of yours.
///
/// - Parameter source: borrowed.
/// - Parameter subject: borrowed, retained.
/// - Returns: one reference, not connected yet; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND, or
///   RAC_EINVAL for a subject and itself. RAC: -multicast:. Rx: multicast. Since: 0.1
@c public func rac_signal_multicast(_ source: CSignal?, _ subject: CSubject?) -> CConnection? {
  Border.use(source, .signals, as: Signal.self) { source in
    Border.use(subject, .subjects, as: Subject.self) { subject in
      if subject === source {
        return Border.fail(Status.invalid, "a subject cannot subscribe to itself")
      }
      return Border.give(.connection) { source.multicast(subject) }
    }
  }
}

/// The signal of a connection: the subject it sends through.
///
/// - Parameter connection: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -signal. Since: 0.1
@c public func rac_connection_signal(_ connection: CConnection?) -> CSignal? {
  withConnection(connection) { connection in
    Border.give { connection.subject }
  }
}

/// Subscribes to the source, the first time it is called, from whichever thread.
///
/// - Parameter connection: borrowed.
/// - Returns: one reference to the disposable of the one subscription, the same handle for all
///   callers as long as one of them has it; once it is disposed the connection is never made again.
///   NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND or RAC_ENOMEM. RAC: -connect. Rx: connect. Since:
///   0.1
@c public func rac_connection_connect(_ connection: CConnection?) -> CDisposable? {
  withConnection(connection) { Border.isReady() ? Border.given($0.makeConnectedHandle()) : nil }
}

/// A signal that connects with its first subscriber and disconnects, for good, with its last.
///
/// - Parameter connection: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -autoconnect.
///   Rx: refCount. Since: 0.1
@c public func rac_connection_autoconnect(_ connection: CConnection?) -> CSignal? {
  withConnection(connection) { connection in
    Border.give { connection.autoconnect() }
  }
}

/// Subscribes to the source now and replays everything to every subscriber.
///
///     source       --1--2--3------|
///     subscriber A --1--2--3------|
///     subscriber B          (123)-|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -replay. Since: 0.1
@c public func rac_signal_replay(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.replay() }
}

/// Subscribes to the source now and replays the latest value, and the end, to every subscriber.
///
///     source       --1--2--3--|
///     subscriber A --1--2--3--|
///     subscriber B       2-3--|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -replayLast. Since:
///   0.1
@c public func rac_signal_replay_last(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.replay(capacity: 1) }
}

/// Subscribes to the source with the first subscriber and replays everything to every subscriber.
/// Never disconnects.
///
///     source          --1--2--3------|
///     subscriber A    --1--2--3------|   (subscribes to the source)
///     subscriber B             (123)-|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -replayLazily.
///   Rx: shareReplay. Since: 0.1
@c public func rac_signal_replay_lazily(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.replayLazily() }
}

private func withConnection(
  _ connection: CConnection?, _ function: StaticString = #function,
  _ body: (Connection) -> OpaquePointer?
) -> OpaquePointer? {
  Border.use(connection, .connection, as: Connection.self, function, body)
}
