import CRACShims

/// A signal that sends whenever a descriptor can be read, until it has been read to its end.
///
///     arrives  --a-----bc----|
///     readable --x-----x-----|   (the callback reads what is there)
///
/// Level-triggered: while something is left to read it sends again, but never before its subscriber
/// has returned from the last value. Read on the scheduler given: behind rac_signal_deliver_on() it
/// would send again and again before anybody has read. A listening socket is readable when somebody
/// connects.
///
/// It completes when nothing is left and nothing can come, and fails with what the descriptor fails
/// with.
///
/// - Parameter descriptor: open, to read. A subscription polls a duplicate of it, opened and closed
///   with it: closing yours ends no subscription. Subscribing when the number is another file's
///   fails with EBADF. A file that epoll does not take, such as one on a disk, is always readable.
/// - Parameter ownership: RAC_DESCRIPTOR_LENT: it stays yours; RAC_DESCRIPTOR_OWNED: the library
///   closes it when the signal, all its subscriptions and what goes on below them are gone, and
///   those of others that it was handed over to, or here when there is no signal.
/// - Parameter scheduler: borrowed; sends there, all of it. NULL is the main one. Not the immediate
///   one, nor a virtual one.
/// - Returns: one reference; it sends the number of the descriptor, and fails with errors of domain
///   RAC_SYSTEM_ERROR_DOMAIN, their code an errno. NULL with RAC_EINVAL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_readable(
  _ descriptor: CInt, _ ownership: Int32, _ scheduler: CScheduler?
) -> CSignal? {
  Border.source(descriptor, ownership, scheduler, "rac_signal_readable") {
    file, _ in ReadinessReader(file, isWriting: false)
  }
}

/// A signal that sends whenever a descriptor can be written, until it has no reader any more.
///
///     room     --x--------x----#
///     writable --xxxx-----xx---#   (until the callback has filled it)
///
/// As rac_signal_readable(), it sends again after each value as long as there is room: dispose it
/// when there is nothing to write, or wait for one value with rac_signal_take(). After a connect()
/// that is under way the first value says that it has succeeded, and an error why it has not.
///
/// - Parameter descriptor: open, to write. As for rac_signal_readable().
/// - Parameter ownership: RAC_DESCRIPTOR_LENT or RAC_DESCRIPTOR_OWNED, as for
///   rac_signal_readable().
/// - Parameter scheduler: borrowed; sends there. NULL is the main one. Not the immediate one, nor a
///   virtual one.
/// - Returns: one reference; it sends the number of the descriptor, and fails with errors of domain
///   RAC_SYSTEM_ERROR_DOMAIN: EPIPE when it has no reader any more, ECONNRESET when the other side
///   of a connection has thrown away written bytes. NULL with RAC_EINVAL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_writable(
  _ descriptor: CInt, _ ownership: Int32, _ scheduler: CScheduler?
) -> CSignal? {
  Border.source(descriptor, ownership, scheduler, isWriting: true, "rac_signal_writable") {
    file, _ in ReadinessReader(file, isWriting: true)
  }
}

private final class ReadinessReader: DescriptorReader {
  private let isWriting: Bool

  init(_ file: Object?, isWriting: Bool) {
    self.isWriting = isWriting
    super.init(file)
  }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    let readiness = rac_platform_readiness(descriptor, isWriting)
    if readiness < 0 { return source.end(0 &- readiness) }
    if readiness == Int32(RAC_PLATFORM_OVER) { return source.complete() }
    if readiness != 0 { _ = source.send(.int64(Int64(file.number))) }
    return .waits
  }
}
