import CRAC

extension Property {
  /// Sets this property to whatever a signal sends, until the signal ends, the property goes, or
  /// the binding is disposed. The binding keeps neither of them.
  ///
  /// - Throws: an `EngineError` when the property is bound already, or to its own signal.
  ///
  /// RAC: RAC(object, key) = signal.
  @discardableResult
  public func bind<Source: SignalProtocol<Value>>(to source: Source) throws -> Disposable {
    let source = source.signal
    return try withExtendedLifetime((self, source)) {
      try startingHere {
        try Disposable(binding: rac_property_bind(pointer, source.pointer, rac_value()))
      }
    }
  }

  /// Keeps two properties equal, whichever is set and on whichever threads. First this one takes
  /// the other's value.
  ///
  /// - Throws: an `EngineError` for a property and itself.
  ///
  /// RAC: RACChannelTo(…) = RACChannelTo(…).
  @discardableResult
  public func bindTwoWay(with other: Property<Value>) throws -> Disposable {
    try withExtendedLifetime((self, other)) {
      try Disposable(binding: rac_property_bind_two_way(pointer, other.pointer))
    }
  }

  /// The same with a property of another type. First this one takes the other's value.
  ///
  /// - Parameter other: the one whose value this one takes at first.
  /// - Parameter forward: the other's value for one of this property's; when it throws, that change
  ///   is not passed on and the binding stays.
  /// - Parameter backward: the other way round.
  @discardableResult
  public func bindTwoWay<T: Sendable>(
    with other: Property<T>, forward: @escaping @Sendable (Value) throws -> T,
    backward: @escaping @Sendable (T) throws -> Value
  ) throws -> Disposable {
    let context = TwoWayContext(mapping(backward), mapping(forward))
    return try withExtendedLifetime((self, other)) {
      try Disposable(
        binding: rac_property_bind_two_way_map(
          pointer, other.pointer, context.passed, TwoWayContext.toLeft, TwoWayContext.toRight,
          TwoWayContext.release))
    }
  }

  /// A subject beside the property: it sends the current value and every change but those that were
  /// sent to it, and what is sent to it is set. RAC: RACChannelTo(…).
  public func terminal() -> Subject<Value> {
    withExtendedLifetime(self) { Subject(adopting: rac_property_terminal(pointer, rac_value())) }
  }
}

extension Disposable {
  fileprivate convenience init(binding pointer: OpaquePointer?) throws {
    guard let pointer else { throw EngineError.latest() }
    self.init(adopting: pointer)
  }
}

final class TwoWayContext: Context, @unchecked Sendable {
  let left: MapContext
  let right: MapContext

  init(_ left: MapContext, _ right: MapContext) {
    self.left = left
    self.right = right
    super.init()
  }

  static var toLeft: rac_map_fn {
    { context, value, out in
      context.with(TwoWayContext.self) { $0.left.body(value, out.unsafelyUnwrapped) }
    }
  }

  static var toRight: rac_map_fn {
    { context, value, out in
      context.with(TwoWayContext.self) { $0.right.body(value, out.unsafelyUnwrapped) }
    }
  }
}
