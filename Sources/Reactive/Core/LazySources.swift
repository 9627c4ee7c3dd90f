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

  /// Sends what is in a sequence, one element in each turn of a scheduler, and completes. Each
  /// observer goes through it from the beginning. The next element is asked for when there is room
  /// for it below: a full place there holds the sequence up.
  ///
  ///     Signal(1..., on: .background()).deliver(on: worker, bound: Bound(8, .wait))
  ///
  /// RAC: -signalWithScheduler:.
  public init<S: Sequence & Sendable>(_ sequence: S, on scheduler: Scheduler)
  where S.Element == Value {
    let context = DeferContext { out in
      var elements = sequence.makeIterator()
      let pull = PullContext { elements.next().map { encode($0) } }
      let made = rac_sequence_generate(
        rac_value_nil(), pull.passed, PullContext.call, PullContext.release)
      defer { rac_release(UnsafeMutableRawPointer(made)) }
      out.pointee = withExtendedLifetime(scheduler) {
        rac_sequence_signal(made, scheduler.pointer)
      }
      return out.pointee == nil ? rac_last_error_code() : 0
    }
    self.init(
      adopting: rac_signal_defer(context.passed, DeferContext.call, DeferContext.release))
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

/// One element after the other, asked for by one thread at a time.
private final class PullContext: Context, @unchecked Sendable {
  /// Owned; nil at the end.
  let next: () -> rac_value?

  init(_ next: @escaping () -> rac_value?) {
    self.next = next
    super.init()
  }

  static var call: rac_generate_fn {
    { context, _, _, out in
      context.with(PullContext.self) {
        guard let value = $0.next() else { return rac_status(RAC_EEMPTY) }
        out.unsafelyUnwrapped.pointee = value
        return 0
      }
    }
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
