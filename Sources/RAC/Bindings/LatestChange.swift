import CRACShims
import Synchronization

/// How a tie brings its changes to a property. While another thread is delivering there, one change
/// waits, and a later one takes its place.
final class LatestChange: Object {
  private typealias Change = (value: Value, time: UInt64, renewed: UInt64)

  private let lock = Lock()
  private var waiting: Change?

  /// RAC_QUEUED when the change, or something that is derived from it, is left to somebody else;
  /// why an adapter refused it.
  @inline(never)
  func bring(
    _ value: Value, at time: UInt64, renewing renewed: UInt64, to core: MutablePropertyCore,
    from tie: Tie
  ) -> rac_status {
    if BatchCommit.takes(value, at: time, renewing: renewed, to: core, from: tie) {
      return Status.ok
    }
    guard let hold = core.enter() else {
      return bringLater(value, at: time, renewing: renewed, to: core, from: tie)
    }
    let status = core.change(value, at: time, renewing: renewed, from: tie)
    hold.leave(core)
    return status
  }

  @inline(never)
  private func bringLater(
    _ value: Value, at time: UInt64, renewing renewed: UInt64, to core: MutablePropertyCore,
    from tie: Tie
  ) -> rac_status {
    // This thread's own doing, further up: then all of it is done.
    if core.isDeliveringHere {
      return core.submitSet(value, at: time, renewing: renewed, from: tie)
    }
    if put(value, time, renewed) { core.submitRarely(.fire, OvertakenChange(self, tie)) }
    return Status.queued
  }

  /// True when nothing was waiting, so that somebody has to be sent for it.
  private func put(_ value: Value, _ time: UInt64, _ renewed: UInt64) -> Bool {
    let mine = value.retained()
    var loser: Value? = mine
    lock.lock()
    let before = waiting
    if before.map({ $0.time < time }) ?? true {
      waiting = (mine, time, renewed)
      loser = before?.value
    }
    lock.unlock()
    loser?.release()
    return before == nil
  }

  /// Makes the change that waits, now that its turn has come. Inside the gate.
  fileprivate func bringWaiting(to core: MutablePropertyCore, from tie: Tie) {
    lock.lock()
    let taken = waiting
    waiting = nil
    lock.unlock()
    guard let taken else { return }
    if !tie.isDisposed {
      _ = core.change(taken.value, at: taken.time, renewing: taken.renewed, from: tie)
    }
    taken.value.release()
  }

  deinit { waiting?.value.release() }
}

private final class OvertakenChange: PropertyTask {
  private let line: LatestChange
  private let tie: Tie

  init(_ line: LatestChange, _ tie: Tie) {
    self.line = line
    self.tie = tie
  }

  override func run(_ core: MutablePropertyCore, _ value: Value) {
    line.bringWaiting(to: core, from: tie)
  }
}
