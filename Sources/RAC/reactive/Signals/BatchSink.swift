import Synchronization

/// The bottom of a subscription that takes its values many at a time. Above the sink with the
/// user's other callbacks, which it gives what has gathered before an end goes on.
///
/// Without a time limit it is the whole of the subscription: its source sees to it that events do
/// not overlap.
final class BatchSink: Stage {
  private let observer: rac_batch_observer
  private var batch: Batch
  /// As in CallbackSink.
  private let hasReturned = Atomic<Bool>(false)

  /// A batch has at most `limit` values, and at least one may wait.
  init(_ observer: rac_batch_observer, limit: Int) {
    self.observer = observer
    let form: Batch.Form =
      observer.next_int64s != nil ? .int64s : observer.next_doubles != nil ? .doubles : .values
    batch = Batch(form, limit: limit)
    super.init(
      CallbackSink.make(
        rac_observer(
          size: MemoryLayout<rac_observer>.size, context: observer.context, next: nil,
          error: observer.error, completed: observer.completed, destroy: observer.destroy)))
  }

  /// By what an error is reported that the observer does not handle.
  var name: SignalName?
  /// How many wait.
  var count: Int { batch.count }
  /// Set when a batch was delivered.
  @exclusivity(unchecked) fileprivate var hasDelivered = false
  var limit: Int { batch.limit }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    if !batch.appendQuickly(value) { gather(value) }
  }

  private func gather(_ value: Value) {
    let status = batch.append(value)
    if status != Status.ok { return refuse(status) }
    if batch.isFull { flush() }
  }

  /// Gives numbers to a sink that gathers them, or one with a filter above, inside the gate of
  /// their source, until somebody comes to that meanwhile. How many it has taken: none when it
  /// gathers something else, or nothing, or has to hear each by itself.
  @inline(__always)
  static func hand(_ numbers: Numbers, to sink: Unmanaged<Sink>, _ gate: Gate) -> Int {
    if sink._withUnsafeGuaranteedRef({ $0 is BatchSink }) {
      let batches = Unmanaged<BatchSink>.fromOpaque(sink.toOpaque())
      return batches._withUnsafeGuaranteedRef { $0.take(numbers, nil, gate, gate) }
    }
    return sink._withUnsafeGuaranteedRef { hand(numbers, from: $0, gate) }
  }

  /// The same where somebody stands between.
  @inline(never)
  private static func hand(_ numbers: Numbers, from sink: Sink, _ gate: Gate) -> Int {
    let filter = sink as? BulkFilter
    let gathering = filter?.below.takeUnretainedValue() ?? sink
    if let batches = gathering as? BatchSink { return batches.take(numbers, filter, gate, gate) }
    guard let input = gathering as? Input, let timer = input.core as? BatchTimer else { return 0 }
    return timer.take(numbers, filter, input, gate)
  }

  /// The same until somebody comes to either gate. Those that make a whole batch are not copied.
  fileprivate func take(_ all: Numbers, _ filter: BulkFilter?, _ gate: Gate, _ own: Gate) -> Int {
    guard all.form == batch.form else { return 0 }
    var numbers = all
    while numbers.count > 0 && scope.isActive {
      var many = min(batch.room, numbers.count)
      if let filter {
        many = batch.append(numbers, through: filter)
        if many == 0 { break }
      } else if many == batch.limit {
        call(numbers.first, many)
        hasReturned.store(true, ordering: .releasing)
      } else if !batch.append(numbers, many) {
        break
      }
      if batch.isFull { flush() }
      numbers.drop(many)
      if gate.isDisturbed || own.isDisturbed { break }
    }
    return all.count &- numbers.count
  }

  // The first value is heard first: gathering does not change what a subscriber hears.
  override func error(_ error: Value) {
    flush()
    if observer.error != nil { return downstream.error(error) }
    unsafeDowncast(downstream, to: CallbackSink.self).report(error, of: name)
  }

  override func completed() {
    flush()
    downstream.completed()
  }

  /// Delivers what has gathered, if there is any; nothing after disposal.
  func flush() {
    let count = batch.restart()
    guard count > 0 else { return }
    if scope.isActive, let memory = batch.memory {
      call(memory, count)
      hasReturned.store(true, ordering: .releasing)
    }
    batch.release(count)
  }

  @inline(__always)
  private func call(_ memory: UnsafeRawPointer, _ count: Int) {
    hasDelivered = true
    if let next = observer.next_int64s {
      next(observer.context, memory.assumingMemoryBound(to: Int64.self), count)
    } else if let next = observer.next_doubles {
      next(observer.context, memory.assumingMemoryBound(to: Double.self), count)
    } else {
      observer.next_values?(observer.context, memory.assumingMemoryBound(to: Value.self), count)
    }
  }

  private func refuse(_ status: rac_status) {
    let error = Value.error(
      "rac", status,
      status == Status.kind
        ? "a value is not of the kind of the array" : "not enough memory to gather values")
    self.error(error)
    error.release()
  }

  deinit {
    _ = hasReturned.load(ordering: .acquiring)
    batch.release(batch.restart())
    batch.deallocate()
  }
}

/// Delivers a batch that is not full some time after its first value has come.
private final class BatchTimer: CombiningCore {
  private let batches: BatchSink
  private let interval: Int64
  private var scheduler: ArrivalScheduler
  private var timer: SubmitJob?
  /// Tells a timer that fired while its batch was being delivered from the one that is meant.
  private var generation: Int64 = 0

  init(_ batches: BatchSink, _ interval: Int64, _ scheduler: Scheduler?) {
    self.batches = batches
    self.interval = interval
    self.scheduler = ArrivalScheduler(scheduler)
    super.init(batches)
  }

  override func next(_ input: Input?, _ value: Value) {
    batches.next(value)
    if batches.count == 0 {
      stop()
    } else if timer == nil {
      start()
    }
  }

  /// Numbers that arrive together; see BatchSink.hand.
  func take(_ numbers: Numbers, _ filter: BulkFilter?, _ input: Input, _ source: Gate) -> Int {
    guard input.scope.isActive, let hold = gate.enter() else { return 0 }
    batches.hasDelivered = false
    // Where the sender sleeps for each value it comes alone.
    let taken = hasEnded || scheduler.sleeps ? 0 : batches.take(numbers, filter, source, gate)
    if taken > 0 {
      if batches.hasDelivered { stop() }
      if batches.count > 0 && timer == nil { start() }
    }
    hold.leave(self)
    return taken
  }

  override func fire(_ value: Value) {
    guard value.bits == generation else { return }
    stop()
    Scheduler.deliversTogether(batches.count)
    batches.flush()
  }

  override func completed(_ input: Input?) {
    stop()
    endCompleted()
  }

  private func start() {
    let job = SubmitJob(self, .fire, .int64(generation))
    timer = job
    scheduler.here().schedule(job, after: interval, in: downstream.scope)
  }

  private func stop() {
    generation &+= 1
    timer.take()?.dispose()
  }
}

extension Signal {
  /// Subscribes a sink that gathers; nanoseconds after its first value a batch is delivered that is
  /// not full. nil: it waits.
  func subscribe(_ batches: BatchSink, within interval: Int64?, on scheduler: Scheduler?) {
    if let interval, batches.limit > 1 {
      subscribe(Input.only(BatchTimer(batches, interval, scheduler)))
    } else {
      subscribe(batches)
    }
  }
}
