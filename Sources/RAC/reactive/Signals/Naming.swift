extension Signal {
  /// Anybody may change it, and ask for it, at any time.
  final var name: SignalName? {
    get { Diagnostics.shared.nameLock.locked { latestName } }
    set {
      var old = newValue
      Diagnostics.shared.watch()
      Diagnostics.shared.nameLock.locked { swap(&old, &latestName) }
    }
  }

  /// Whether a subscription of such an observer must not take the shortest way: because it is
  /// traced, or because an error that the observer does not handle is to be reported by the
  /// signal's name.
  final func isWatched(_ observer: rac_observer) -> Bool {
    Diagnostics.shared.isWatching && isWatchedIndeed(observer)
  }

  private final func isWatchedIndeed(_ observer: rac_observer) -> Bool {
    Diagnostics.shared.isTracing || observer.error == nil && name != nil
  }

  /// Names the signal "[source] -operation", as RAC does, if names are being recorded.
  final func named(_ operation: StaticString, _ source: Signal? = nil) -> Self {
    if Diagnostics.shared.recordsNames { record(operation, source) }
    return self
  }

  @inline(never)
  private final func record(_ operation: StaticString, _ source: Signal?) {
    var text = TextBuffer()
    if let source {
      text.append("[")
      source.name?.append(to: &text)
      text.append("] -")
    } else {
      text.append("+")
    }
    text.append(operation)
    name = SignalName(text)
  }
}
