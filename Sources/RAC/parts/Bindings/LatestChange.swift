/// How a tie brings its changes to a property. While another thread is delivering there, one change
/// waits, and a later one takes its place.
final class LatestChange: Object {
  private typealias Change = (value: Value, stamp: Stamp)

  private let lock = Lock()
  private var waiting: Change?

  /// RAC_QUEUED when the change, or something that is derived from it, is left to somebody else;
  /// why an adapter refused it.
  @inline(never)
  func bring(_ value: Value, _ stamp: Stamp, to core: MutablePropertyCore, from tie: Tie)
    -> rac_status
  {
    // A batch is changing that property here and now, and sees to it.
    if core.isWorkedOutHere {
      core.holder?.hear(value, stamp, from: tie)
      return Status.ok
    }
    guard let hold = core.enter() else { return bringLater(value, stamp, to: core, from: tie) }
    let status = core.change(value, stamp, from: tie)
    hold.leave(core)
    return status
  }

  @inline(never)
  private func bringLater(
    _ value: Value, _ stamp: Stamp, to core: MutablePropertyCore, from tie: Tie
  ) -> rac_status {
    // This thread's own doing, further up: then all of it is done.
    if core.isDeliveringHere { return core.submitChange(value, stamp, from: tie) }
    if put(value, stamp) { core.perform { self.bringWaiting(to: core, from: tie) } }
    return Status.queued
  }

  /// True when nothing was waiting, so that somebody has to be sent for it.
  private func put(_ value: Value, _ stamp: Stamp) -> Bool {
    let mine = value.retained()
    var loser: Value? = mine
    lock.lock()
    let before = waiting
    if before.map({ $0.stamp.time < stamp.time }) ?? true {
      waiting = (mine, stamp)
      loser = before?.value
    }
    lock.unlock()
    loser?.release()
    return before == nil
  }

  /// Makes the change that waits, now that its turn has come. Inside the gate.
  private func bringWaiting(to core: MutablePropertyCore, from tie: Tie) {
    guard let taken = lock.locked({ waiting.take() }) else { return }
    if !tie.isDisposed { _ = core.change(taken.value, taken.stamp, from: tie) }
    taken.value.release()
  }

  deinit { waiting?.value.release() }
}
