import CRACShims
import Synchronization

extension Property {
  /// A channel's end at this property: sends the current value and every change but those it
  /// brought itself; a value sent to it is set, nil replaced by `nilValue`.
  ///
  /// ```
  /// property        1--2-----3-7----
  /// sent to it      -----3----------
  /// heard at it     1--2-------7----
  /// ```
  /// Completes with the property. An end sent to it ends it alone: the property has no ends.
  /// C: rac_property_terminal. RAC: RACChannelTo(), RACKVOChannel's followingTerminal
  func terminal(nilValue: Value) -> Subject {
    let core = mutable
    let terminal = PropertyTerminal(core, nilValue)
    let tie = terminal.tie
    core.perform { core.add(tie) }
    return terminal
  }
}

/// Terminals that are wired to each other by hand, with operators in between, settle as ties do:
/// see Tie. While a change is delivered through a terminal, its time is noted in the thread's
/// record, and a terminal that is sent to meanwhile on this thread takes it for the time of what it
/// brings. On another thread, or later, that is a change of its own, with the newest time.
private final class PropertyTerminal: Subject {
  private let property: MutablePropertyCore
  private let nilValue: OwnedValue
  let tie: TerminalTie
  /// The time of the latest change that came in with one. A second value on behalf of that change
  /// is a change of its own, or it would be taken for the first.
  private let latest = Atomic<UInt64>(0)
  private let place = LatestChange()

  init(_ property: MutablePropertyCore, _ nilValue: Value) {
    self.property = property
    self.nilValue = OwnedValue(nilValue)
    tie = TerminalTie(property)
    super.init(core: property)
  }

  override func attach(_ sink: Sink) { property.attach(TerminalSink(tie, property, sink)) }

  override var sendsStraight: Bool { false }

  override func send(_ value: Value) -> rac_status {
    if tie.isDisposed { return Status.done }
    var time = currentThread().pointee.change_time
    if time != 0 && latest.exchange(time, ordering: .relaxed) == time { time = 0 }
    let value = value.isNull ? nilValue.value : value
    if time == 0 { return Feeding.feed { property.submitSet(value, from: tie) } }
    if property.isOutOfDate(time) { return Status.ok }
    return place.bring(value, Stamp(time: time), to: property, from: tie)
  }

  override func sendError(_ error: Value) -> rac_status { end(error) }
  override func sendCompleted() -> rac_status { end(nil) }

  private func end(_ error: Value?) -> rac_status {
    upstream.close()
    tie.end(error)
    return Status.ok
  }

  deinit {
    let (property, tie) = (property, tie)
    property.perform { property.remove(tie) }
  }

  /// Subscribers of the property stay without it.
  override func visit(_ visitor: inout Visitor) {
    visitor.reference(core)
    visitor.reference(property)
    visitor.reference(nilValue)
    visitor.reference(tie)
  }
}

/// The origin of the terminal's changes. As a tie it only has the property keep up the time.
private final class TerminalTie: Tie {
  private let property: MutablePropertyCore

  init(_ property: MutablePropertyCore) { self.property = property }

  /// The property is gone: its subscribers have completed.
  override func dispose() { isOver.store(true, ordering: .releasing) }

  func end(_ error: Value?) {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    let isError = error != nil
    let task = PropertyTask { value in
      self.property.remove(self)
      self.property.end({ ($0 as? TerminalSink)?.tie === self }) {
        if isError { $0.error(value) } else { $0.completed() }
      }
    }
    property.submitRarely(.fire, task, error ?? .null)
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(property) }
}

/// Listens at a terminal.
private final class TerminalSink: Stage {
  let tie: TerminalTie
  private let property: MutablePropertyCore

  init(_ tie: TerminalTie, _ property: MutablePropertyCore, _ downstream: Sink) {
    self.tie = tie
    self.property = property
    super.init(downstream)
  }

  /// Inside the property's gate.
  override func next(_ value: Value) {
    if property.origin?.toOpaque() == Unmanaged.passUnretained(tie).toOpaque() { return }
    // It came after the end.
    if tie.isDisposed { return downstream.completed() }
    let thread = currentThread()
    let before = thread.pointee.change_time
    thread.pointee.change_time = property.changeTime
    downstream.next(value)
    thread.pointee.change_time = before
  }

  /// The property goes on.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool { false }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.reference(property)
    visitor.reference(tie)
  }
}
