import CRACShims

/// A signal's name and its part in a recording.
final class SignalTag {
  var name: SignalName?
  /// A static text.
  var operation: UnsafePointer<CChar>?
  /// Its own in a recording. 0: none was made.
  var node = rac_node()
  /// Of a derived property: to what it is derived from.
  var edges: [rac_node] = []

  deinit {
    if node.number != 0 { forget() }
  }

  private func forget() {
    let thread = currentThread()
    for edge in edges { rac_recording_forget(thread, edge) }
    rac_recording_forget(thread, node)
  }
}

extension Signal {
  /// Anybody may change it, and ask for it, at any time.
  final var name: SignalName? {
    get { Diagnostics.shared.nameLock.locked { latestTag?.name } }
    set {
      var old = newValue
      Diagnostics.shared.watch()
      let node = withTag { tag in
        swap(&old, &tag.name)
        return tag.node
      }
      if node.number != 0 { rac_node_name(currentThread(), node, SignalName.record(newValue)) }
    }
  }

  /// The operator that made it, where that was noted.
  final var operation: UnsafePointer<CChar>? {
    Diagnostics.shared.nameLock.locked { latestTag?.operation }
  }

  /// Its node in a recording, if there is one.
  final var latestNode: rac_node {
    let diagnostics = Diagnostics.shared
    diagnostics.nameLock.lock()
    let tag = latestTag.map { Unmanaged.passUnretained($0) }
    let node = tag?._withUnsafeGuaranteedRef { $0.node } ?? rac_node()
    diagnostics.nameLock.unlock()
    return node
  }

  /// Under the lock.
  final func withTag<Result>(_ body: (SignalTag) -> Result) -> Result {
    // The allocation under the lock is the engine's own.
    Diagnostics.shared.nameLock.locked {
      let tag = latestTag ?? SignalTag()
      latestTag = tag
      return body(tag)
    }
  }

  /// Whether a subscription of such an observer must not take the shortest way: because it is
  /// traced, or because an error that the observer does not handle is to be reported by the
  /// signal's name.
  final func isWatched(_ observer: rac_observer) -> Bool {
    Diagnostics.shared.isWatching && isWatchedIndeed(observer)
  }

  private final func isWatchedIndeed(_ observer: rac_observer) -> Bool {
    rac_stages_are_watched() || observer.error == nil && name != nil
  }

  /// Names the signal "[source] -operation", as RAC does, if names are being recorded.
  final func named(_ operation: StaticString, _ source: Signal? = nil) -> Self {
    if Diagnostics.shared.notesMakings { noteMaking(operation, source) }
    return self
  }

  @inline(never)
  private final func noteMaking(_ operation: StaticString, _ source: Signal?) {
    let text = UnsafeRawPointer(operation.utf8Start).assumingMemoryBound(to: CChar.self)
    withTag { $0.operation = text }
    if Diagnostics.shared.recordsNames { makeName(text, source) }
  }

  private final func makeName(_ operation: UnsafePointer<CChar>, _ source: Signal?) {
    var text = TextBuffer()
    if let source {
      text.append("[")
      source.name?.append(to: &text)
      text.append("] -")
    } else {
      text.append("+")
    }
    text.append(cString: operation)
    name = SignalName(text)
  }
}
