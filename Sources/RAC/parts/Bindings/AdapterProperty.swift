import CRACShims

extension Property {
  /// A property whose value the user keeps: a field of a C struct, say. Observed when it is set
  /// through the property. C: rac_property_create_adapter
  static func adapter(
    _ context: Context, isDistinct: Bool, get: @escaping rac_factory_fn, set: rac_try_fn?
  ) -> PropertyCore? {
    guard let initial = Value.made({ get(context.pointer, $0) }) else { return nil }
    return AdapterCore(initial, isDistinct: isDistinct, context, get, set)
  }
}

private final class AdapterCore: MutablePropertyCore {
  private let context: Context
  private let getter: rac_factory_fn
  private let setter: rac_try_fn?

  init(
    _ initial: Value, isDistinct: Bool, _ context: Context, _ getter: @escaping rac_factory_fn,
    _ setter: rac_try_fn?
  ) {
    self.context = context
    self.getter = getter
    self.setter = setter
    super.init(initial, isDistinct: isDistinct, isReadOnly: setter == nil, traits: .adapted)
  }

  override var isKeptByUser: Bool { true }

  /// The user's state is what counts, so the new value is what `get` then says: `set` may have
  /// rounded.
  override func write(_ value: Value, _ out: inout Value) -> rac_status {
    guard let setter else { return Status.kind }
    let status = setter(context.pointer, value)
    if Callback.hasFailed(status) {
      Callback.discardRaised()
      return status
    }
    out = read() ?? value.retained()
    return Status.ok
  }

  override func read() -> Value? { Value.made { getter(context.pointer, $0) } }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.reference(context)
  }
}
