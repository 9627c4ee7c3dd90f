import CRACShims

/// Writes the texts and bytes of a signal to a descriptor, in order, and sends how many bytes are
/// out.
///
///     source --ab--c------|
///     write  ----2--3-------|   (so many bytes in all)
///
/// Values that the descriptor does not take yet wait here, and several of them go out with one
/// call. A tuple is written element by element. It completes when the source has completed and all
/// is out; an error of the source's comes behind what was sent before it. It fails with the errno
/// of the system's, EPIPE where nobody reads any more, ENOSPC on a full disk: then the source is
/// disposed, and what waits is dropped, as with a disposal. No SIGPIPE comes of it. It fails with
/// RAC_EKIND, of domain "rac", when a value is no text, behind what was sent before that.
///
/// - Parameter texts: borrowed; strings, bytes, and tuples of these.
/// - Parameter descriptor: open, to write. A subscription writes to a duplicate of it, opened and
///   closed with it: closing yours ends no subscription. Subscribing when the number is another
///   file's fails with EBADF. Its O_NONBLOCK is left as it is. To a socket of datagrams each value
///   is one; where that has no peer, each is a tuple: the text or bytes, and the address, text
///   in numbers, as of rac_signal_datagrams(). One that cannot be delivered there is lost; another
///   text in place of an address is RAC_EINVAL. A worker writes to a file on a disk, since that may
///   take its time.
/// - Parameter ownership: RAC_DESCRIPTOR_LENT: it stays yours; RAC_DESCRIPTOR_OWNED: the library
///   closes it when this signal, all its subscriptions and all others that it was handed to are
///   gone, or here when there is no signal; and when all is out, the other side of a connection
///   reads the end, while its answers can still be read here.
/// - Parameter bound: borrowed, retained; its capacity counts bytes. There is room as long as fewer
///   wait, and then for a whole value. NULL, and RAC_BOUND_NONE: without a bound. RAC_BOUND_WAIT
///   and RAC_BOUND_REFUSE hold back as they do for rac_signal_deliver_on_bounded().
/// - Parameter scheduler: borrowed; writes and sends there. NULL is the main one. Not the immediate
///   one, nor a virtual one.
/// - Returns: one reference; it sends int64, and fails with errors of domain
///   RAC_SYSTEM_ERROR_DOMAIN if not said otherwise. NULL with RAC_ENULL, RAC_EINVAL, RAC_ESTALE or
///   RAC_EKIND; RAC_EBUSY when the bound is in use elsewhere.
///
/// Since: 0.1
@c public func rac_signal_write(
  _ texts: CSignal?, _ descriptor: CInt, _ ownership: Int32, _ bound: CBound?,
  _ scheduler: CScheduler?
) -> CSignal? {
  guard let file = Border.descriptor(descriptor, ownership, isWriting: true, "rac_signal_write"),
    let home = Border.home(scheduler, "rac_signal_write"), !Border.isBrokenChain(texts)
  else { return nil }
  let kind = rac_platform_writing(file.number)
  if kind != UInt32(RAC_WRITING_DISK) || home is BackgroundScheduler {
    return Border.derive(texts, below: bound) { $0.written(to: file, kind, $1, home) }
  }
  guard WorkerPool.shared.start() || Border.refuseThread("rac_signal_write") else { return nil }
  let worker = BackgroundScheduler(priority: 0, name: nil)
  return Border.derive(texts, below: bound) {
    $0.written(to: file, kind, $1, worker).deliverOn(home)
  }
}

extension Signal {
  /// `isPipe`: to another program. When that reads no more the signal completes.
  func written(
    to file: Descriptor, _ kind: UInt32, _ bound: Bound?, _ scheduler: Scheduler,
    isPipe: Bool = false, _ function: StaticString = "rac_signal_write"
  ) -> Signal {
    lift("write:") { sink in
      guard sink.scope.isActive else { return nil }
      let queue = BoundedQueue(
        bound ?? Bound(.max, .dropNewest), isInBytes: true, isIdle: false)
      let job = Source(function, Writer(file, kind, queue, isPipe), sink, scheduler)
      job.isWriting = true
      let top = WritingSink(job, queue, kind, sink.scope)
      job.open(in: sink.scope)
      return top
    }
  }
}

/// The source's side.
private final class WritingSink: QueueingSink {
  private let job: Source
  private let kind: UInt32
  private let subscription: Scope

  init(_ job: Source, _ queue: BoundedQueue, _ kind: UInt32, _ subscription: Scope) {
    self.job = job
    self.kind = kind
    self.subscription = subscription
    // Of its own: the source is disposed when it ends, not when all is out.
    super.init(queue, scope: Scope())
    // The scope disposes the latest link first: a waiting sender hears that no subscriber is there,
    // not that there is room.
    subscription.add(queue)
    subscription.add(scope)
  }

