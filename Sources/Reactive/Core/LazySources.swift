import CRAC

extension Signal {
  /// A signal that is made anew for each observer.
  ///
  /// RAC: +defer:.
  public static func deferred(_ make: @escaping @Sendable () throws -> Signal) -> Signal {
    let context = DeferContext { out in
      do {
        out.pointee = try make().retainedPointer()
        return 0
      } catch {
        return raise(error)
      }
    }
    return Signal(
      adopting: rac_signal_defer(context.passed, DeferContext.call, DeferContext.release))
  }

  /// Sends one value, made anew for each observer, and completes; fails with what `make` throws.
  ///
  /// RAC: +try:. Rx: fromCallable.
  public init(catching make: @escaping @Sendable () throws -> Value) {
    let context = FactoryContext { out in
      do {
        out.pointee = encode(try make())
        return 0
      } catch {
        return raise(error)
      }
    }
    self.init(
      adopting: rac_signal_from_factory(context.passed, FactoryContext.call, FactoryContext.release)
    )
  }

  /// Sends what is in a sequence, and completes. Each observer goes through it from the beginning;
  /// one that stops observing stops going through it.
  ///
  /// RAC: -rac_sequence.signal. Rx: from.
  public init<S: Sequence & Sendable>(_ sequence: S) where S.Element == Value {
    self.init { observer in
      for value in sequence {
        guard observer.isActive else { return }
        observer.send(value)
      }
      observer.complete()
    }
  }

  /// Makes a resource for each observation, a signal with it, and releases it once when the
  /// observation is over, however.
  ///
  ///     acquire  a
  ///     use      --1--2--|
  ///     using    --1--2--|
  ///     release  --------a
  ///
  /// If `acquire` throws nothing was made, and if `use` throws the resource is released; the signal
  /// fails with what they throw.
  public static func using<Resource: Sendable, S: SignalProtocol<Value>>(
    _ acquire: @escaping @Sendable () throws -> Resource,
    release: @escaping @Sendable (Resource) -> Void,
    _ use: @escaping @Sendable (Resource) throws -> S
  ) -> Signal {
    let context = ResourceContext(
      acquire: FactoryContext { out in
        do {
          out.pointee = encode(try acquire())
          return 0
        } catch {
          return raise(error)
        }
      }, use: flattening(use),
      release: { value in
        if let resource: Resource = decode(value) { release(resource) }
      })
    return Signal(
      adopting: rac_signal_using(
        context.passed, ResourceContext.acquire, ResourceContext.use, ResourceContext.letGo,
        ResourceContext.release))
  }
}

private final class ResourceContext: Context, @unchecked Sendable {
  let acquiring: FactoryContext
  let using: SignalContext
  let releasing: @Sendable (rac_value) -> Void

  init(
    acquire: FactoryContext, use: SignalContext, release: @escaping @Sendable (rac_value) -> Void
  ) {
    acquiring = acquire
    using = use
    releasing = release
    super.init()
  }

  static var acquire: rac_factory_fn {
    { context, out in
      context.with(ResourceContext.self) { $0.acquiring.body(out.unsafelyUnwrapped) }
    }
  }

  static var use: rac_signal_fn {
    { context, value, out in
      context.with(ResourceContext.self) { $0.using.body(value, out.unsafelyUnwrapped) }
    }
  }

  static var letGo: rac_next_fn {
    { context, value in context.with(ResourceContext.self) { $0.releasing(value) } }
  }
}
