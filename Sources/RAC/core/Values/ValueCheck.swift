/// The check of a value that comes from outside.
enum ValueCheck {
  /// It may be used as it is.
  case sound
  /// Only lent, and not fit to be read later: here is a copy, owned.
  case copied(Value)
  case refused(rac_status, StaticString)
}

extension Value {
  /// Checks a value that a program made, so that nothing further in has to.
  @inline(never)
  func admitted() -> ValueCheck {
    switch kind {
    case Kind.null, Kind.bool, Kind.int64, Kind.double:
      let isPlain = flags == 0 && reserved == 0 && length == 0
      return isPlain ? .sound : .copied(scalar)
    case Kind.unit:
      let isPlain = flags == 0 && reserved == 0 && length == 0 && bits == 0
      return isPlain ? .sound : .copied(.unit)
    case Kind.pointer: return .sound
    case Kind.string, Kind.bytes: return admittedText()
    case Kind.object: return admittedObject()
    case Kind.tuple, Kind.signal, Kind.sequence:
      guard isCounted && address != nil else {
        return .refused(Status.kind, "the value was not made by the library")
      }
      if isObject && length != Process.number {
        return .refused(Status.stale, "the value is the parent process's")
      }
      return .sound
    case Kind.error, Kind.event:
      let isMade = isCounted == (address != nil)
      return isMade ? .sound : .refused(Status.kind, "the value was not made by the library")
    default: return .refused(Status.kind, "the value is of no known kind")
    }
  }

  /// A text or bytes of the library's own, as most are that come back from a callback: they were
  /// checked when they were made.
  var isOwnText: Bool {
    isText && flags & (Flag.counted | Flag.unterminated) == Flag.counted && bits != 0
  }

  @inline(__always)
  private func admittedText() -> ValueCheck {
    guard address != nil else {
      return .refused(Status.invalid, "a string or bytes value points nowhere")
    }
    // These were checked when they were made.
    let isKnown = flags & (Flag.counted | Flag.checked) != 0
    if !isKnown, kind == Kind.string, !UTF8Check.isValid(bytes) {
      return .refused(Status.utf8, "the string is not valid UTF-8")
    }
    if flags & Flag.unterminated == 0 { return .sound }
    guard let copy = Value.copying(kind, bytes) else {
      return .refused(Status.noMemory, "not enough memory for the value")
    }
    return .copied(copy)
  }
}
