import Synchronization

/// Several gates that a thread is in at once, and waits for none of them. Its caller deepens the
/// thread once for all of them: they count as one level.
extension Gate {
  /// The slot's word, which `leaveTogether` needs. nil: a thread is inside, perhaps this one; or
  /// parked work comes first.
  @inline(__always)
  func enterTogether() -> UInt64? {
    let word = slot.word.pointee.load(ordering: .relaxed)
    guard word & (Word.busy | Word.pending) == 0 else { return nil }
    let (done, _) = slot.word.pointee.compareExchange(
      expected: word, desired: word | Word.busy,
      successOrdering: .acquiring, failureOrdering: .relaxed)
    return done ? word : nil
  }

  /// Leaves one of them, after applying the operations queued meanwhile.
  @inline(__always)
  func leaveTogether(_ core: Core, _ word: UInt64, _ thread: Thread) {
    let (done, _) = slot.word.pointee.compareExchange(
      expected: word | Word.busy, desired: word,
      successOrdering: .releasing, failureOrdering: .relaxed)
    if done { return }
    // The way that looks after what came meanwhile surfaces by itself.
    thread.deepen()
    leave(core)
  }
}
