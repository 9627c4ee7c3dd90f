import CRACShims

/// Reports what passes one stage of a subscription, to the trace hook and to a recording. Put in
/// when the subscription is made, so that one which is made while both are off pays nothing.
final class StageRecorder: Stage {
  private let log: StageLog
  private let node: rac_node
  /// That of the next recorder below, or none at the end of the subscription. Not the recorder,
  /// which may go first.
  private let below: rac_node
  /// Values may wait between the two.
  private let queues: Bool

  init(_ signal: Signal, _ downstream: Sink) {
    let thread = currentThread()
    let known = downstream.recordedBelow
    below = known.node
    queues = known.queues
    node =
      rac_recording_is_on()
      ? StageRecorder.makeNode(of: signal, above: known, thread) : rac_recording_make(thread, nil)
    if known.queues { rac_node_has_queue(known.node) }
    log = StageLog(signal.name, node, below: below.number)
    super.init(downstream)
    log.begin(in: scope)
  }

  private static func makeNode(of signal: Signal, above known: RecordedBelow, _ thread: Thread)
    -> rac_node
  {
    var facts = rac_node_facts()
    facts.kind = UInt8(RAC_NODE_SUBSCRIPTION)
    facts.detail = signal.recordedIdentity
    facts.below = known.node.number
    facts.target = known.target
    facts.source = signal.recordedNode().number
    facts.name = SignalName.record(signal.name)
    let operation = signal.operation.map { rac_recording_operation($0) } ?? 0
    // One that another subscription has made is where that is.
    let isFirst = known.node.number == 0
    let text = isFirst ? Diagnostics.shared.locate() : 0
    facts.place = rac_recording_place(thread, operation, text, isFirst ? nil : known.node.slot)
    return rac_recording_make(thread, &facts)
  }

  override var recordedBelow: RecordedBelow {
    RecordedBelow(node: node)
  }

  override var sendsAtEnd: Bool { false }

  override func next(_ value: Value) {
    if rac_node_count(node) { rac_node_dequeues(node) }
    let thread = currentThread()
    if queues { rac_node_queues(thread, below) }
    let losses = thread.pointee.recorded_losses
    pass(RAC_RECORDED_NEXT, RAC_TRACE_NEXT, value, thread) { downstream.next(value) }
    let lost = thread.pointee.recorded_losses &- losses
    if lost != 0 { lose(lost, thread) }
  }

  /// A place below had no room. Values that gave way do not wait any more.
  @inline(never)
  private func lose(_ count: UInt32, _ thread: Thread) {
    let place = below.number == 0 ? node : below
    rac_node_loses(thread, place, count, thread.pointee.recorded_policy)
    log.report(RAC_TRACE_LOST, .int64(Int64(count)))
    var left = queues ? count : 0
    while left > 0 {
      rac_node_dequeues(place)
      left &-= 1
    }
  }

  override func error(_ error: Value) {
    guard log.end(RAC_NODE_FAILED) else { return downstream.error(error) }
    pass(RAC_RECORDED_ERROR, RAC_TRACE_ERROR, error, currentThread()) { downstream.error(error) }
  }

  override func completed() {
    guard log.end(RAC_NODE_COMPLETED) else { return downstream.completed() }
    pass(RAC_RECORDED_COMPLETED, RAC_TRACE_COMPLETED, .null, currentThread()) {
      downstream.completed()
    }
  }

  /// Writes the event down, and has what is below hear it as something that this node has caused.
  @inline(__always)
  private func pass(
    _ kind: Int, _ type: Int32, _ value: Value, _ thread: Thread, _ deliver: () -> Void
  ) {
    let start = rac_recording_is_wanted() ? write(kind, value, thread) : 0
    if Diagnostics.shared.isTracing { log.report(type, value) }
    let cause = thread.pointee.recorded_node
    thread.pointee.recorded_node = node.number
    thread.pointee.recorded_depth = thread.pointee.recorded_depth &+ 1
    deliver()
    thread.pointee.recorded_depth = thread.pointee.recorded_depth &- 1
    thread.pointee.recorded_node = cause
    // Where the user's code is: elsewhere this would be counted for each stage.
    if start != 0, below.number == 0 || cause == 0 { time(since: start, thread) }
  }

  /// The ticks of the processor at which it begins.
  @inline(__always)
  private func write(_ kind: Int, _ value: Value, _ thread: Thread) -> UInt64 {
    let kind = UInt8(truncatingIfNeeded: kind)
    if value.kind > Value.Kind.double { return value.record(kind, node.number, thread) }
    return rac_recording_value(
      thread, kind, node.number, value.kind, 0, UInt64(bitPattern: value.bits), nil)
  }

  /// Notes how long the call below has taken, if that was long.
  private func time(since start: UInt64, _ thread: Thread) {
    let time = rac_recording_time_of_ticks(rac_recording_ticks() &- start)
    guard time > 1_000_000 else { return }
    rac_node_takes(node, time)
    if rac_recording_is_wanted() {
      rac_recording_event(
        thread, UInt8(RAC_RECORDED_SLOW), node.number, 0, UInt64(bitPattern: time))
    }
  }

  /// The last reference to the subscriber that sends into the sink has gone without an end.
  static func senderGone(_ sink: Unmanaged<Sink>?) {
    guard rac_stages_are_watched() else { return }
    sink?._withUnsafeGuaranteedRef { ($0 as? StageRecorder)?.senderGone() }
  }

  private func senderGone() {
    rac_node_mark(node, UInt8(RAC_NODE_UNSENT))
    log.note(RAC_RECORDED_SENDER_GONE)
    log.report(RAC_TRACE_DROPPED, .null)
  }

  deinit { log.leave() }
}

/// The stage below a place in a running subscription, as a recording has it.
struct RecordedBelow {
  /// Of the next stage; 0: there is none.
  var node = rac_node()
  /// The node of what the subscription ends in.
  var target: UInt32 = 0
  /// Values may wait on their way there.
  var queues = false
}

extension Sink {
  /// The same of a sink behind a place where values wait.
  final var recordedBehindQueue: RecordedBelow {
    var known = recordedBelow
    known.queues = true
    return known
  }
}

extension Signal {
  /// Its own node, where it is a subject or its like; made when somebody first asks. `place`: where
  /// the signal itself is made, which is now.
  @inline(never)
  final func recordedNode(at place: UInt32 = 0) -> rac_node {
    let (kind, detail) = nodeKind
    guard kind != 0, rac_recording_is_on() else { return rac_node() }
    let known = latestNode
    if known.number != 0, rac_node_has_slot(known) { return known }
    var facts = rac_node_facts()
    facts.kind = kind
    facts.detail = detail
    facts.name = SignalName.record(name)
    facts.place = place
    let made = rac_recording_make(currentThread(), &facts)
    withTag { $0.node = made }
    isRecorded(as: made)
    return made
  }
}

extension Signal {
  /// The same for all subscriptions to one signal, and hardly for another; the lowest bit is free.
  fileprivate final var recordedIdentity: UInt16 {
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    return UInt16(truncatingIfNeeded: address >> 4) << 1
  }
}
