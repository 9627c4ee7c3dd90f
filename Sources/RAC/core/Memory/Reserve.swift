import CRACShims

/// Memory that a thread has put by before it makes something: see reserve.c.
///
/// What is put by are blocks, and slots for gates and handles. `ready` in the thread's record says
/// for how many objects they do. A C function that makes something begins with `isReady`, and so
/// does every stage of a subscription, because there may be thousands of them; each then needs less
/// than it asked for. Tests/c/test_refused_memory.c and its like refuse all memory from any point
/// on.
enum Reserve {
  /// What is put by, unless a function asks for more.
  private static var full: UInt32 { 32 }
  /// What a function has to itself that makes something.
  static var enough: UInt32 { 24 }
  /// What it has left of that once it has taken over what the caller gave it.
  static var left: UInt32 { 20 }
  /// What one stage has.
  static var forStage: UInt32 { 10 }
  /// Objects with a gate or a handle are no more than one in so many.
  private static var blocksPerSlot: UInt32 { 4 }

  /// Whether there is memory for so many objects. False: the system has none left.
  @inline(__always)
  static func isReady(_ thread: Thread, for objects: UInt32) -> Bool {
    thread.pointee.ready >= objects || fill(thread, objects)
  }

  @inline(never)
  private static func fill(_ thread: Thread, _ objects: UInt32) -> Bool {
    let wanted = max(full, objects)
    guard rac_shim_fill_reserve(thread, wanted), setAsideSlots(thread, wanted / blocksPerSlot)
    else {
      return false
    }
    thread.pointee.ready = wanted
    return true
  }

  /// Runs the body with blocks of that size put by, for lists and large objects that it is going to
  /// make; what is not needed is given back. nil, and the body does not run, when there is no
  /// memory for them.
  @inline(__always)
  static func holding<Result>(_ bytes: Int, times: Int = 1, _ body: () -> Result) -> Result? {
    // Somebody further up may hold some, too.
    let before = UnsafeRawPointer(currentThread().pointee.bulk)
    defer { rac_shim_release_bulk(before) }
    return hold(bytes, times) ? body() : nil
  }

  @inline(never)
  private static func hold(_ bytes: Int, _ times: Int) -> Bool {
    var left = times
    while left > 0 {
      guard rac_shim_hold_bulk(bytes) else { return false }
      left &-= 1
    }
    return true
  }

  /// What an array of so many objects takes.
  static func list(_ count: Int) -> Int { count &* 8 &+ 64 }

  // MARK: Slots

  /// Puts so many slots by, for when the system has no memory for more. False: it has none now.
  private static func setAsideSlots(_ thread: Thread, _ count: UInt32) -> Bool {
    while thread.pointee.spare_slot_count < count {
      guard let slot = rac_slot_take() else { return false }
      next(slot).pointee = thread.pointee.spare_slots
      thread.pointee.spare_slots = slot
      thread.pointee.spare_slot_count = thread.pointee.spare_slot_count &+ 1
    }
    return true
  }

  /// nil: there is none left either.
  static func takeSlot(_ thread: Thread) -> UnsafeMutableRawPointer? {
    guard let slot = removeSlot(thread) else { return nil }
    thread.pointee.ready &-= min(thread.pointee.ready, blocksPerSlot)
    return slot
  }

  /// A thread that ends leaves them to the others.
  static func abandonSlots(_ thread: Thread) {
    while let slot = removeSlot(thread) { rac_slot_give(slot) }
  }

  private static func removeSlot(_ thread: Thread) -> UnsafeMutableRawPointer? {
    guard let slot = thread.pointee.spare_slots else { return nil }
    thread.pointee.spare_slots = next(slot).pointee
    thread.pointee.spare_slot_count = thread.pointee.spare_slot_count &- 1
    return slot
  }

  /// Of a slot that nobody uses all but the first word may be written.
  private static func next(_ slot: UnsafeMutableRawPointer)
    -> UnsafeMutablePointer<UnsafeMutableRawPointer?>
  {
    (slot + 8).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}

extension Array {
  /// An empty one that gets so many elements without asking for memory.
  init(withRoomFor count: Int) {
    self.init()
    reserveCapacity(count)
  }
}
