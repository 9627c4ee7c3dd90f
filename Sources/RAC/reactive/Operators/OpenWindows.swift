/// A part of a stream: a hot signal of what comes while it is open. A late subscriber hears what is
/// still to come, and of one that is over its end.
final class Window: Subject {
  let number: Int

  init(number: Int) {
    self.number = number
    super.init(core: EndKeepingCore())
  }
}

/// The windows of a stream that are open, the oldest first.
///
/// They are let go, without an end, when the operator is that has them.
struct OpenWindows {
  private var windows: [Window] = [] {
    didSet { sole = windows.count == 1 ? windows.first.map { .passUnretained($0) } : nil }
  }
  /// The only one, as it mostly is: for an operator that sends to it without a reference.
  private(set) var sole: Unmanaged<Window>?

  var isEmpty: Bool { windows.isEmpty }

  func visit(_ visitor: inout Visitor) { visitor.references(windows) }

  func goAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    windows.allSatisfy { visitor.goesAtEnd($0.core, withValue: withValue) }
  }

  /// Sends a new one.
  @inline(never)
  mutating func open(_ number: Int = 0, to downstream: Sink) {
    let window = Window(number: number)
    windows.append(window)
    downstream.next(owned: .signal(window))
  }

  func send(_ value: Value) {
    for window in windows { window.send(value) }
  }

  /// The oldest of that number, if one is still open.
  mutating func close(_ number: Int = 0) {
    var rest: [Window] = []
    var closed: Window?
    for window in windows {
      if closed == nil && window.number == number { closed = window } else { rest.append(window) }
    }
    windows = rest
    closed?.sendCompleted()
  }

  /// All of them: with an error, or complete.
  mutating func end(_ error: Value?) {
    let ending = windows
    windows = []
    for window in ending {
      if let error { window.sendError(error) } else { window.sendCompleted() }
    }
  }
}

/// The inside of an operator that opens windows when something else than its source says so.
class WindowCore: DynamicCore {
  final var windows = OpenWindows()

  /// A window waits for its values.
  override final func holds(at input: Input?, _ question: Question) -> Bool { false }

  /// Whether it is the source's input.
  func isSource(_ input: Input?) -> Bool { false }

  final func open(_ number: Int = 0) { windows.open(number, to: downstream) }

  override final func error(_ input: Input?, _ error: Value) {
    windows.end(error)
    end(error: error)
  }

  override func completed(_ input: Input?) {
    guard isSource(input) else { return }
    windows.end(nil)
    endCompleted()
  }

  /// The subscribers of the parts hear their end. A value might open one, or begin the signal that
  /// closes it.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    !withValue && windows.goAtEnd(withValue: false, &visitor)
      && downstream.goesAtEnd(withValue: false, &visitor)
  }

  override func visitBase(_ visitor: inout Visitor) {
    super.visitBase(&visitor)
    windows.visit(&visitor)
  }
}
