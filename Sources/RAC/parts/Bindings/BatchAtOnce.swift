import CRACShims
import Synchronization

/// A batch of plain sets that finds nobody at its properties: it is made as one set is, inside the
/// gates of all of them. Where that is not so the batch takes the general way, BatchCommit.
///
/// It enters each gate if that is free, and gives up at the first that is not, so that it waits for
/// nobody and the order does not matter. Inside all of them no other thread can change a property,
/// take hold of it, or add what is left for it: what comes meanwhile waits in the gates' queues.
///
/// The properties have no ties and nothing is derived from them. Deriving takes no gate, so this is
/// looked at under the lock of components, and the values are published before that lock is
/// free again: a thread that derives from several of them finds all values of before, and then
/// this batch gives up; or all new ones.
struct BatchAtOnce: ~Copyable {
  private let changes: BatchedChanges
  private let thread = currentThread()

  init(_ changes: BatchedChanges) { self.changes = changes }

  /// False: nothing is made.
  @inline(never)
  func make() -> Bool {
    if !changes.arePlain || !(thread.isShallow || !thread.isDeepest) || rac_recording_is_on() {
      return false
    }
    thread.deepen()
    let isMade = enter() && publish()
    if isMade { changes.eachLent { $0.deliver() } }
    changes.eachLent { $0.leave(thread) }
    thread.surface()
    return isMade
  }

  private func enter() -> Bool {
    var isInside = true
    changes.eachLent { if isInside { isInside = $0.enter() } }
    return isInside
  }

  private func publish() -> Bool {
    // Inside the gates: who closes the library sees this thread there, or this one the closing.
    if Process.isClosed { return false }
    return Component.locked {
      var isAlone = true
      changes.eachLent { if $0.isRoot { isAlone = false } }
      if isAlone { changes.eachLent { $0.publish(thread) } }
      return isAlone
    }
  }
}
