import CRACShims

extension Property {
  /// Sets the property to each value of the signal, nil replaced by `nilValue`.
  ///
  /// ```
  /// signal   --1--nil--2--|
  /// property 0-1--n----2----
  /// ```
  /// Ends with the signal, with the property, or disposed. The signal's error ends it too, and is
  /// logged: a property has no errors. nil when the property is bound already. A signal that is
  /// made of the property itself goes round until one of these happens, on a worker after a while:
  /// see Feeding. C: rac_property_bind. RAC: RAC(), -setKeyPath:onObject:nilValue:
  func bind(_ signal: Signal, nilValue: Value) -> Scope? {
    guard mutable.claimBinding() else { return nil }
    let sink = BindingSink(mutable, nilValue, name, recordedNode().number)
    let scope = sink.scope
    scope.add(BindingMark(mutable))
    mutable.upstream.add(scope)
    if scope.isActive { signal.subscribe(sink) }
    return scope
  }
}

/// Gives the property free for another binding when this one ends.
private final class BindingMark: Link {
  private let core: MutablePropertyCore

  init(_ core: MutablePropertyCore) { self.core = core }

  override func dispose() { core.releaseBinding() }
}

/// Holds the inside of the property only: a binding does not keep the property.
private final class BindingSink: Sink {
  private let core: MutablePropertyCore
  private let nilValue: OwnedValue
  private let name: SignalName?

  /// The property's, in a recording.
  private let target: UInt32

  init(
    _ core: MutablePropertyCore, _ nilValue: Value, _ name: SignalName?, _ target: UInt32
  ) {
    self.target = target
    self.core = core
    self.nilValue = OwnedValue(nilValue)
    self.name = name
    super.init(scope: Scope())
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    _ = Feeding.feed { core.submitSet(value.isNull ? nilValue.value : value) }
  }

  override var recordedBelow: RecordedBelow { RecordedBelow(target: target) }

  override func error(_ error: Value) {
    guard finish() else { return }
    Diagnostics.shared.reportUnhandled(error, of: name, "an error ended a binding")
  }

  override func completed() { _ = finish() }
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool { !withValue }

  private func finish() -> Bool {
    guard scope.close() else { return false }
    core.upstream.remove(scope)
    return true
  }

  /// Also when the signal went without an end, and when it was disposed.
  deinit {
    scope.close()
    core.upstream.remove(scope)
  }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.reference(core)
    visitor.reference(nilValue)
  }
}
