/// The inside of an operator that subscribes to a signal which a callback of the user's makes of a
/// value.
class MappingCore: DynamicCore {
  private final let transform: Closure<rac_signal_fn>

  init(_ transform: Closure<rac_signal_fn>, _ downstream: Sink) {
    self.transform = transform
    super.init(downstream)
  }

  /// nil: the callback failed, and with it the stream.
  final func signal(for value: Value) -> Signal? { ask(transform, value) }

  override func visitBase(_ visitor: inout Visitor) {
    super.visitBase(&visitor)
    visitor.reference(transform.context)
  }
}
