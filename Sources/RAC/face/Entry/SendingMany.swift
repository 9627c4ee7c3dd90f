import CRACShims

/// An element of an array that is sent.
protocol SentElement {
  /// As what a batch of them is heard; nil where each has to be looked at.
  static var form: Batch.Form? { get }
  var asValue: Value { get }
  /// RAC_OK, or why it cannot be sent: recorded.
  func check(_ function: StaticString) -> rac_status
  /// Calls with the value the element stands for, lent; unless it cannot be sent.
  func take(_ function: StaticString, _ body: (Value) -> Void) -> rac_status
}

extension SentElement {
  func check(_ function: StaticString) -> rac_status { Status.ok }

  func take(_ function: StaticString, _ body: (Value) -> Void) -> rac_status {
    body(asValue)
    return Status.ok
  }
}

extension Int64: SentElement {
  static var form: Batch.Form? { .int64s }
  var asValue: Value { .int64(self) }
}

extension Double: SentElement {
  static var form: Batch.Form? { .doubles }
  var asValue: Value { .double(self) }
}

extension Value: SentElement {
  static var form: Batch.Form? { nil }
  var asValue: Value { self }

  func check(_ function: StaticString) -> rac_status { take(function) { _ in } }

  func take(_ function: StaticString, _ body: (Value) -> Void) -> rac_status {
    Border.take(self, function, otherwise: { $0 }) {
      body($0)
      return Status.ok
    }
  }
}

/// Sending an array through a handle: the handle is looked up once, and the gate entered once for
/// as many elements as nobody comes between. Otherwise it is like sending them one by one:
/// operations that are queued during one element are applied before the next.
extension Sending {
  @inline(never)
  static func sendMany<Element: SentElement>(
    _ handle: OpaquePointer?, _ kinds: HandleKind, _ elements: UnsafePointer<Element>?,
    _ count: CSize,
    _ function: StaticString
  ) -> rac_status {
    // The call keeps the object, also when its last reference goes meanwhile.
    Border.check(handle, kinds, as: Object.self, function) { object in
      if count == 0 { return Status.ok }
      guard let elements else {
        return Failure.record(Status.null, "the array is NULL", in: function)
      }
      guard Border.count(count) <= Int.max / MemoryLayout<Element>.stride else {
        return Failure.record(Status.invalid, "no array is that long", in: function)
      }
      let array = UnsafeBufferPointer(start: elements, count: count)
      // All or nothing: a caller could not tell how far a call came that fails in the middle.
      for element in array {
        let status = element.check(function)
        if status < 0 { return status }
      }
      if object is Subject {
        return sendMany(array, unsafeDowncast(object, to: Subject.self), function)
      }
      let subscriber = unsafeDowncast(object, to: Subscriber.self)
      if subscriber.isBounded { return sendBounded(array, subscriber, function) }
      return pour(
        array, into: subscriber, function, listener: { subscriber.listener },
        isOpen: { subscriber.isActive }
      ) { subscriber.send($0) }
    }
  }

  @inline(__always)
  private static func sendMany<Element: SentElement>(
    _ array: UnsafeBufferPointer<Element>, _ subject: Subject, _ function: StaticString
  ) -> rac_status {
    // The subject keeps it, and the call the subject.
    Unmanaged.passUnretained(subject.core)._withUnsafeGuaranteedRef { core in
      if core.isBounded { return sendBounded(array, core, function) }
      if !subject.sendsStraight || rac_recording_is_on() {
        return sendEach(array, subject, function)
      }
      return pour(
        array, into: core, function, listener: { core.subscribers.soleSink }, isOpen: { true }
      ) { core.send($0) }
    }
  }

  private static func sendBounded<Element: SentElement>(
    _ array: UnsafeBufferPointer<Element>, _ core: Core, _ function: StaticString
  ) -> rac_status {
    sendManyBounded(array.count, core, function) { array[$0].take(function, $1) }
  }

  private static func sendEach<Element: SentElement>(
    _ array: UnsafeBufferPointer<Element>, _ subject: Subject, _ function: StaticString
  ) -> rac_status {
    var answer = Status.ok
    for element in array {
      if Process.isClosed { return stopped(Status.closed, function) }
      var status = Status.ok
      let taken = element.take(function) {
        if rac_recording_is_on() { recordSend(.next, $0, .passUnretained(subject)) }
        status = subject.send($0)
      }
      if taken < 0 { return taken }
      if status < 0 { return stopped(status, function) }
      answer = max(answer, status)
    }
    return answer
  }

  /// The one place that knows how to go in and out of the gate with many. `listener` is the only
  /// sink that hears, if there is just one.
  @inline(__always)
  private static func pour<Element: SentElement>(
    _ array: UnsafeBufferPointer<Element>, into core: Core, _ function: StaticString,
    listener: () -> Unmanaged<Sink>?, isOpen: () -> Bool, deliver: (Value) -> Void
  ) -> rac_status {
    let gate = core.gate
    var answer = Status.ok
    var index = 0
    while index < array.count {
      if Process.isClosed { return stopped(Status.closed, function) }
      if gate.enter() != nil {
        var status = Status.ok
        let handed = hand(array, from: index, to: listener(), gate)
        index &+= handed
        if handed == 0 {
          repeat {
            status = isOpen() ? array[index].take(function, deliver) : Status.done
            index &+= 1
          } while status == Status.ok && index < array.count && !gate.isDisturbed
        }
        answer = max(answer, gate.leave(core))
        if status != Status.ok { return stopped(status, function) }
      } else {
        // Somebody is delivering, and will deliver this in its turn.
        guard isOpen() else { return stopped(Status.done, function) }
        let status = array[index].take(function) {
          if gate.post(core, .next, nil, $0) { answer = Status.queued }
        }
        if status != Status.ok { return status }
        index &+= 1
      }
    }
    return answer
  }

  /// Gives as many as it takes at once to one who gathers what they are; how many.
  private static func hand<Element: SentElement>(
    _ array: UnsafeBufferPointer<Element>, from index: Int, to listener: Unmanaged<Sink>?,
    _ gate: Gate
  ) -> Int {
    guard let form = Element.form, let listener, let base = array.baseAddress else { return 0 }
    let numbers = Numbers(base + index, array.count &- index, form)
    return BatchSink.hand(numbers, to: listener, gate)
  }

  @inline(never)
  private static func stopped(_ status: rac_status, _ function: StaticString) -> rac_status {
    if status == Status.closed { return Border.refuseOver(function) }
    if status != Status.done { return status }
    return Failure.record(Status.done, "the subscription has ended or was disposed", in: function)
  }
}
