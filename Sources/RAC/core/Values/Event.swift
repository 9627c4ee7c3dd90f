/// Events as values. RACEvent. A completion needs no box; the others keep their payload in one.
///
/// The RAC_EVENT_ constants: no enum can be made of them, so a test compares.
enum EventType: Int32 {
  case next = 1
  case error = 2
  case completed = 3
}

extension Value {
  /// An owned event; nil when there is no memory for it. Retains the payload, which is the value or
  /// the error.
  static func event(_ type: EventType, _ payload: Value) -> Value? {
    if type == .completed { return Value(Kind.event, bits: 0) }
    guard let payload = payload.retainedIfPossible() else { return nil }
    guard let box = Box.make(payload: MemoryLayout<Value>.stride) else {
      payload.release()
      return nil
    }
    box.word(1).pointee = Int(type.rawValue)
    box.payload.assumingMemoryBound(to: Value.self).pointee = payload
    return Value(Kind.event, flags: Flag.counted, pointer: box.base)
  }

  /// nil: it is no event.
  var eventType: EventType? {
    guard kind == Kind.event else { return nil }
    guard isCounted, let address else { return .completed }
    return EventType(rawValue: Int32(truncatingIfNeeded: Box(address).word(1).pointee))
  }

  /// The value or the error, lent; nil for a completion.
  var eventPayload: Value {
    guard kind == Kind.event, isCounted, let address else { return .null }
    return Box(address).payload.assumingMemoryBound(to: Value.self).pointee
  }

  func isSameEvent(_ other: Value, depth: Int) -> Bool {
    eventType == other.eventType && eventPayload.isEqual(other.eventPayload, depth: depth)
  }

  func describeEvent(to text: inout TextBuffer, depth: Int) {
    switch eventType {
    case .next: text.append("<next ")
    case .error: text.append("<error ")
    default: return text.append("<completed>")
    }
    if depth > 0 { eventPayload.describe(to: &text, depth: depth) } else { text.append("…") }
    text.append(">")
  }
}
