/// Sends a signal of so many values; the next one begins `skip` values after the beginning of the
/// one before.
///
///     source     --1--2--3--4--|
///     window 2,2 --A-----B-----|
///     A            1--(2|)
///     B                  3--(4|)
///
/// These are the tuples of rac_signal_buffer_with_count() as signals. Each signal is sent before
/// its first value, so only a subscriber that comes at once hears that value. See
/// rac_signal_window() for the rest.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many values a signal sends, 1 or more.
/// - Parameter skip: how far the beginnings lie apart, 1 or more: less than `count` makes them
///   overlap, more leaves values out.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: windowCount. Since: 0.1
@c public func rac_signal_window_with_count(_ source: CSignal?, _ count: CSize, _ skip: CSize)
  -> CSignal?
{
  Border.derive(source) { source in
    guard count != 0, skip != 0 else {
      return Border.fail(Status.invalid, "count and skip are 1 or more")
    }
    return source.lift("windowWithCount:skip:") {
      WindowWithCountSink(Border.count(count), Border.count(skip), $0)
    }
  }
}

private final class WindowWithCountSink: Stage {
  private let count: Int
  private let skip: Int
  private var windows = OpenWindows()
  /// How many values still come before one opens.
  private var gap = 0
  /// How many the oldest has.
  private var filled = 0

  init(_ count: Int, _ skip: Int, _ downstream: Sink) {
    self.count = count
    self.skip = skip
    super.init(downstream)
  }

  /// A window waits for its values.
  override func holds(_ question: Question) -> Bool { false }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    if gap == 0 {
      gap = skip
      windows.open(to: downstream)
    }
    gap &-= 1
    if let window = windows.sole {
      window._withUnsafeGuaranteedRef { _ = $0.send(value) }
    } else if windows.isEmpty {
      return
    } else {
      windows.send(value)
    }
    filled &+= 1
    if filled == count {
      filled = max(count &- skip, 0)
      windows.close()
    }
  }

  override func error(_ error: Value) {
    windows.end(error)
    downstream.error(error)
  }

  override func completed() {
    windows.end(nil)
    downstream.completed()
  }

  /// The subscribers of the parts hear their end.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    windows.goAtEnd(withValue: withValue, &visitor)
      && downstream.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) { windows.visit(&visitor) }
}
