/// A disposable of the user's that is disposed when a subscriber ends. Let go of when it was
/// disposed before: a compound one at once, because it holds this too; others when room is needed.
final class Dependent: Link {
  private let lock = Lock()
  @exclusivity(unchecked) private var inner: Disposable?

  init(_ inner: Disposable) {
    self.inner = inner
    super.init()
    if let compound = inner as? CompoundDisposable { compound.add(self) }
  }

  /// The disposable as a subscriber that keeps a plain list holds it.
  static func holding(_ inner: Disposable) -> Disposable {
    inner is CompoundDisposable ? Dependent(inner) : inner
  }

  override var isDisposed: Bool { isSpent }
  /// Whether a scope that is short of room may let go of it. Looked at under the scope's lock, so
  /// under this one, too: this is then not the last to let go of it.
  var isSpent: Bool { lock.locked { inner?.isDisposed ?? true } }

  override func dispose() {
    let mine = lock.locked { inner.take() }
    mine?.dispose()
  }
}

/// The disposables that a subscriber disposes when it ends, in the order they came. Used under the
/// subscriber's lock.
struct Dependents {
  private(set) var members: [Disposable] = []
  private var room = 8

  /// Those that were disposed meanwhile, when room is needed: to be released outside the lock.
  mutating func append(_ member: Disposable) -> [Disposable] {
    if members.count < room {
      members.append(member)
      return []
    }
    var kept: [Disposable] = []
    var spent: [Disposable] = []
    for member in members {
      if member.isDisposed { spent.append(member) } else { kept.append(member) }
    }
    kept.append(member)
    room = max(8, kept.count &* 2)
    members = kept
    return spent
  }

}
