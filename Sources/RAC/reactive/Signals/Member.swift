/// An entry of the list of a hot signal: a sink, or a subscription that is one with its callbacks.
class Member: Link {
  /// The place in the source's list; guarded by the source's gate.
  @exclusivity(unchecked) final var index: Int32 = -1

  func error(_ error: Value) {}
  func completed() {}

  /// Whether it is a `DirectSubscription`, or else a `Sink`. The methods that follow ask, and are
  /// not overridden: a place in the table of each sink's class costs more.
  var isDirect: Bool { false }
  private final var direct: DirectSubscription { unsafeDowncast(self, to: DirectSubscription.self) }
  private final var sink: Sink { unsafeDowncast(self, to: Sink.self) }

  /// Whether a value that has waited is still for it.
  final var isWanted: Bool { isDirect ? direct.isActive : sink.scope.isActive }

  /// The source has taken it out of its list, and may yet call it with an end …
  final func wasTakenOut() {
    if !isDirect { sink.scope.remove(self) }
  }
  /// … and will not call it any more.
  final func wasLeftBehind() {
    if isDirect { direct.wasLeft() }
  }
}

extension Link {
  /// The word to wait for, where this is a subscription with callbacks of the user's.
  var callbacks: Drained? {
    if let scope = self as? Scope { return scope.belongsToCallbacks ? drained : nil }
    if let disposable = self as? DirectDisposable { return disposable.subscriber.drained }
    return self is DirectSubscription ? drained : nil
  }
}
