/// What stands in the list of a hot signal: a sink, or a subscription that is one with its callbacks.
class Member: Link {
  /// The place in the source's list; guarded by the source's gate.
  @exclusivity(unchecked) final var index: Int32 = -1

  /// Whether a value that has waited is still for it.
  var isWanted: Bool { false }

  func error(_ error: Value) {}
  func completed() {}

  /// The source has taken it out of its list, and may yet call it with an end …
  func wasTakenOut() {}
  /// … and will not call it any more.
  func wasLeft() {}

  /// Whether it is a `DirectSubscription`.
  var isDirect: Bool { false }
}

extension Link {
  /// What there is to wait for, where this is a subscription with callbacks of the user's.
  var callbacks: Drained? {
    if let scope = self as? Scope { return scope.belongsToCallbacks ? drained : nil }
    if let disposable = self as? DirectDisposable { return disposable.subscriber.drained }
    return self is DirectSubscription ? drained : nil
  }
}
