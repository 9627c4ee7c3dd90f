/// Sends a signal for each value of `openings`, of what the source sends until the signal that
/// `closing` gives for that value sends something, or completes.
///
///     source   --1--2--3--4--|
///     openings ---a-----b----
///     closing     ------x        (for a; for b it is silent)
///     result   ---A-----B----|
///     A           --2--3|
///     B                 --4--|
///
/// They may overlap. One that is never closed goes on until the end of the source, which is the
/// end; that of `openings` changes nothing. An error of any signal ends the result and all windows.
/// See rac_signal_window() for the rest.
///
/// - Parameter source: borrowed.
/// - Parameter openings: borrowed; subscribed to first.
/// - Parameter context: passed to the callbacks.
/// - Parameter closing: writes a signal, transferred, to `*out`; NULL counts as an empty signal,
///   which closes at once. A failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: windowToggle. Since: 0.1
@c public func rac_signal_window_toggle(
  _ source: CSignal?, _ openings: CSignal?, _ context: CContext?, _ closing: rac_signal_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  return Border.derive(source, openings) { source, openings in
    guard let closing else { return Border.fail(Status.null, "a callback is NULL") }
    return Signal.combine("windowToggle:", [openings, source], named: source, holding: context) {
      ToggleCore(Closure(context, closing), $0)
    }
  }
}

private final class ToggleCore: WindowCore {
  private static let openings = 0
  private static let source = 1

  private let closing: Closure<rac_signal_fn>
  /// The place of the latest window's closing input, which the window is numbered by.
  private var latest = ToggleCore.source

  init(_ closing: Closure<rac_signal_fn>, _ downstream: Sink) {
    self.closing = closing
    super.init(downstream)
  }

  override func isSource(_ input: Input?) -> Bool { input?.position == ToggleCore.source }

  override func next(_ input: Input?, _ value: Value) {
    guard let input else { return }
    switch input.position {
    case ToggleCore.source: windows.send(value)
    case ToggleCore.openings: if downstream.scope.isActive { begin(value) }
    default:
      input.scope.close()
      windows.close(input.position)
    }
  }

  override func completed(_ input: Input?) {
    super.completed(input)
    if let input { windows.close(input.position) }
  }

  private func begin(_ value: Value) {
    guard let signal = ask(closing, value) else { return }
    latest &+= 1
    open(latest)
    if !hasEnded { start(signal, position: latest) }
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(closing.context) }
}