  override func keeps(_ object: Object, toTheEnd: Bool) -> Bool {
    if toTheEnd { return super.keeps(object, toTheEnd: true) }
    job.contextsAbove = object
    return true
  }

  override func wake() { job.scheduler.schedule(job) }

  override func next(_ value: Value) {
    if kind == UInt32(RAC_WRITING_ADDRESSED) { return send(value) }
    if value.kind != Value.Kind.tuple { return write(value) }
    for element in value.elements { write(element) }
  }

  private func write(_ value: Value) {
    if value.isText {
      super.next(value)
    } else {
      refuse(Status.kind, "a value to write is no text", at: value)
    }
  }

  private func send(_ datagram: Value) {
    switch DatagramAddress.join(datagram) {
    case .sound(let joined):
      super.next(joined)
      joined.release()
    case .noTuple: refuse(Status.kind, "a datagram is no text with an address", at: datagram)
    case .noAddress: refuse(Status.invalid, "the address is not in numbers", at: datagram)
    case .noMemory: failWithoutMemory()
    }
  }

  deinit {
    subscription.remove(scope)
    // A disposal has let go of everything.
    if subscription.isActive { end(.close) }
  }
}

/// Writes what waits in a queue. Its turns begin when the descriptor has room for the first time;
/// then whoever puts something into the empty queue asks for them.
private final class Writer: DescriptorReader {
  /// In one call.
  private static let mostPieces = 64
  private static let mostBytes = 65_536

  private let queue: BoundedQueue
  private let kind: UInt32
  private let isPipe: Bool
  /// The values that are being written, and how much of the first one is out.
  private var pieces = ValueLine()
  private var offset = 0
  /// The event behind them.
  private var ending: BoundedQueue.Event?
  private var total: Int64 = 0

  init(_ file: Descriptor, _ kind: UInt32, _ queue: BoundedQueue, _ isPipe: Bool) {
    self.kind = kind
    self.isPipe = isPipe
    self.queue = queue
    super.init(file)
  }

  deinit { ending?.value.release() }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    while true {
      if pieces.count == 0 { gather() }
      if pieces.count == 0 {
        if let ending = ending.take() { return end(ending, descriptor, source) }
        if queue.rests { return .isIdle }
        continue
      }
      let written = write(descriptor)
      if isPipe && written == -Int64(RAC_SHIM_BROKEN_PIPE) { return source.complete() }
      if written < 0 { return source.stopped(written) }
      total &+= written
      if !source.send(.int64(total)) { return .waits }
      if source.sent == limit { return .hasMore }
    }
  }

  /// Takes out what goes with one call.
  private func gather() {
    var left = ending == nil ? min(queue.waiting, Writer.mostPieces) : 0
    var size = 0
    while left > 0, size < Writer.mostBytes, let event = queue.take() {
      left &-= 1
      if event.operation != .next {
        ending = event
        return
      }
      size &+= Int(event.value.length)
      pieces.append(event.value)
    }
  }

  /// How many bytes, or an errno with its sign turned.
  private func write(_ descriptor: Int32) -> Int64 {
    if kind == UInt32(RAC_WRITING_ADDRESSED) {
      let sent = DatagramAddress.send(pieces[0].bytes, by: descriptor)
      if sent >= 0 { pieces.dropFirst(1) }
      return sent
    }
    let count = kind == UInt32(RAC_WRITING_DATAGRAMS) ? 1 : pieces.count
    let written = withUnsafeTemporaryAllocation(of: rac_piece.self, capacity: 64) { list in
      var index = 0
      while index < count {
        let bytes = pieces[index].bytes
        list[index] = rac_piece(start: bytes.baseAddress, length: bytes.count)
        index &+= 1
      }
      if let start = list[0].start {
        list[0] = rac_piece(start: start + offset, length: list[0].length &- offset)
      }
      return rac_platform_write(
        descriptor, list.baseAddress, Int32(truncatingIfNeeded: count), kind)
    }
    if written < 0 { return written }
    offset &+= Int(written)
    while pieces.count > 0, offset >= Int(pieces[0].length) {
      offset &-= Int(pieces[0].length)
      pieces.dropFirst(1)
      if kind == UInt32(RAC_WRITING_DATAGRAMS) { break }
    }
    return written
  }

  private func end(
    _ event: BoundedQueue.Event, _ descriptor: Int32, _ source: Source
  ) -> PolledJob.Turn {
    switch event.operation {
    case .error: return source.end(with: event.value)
    case .completed:
      // A socket without a peer is read on.
      if file.isOwned, kind != UInt32(RAC_WRITING_ADDRESSED) {
        rac_platform_end_writing(descriptor)
      }
      return source.complete()
    default: return source.letGo()
    }
  }
}
