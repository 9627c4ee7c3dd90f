import CRACShims

/// A text that a send lends to its subscribers, perhaps without a NUL behind it. A callback that
/// asks for one gets a copy, which stays until the send is over: as long as the text.
///
/// It lies on the sender's stack, and the thread knows the innermost. Nobody else reads the view:
/// a value that is kept, or waits for another thread, is a copy with a NUL.
struct LentText {
  private let start: Int64
  private let length: UInt32
  private var outer: UnsafeMutableRawPointer?
  /// The box of a copy with a NUL; nil until somebody has asked.
  private var copy: UnsafeMutableRawPointer?

  private init(_ view: Value, _ outer: UnsafeMutableRawPointer?) {
    start = view.bits
    length = view.length
    self.outer = outer
  }

  /// Sends a view.
  @inline(__always)
  static func lend(_ view: Value, by thread: Thread, _ send: () -> rac_status) -> rac_status {
    var text = LentText(view, thread.pointee.lent)
    return _withUnprotectedUnsafeMutablePointer(to: &text) { text in
      thread.pointee.lent = UnsafeMutableRawPointer(text)
      let status = send()
      if thread.pointee.lent == UnsafeMutableRawPointer(text), text.pointee.copy == nil {
        thread.pointee.lent = text.pointee.outer
      } else {
        end(text)
      }
      return status
    }
  }

  @inline(never)
  private static func end(_ text: UnsafeMutablePointer<LentText>) {
    if currentThread().pointee.lent == UnsafeMutableRawPointer(text) {
      currentThread().pointee.lent = text.pointee.outer
    } else {
      leaveOutOfTurn(text)
    }
    text.pointee.terminatedCopy.release()
  }

  /// Fibers end their sends in any order.
  private static func leaveOutOfTurn(_ text: UnsafeMutablePointer<LentText>) {
    var next = currentThread().pointee.lent
    while let inner = next?.assumingMemoryBound(to: LentText.self) {
      next = inner.pointee.outer
      if next == UnsafeMutableRawPointer(text) { inner.pointee.outer = text.pointee.outer }
    }
  }

  /// Where a view of this thread's sends lies.
  static func of(_ view: Value) -> UnsafeMutablePointer<LentText>? {
    var next = currentThread().pointee.lent
    while let text = next?.assumingMemoryBound(to: LentText.self) {
      if text.pointee.start == view.bits && text.pointee.length == view.length { return text }
      next = text.pointee.outer
    }
    return nil
  }

  /// The text with a NUL behind it; nil: there is no memory for that.
  mutating func terminated() -> UnsafeRawPointer? {
    if copy == nil {
      let bytes = UnsafeRawBufferPointer(
        start: UnsafeRawPointer(bitPattern: Int(start)), count: Int(length))
      guard let made = Value.copying(Value.Kind.string, bytes) else { return nil }
      copy = made.address
    }
    return UnsafeRawPointer(terminatedCopy.bytes.baseAddress)
  }

  /// nil: there is none.
  private var terminatedCopy: Value {
    guard let copy else { return .null }
    return Value(Value.Kind.string, flags: Value.Flag.counted, length: length, pointer: copy)
  }
}

extension Value {
  /// A view of a text that may have no NUL.
  var isUnterminated: Bool {
    kind == Kind.string && flags == Flag.view | Flag.unterminated && bits != 0
  }

  /// The bytes of a view.
  var lent: UnsafeRawBufferPointer {
    @inline(__always) get { UnsafeRawBufferPointer(start: address, count: Int(length)) }
  }
}
