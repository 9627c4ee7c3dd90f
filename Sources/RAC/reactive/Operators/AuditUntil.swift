/// Waits, when a value comes, for a signal that a callback gives for it, and then sends the latest
/// value.
///
///     source       --1-2-3-----4----5--|
///     x -> -----x  -------3---------5--|
///
/// rac_signal_audit() with a time that depends on the value: the next one that comes starts
/// another. A value of the signal, or its completion, is the sign; then it is disposed of. A
/// completion of the source sends the value that waits at once; an error, also of that signal,
/// drops it.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter duration: called for a value while none waits; writes a signal, transferred, to
///   `*out`; NULL counts as an empty signal: the value is sent at once. A failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: audit. Since: 0.1
@c public func rac_signal_audit_until(
  _ source: CSignal?, _ context: CContext?, _ duration: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, duration, destroy) { source, context, duration in
    // Two levels, as flattenMap is: it takes the stack of both.
    source.lift("auditUntil:", besides: source.depth &+ 1, holding: context) {
      Input.only(AuditUntilCore(Closure(context, duration), $0), position: AuditUntilCore.source)
    }
  }
}

private final class AuditUntilCore: MappingCore {
  static let source = 0

  private var held: Value?
  /// The place of the input that the value waits for; each has its own, so a second sign is told
  /// from the first.
  private var latest = AuditUntilCore.source
  deinit { held?.release() }

  /// A value that comes meanwhile replaces the one that is held.
  override func holds(at input: Input?, _ question: Question) -> Bool { false }

  override func next(_ input: Input?, _ value: Value) {
    guard let input, input.position == AuditUntilCore.source else { return heed(input) }
    if held == nil && !begin(value) { return }
    let old = held
    held = value.retained()
    old?.release()
  }

  /// False: there is nothing to wait for, since the callback failed, or nobody listens any more.
  private func begin(_ value: Value) -> Bool {
    guard downstream.scope.isActive, let signal = signal(for: value) else { return false }
    latest &+= 1
    start(signal, position: latest)
    return true
  }

  override func completed(_ input: Input?) {
    if let input, input.position != AuditUntilCore.source { return heed(input) }
    sendHeld()
    endCompleted()
  }

  private func heed(_ sign: Input?) {
    guard let sign else { return }
    sign.scope.close()
    if sign.position == latest { sendHeld() }
  }

  private func sendHeld() {
    guard let value = held.take() else { return }
    downstream.next(owned: value)
  }

  /// The held value is sent then; another one would be held.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    !withValue && downstream.goesAtEnd(withValue: true, &visitor)
  }

  override func visit(_ visitor: inout Visitor) { visitor.value(held) }
}
