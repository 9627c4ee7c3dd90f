/// Disposes everything added to it. RACCompoundDisposable.
final class CompoundDisposable: Disposable {
  private let lock = Lock()
  private var disposed = false
  private var members: [Disposable] = []

  override var isDisposed: Bool { lock.locked { disposed } }

  override func visit(_ visitor: inout Visitor) {
    if visitor.enter(lock) { visitor.references(members) }
  }

  /// Disposed at once when this one already is. A member that is disposed already is left out.
  func add(_ member: Disposable) {
    if member.isDisposed { return }
    let late = lock.locked {
      if !disposed { members.append(member) }
      return disposed
    }
    if late { member.dispose() }
  }

  /// Takes out all occurrences, without disposing them.
  func remove(_ member: Disposable) {
    // Released outside the lock: a member's end may run a user's code.
    var removed: [Disposable] = []
    lock.locked {
      var kept: [Disposable] = []
      for candidate in members {
        if candidate === member { removed.append(candidate) } else { kept.append(candidate) }
      }
      swap(&members, &kept)
    }
    removed.removeAll()
  }

  override func dispose() { disposeUnpacking() }

  func unpack(into stack: inout [Disposable]) {
    var mine: [Disposable] = []
    lock.locked {
      disposed = true
      swap(&mine, &members)
    }
    stack.append(contentsOf: mine.reversed())
  }

  deinit {
    if members.isEmpty { return }
    for member in members { Reaper.keep(member) }
    members = []
    Reaper.run()
  }
}
