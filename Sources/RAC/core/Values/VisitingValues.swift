import CRACShims

extension Visitor {
  /// A value that goes.
  @inline(never)
  mutating func value(_ value: Value, depth: Int = 16) {
    guard value.isCounted, let address = value.address, depth > 0 else { return }
    if value.isBare { return held(address, value.objectClass?.pointee.release) }
    if value.isObject {
      if value.length == Process.number { reference(address) }
      return
    }
    if value.kind == Value.Kind.unit { return }
    let references = UInt(Box(address).count)
    if references == 1 || count(block: address) == references {
      content(of: value, depth: depth)
    }
  }

  private mutating func content(of value: Value, depth: Int) {
    switch value.kind {
    case Value.Kind.object: held(value.foreignPointer, value.objectClass?.pointee.release)
    case Value.Kind.tuple: for element in value.elements { self.value(element, depth: depth &- 1) }
    case Value.Kind.error:
      if let underlying = value.asError?.underlying.pointee {
        self.value(underlying, depth: depth &- 1)
      }
    case Value.Kind.event: self.value(value.eventPayload, depth: depth &- 1)
    default: break
    }
  }

  @inline(__always)
  mutating func value(_ value: Value?) {
    self.value(value ?? .null)
  }
}

extension ValueLine {
  @inline(never)
  func visit(_ visitor: inout Visitor) {
    for index in Places(count) {
      visitor.value(self[index])
    }
  }
}
