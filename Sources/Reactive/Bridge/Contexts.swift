import CRAC

// The contexts of C callbacks: each is a closure that is not generic, by the shape of the callback.
// The generic part of an operator is inlined where it is used and becomes such a closure there;
// everything here is compiled once.
//
// A function that takes a closure is `@inline(__always)` if values pass through the closure.
// Otherwise, if the function is generic, the closure takes and gives its values in memory from then
// on.
//
// Each class has `passed`, the context with a reference that `releaseContext` gives back, and
// `call`, the C function.

@usableFromInline
class Context: @unchecked Sendable {
  // Only subclasses with Sendable closures, all of them `let`.
  @usableFromInline init() {}

  /// For the C function that takes `releaseContext` along with it.
  @inlinable final var passed: UnsafeMutableRawPointer {
    @inline(__always) consuming get { Unmanaged.passRetained(self).toOpaque() }
  }

  @usableFromInline static var release: rac_destroy_fn {
    { Unmanaged<AnyObject>.fromOpaque($0!).release() }
  }
}

extension UnsafeMutableRawPointer? {
  /// Borrows the context for a call.
  @inline(__always)
  func with<C: Context, R>(_ type: C.Type, _ body: (C) -> R) -> R {
    Unmanaged<C>.fromOpaque(self.unsafelyUnwrapped)._withUnsafeGuaranteedRef(body)
  }
}

/// A value of a value.
@usableFromInline
final class MapContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (rac_value, UnsafeMutablePointer<rac_value>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_map_fn {
    { context, value, out in
      context.with(MapContext.self) { $0.body(value, out.unsafelyUnwrapped) }
    }
  }
}

/// Yes or no to a value.
@usableFromInline
final class PredicateContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body = @Sendable (rac_value, UnsafeMutablePointer<Bool>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_predicate_fn {
    { context, value, out in
      context.with(PredicateContext.self) { $0.body(value, out.unsafelyUnwrapped) }
    }
  }
}

/// A value of two.
@usableFromInline
final class ReduceContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (rac_value, rac_value, UnsafeMutablePointer<rac_value>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_reduce_fn {
    { context, running, next, out in
      context.with(ReduceContext.self) { $0.body(running, next, out.unsafelyUnwrapped) }
    }
  }
}

/// How two values compare.
@usableFromInline
final class CompareContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (rac_value, rac_value, UnsafeMutablePointer<Int32>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_compare_fn {
    { context, value, other, out in
      context.with(CompareContext.self) { $0.body(value, other, out.unsafelyUnwrapped) }
    }
  }
}

/// A value of several.
@usableFromInline
final class ReduceEachContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (UnsafePointer<rac_value>, Int, UnsafeMutablePointer<rac_value>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_reduce_each_fn {
    { context, elements, count, out in
      context.with(ReduceEachContext.self) {
        $0.body(elements.unsafelyUnwrapped, count, out.unsafelyUnwrapped)
      }
    }
  }
}

/// A value of nothing.
@usableFromInline
final class FactoryContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body = @Sendable (UnsafeMutablePointer<rac_value>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_factory_fn {
    { context, out in
      context.with(FactoryContext.self) { $0.body(out.unsafelyUnwrapped) }
    }
  }
}

/// Yes, or a failure.
@usableFromInline
final class TryContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body = @Sendable (rac_value) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_try_fn {
    { context, value in
      context.with(TryContext.self) { $0.body(value) }
    }
  }
}

/// A closure that makes a signal of a value: for a flattening operator, or a command.
@usableFromInline
final class SignalContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (rac_value, UnsafeMutablePointer<OpaquePointer?>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_signal_fn {
    { context, value, out in
      context.with(SignalContext.self) { $0.body(value, out.unsafelyUnwrapped) }
    }
  }
}

/// A signal of a value and its number.
@usableFromInline
final class SignalIndexContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (rac_value, Int, UnsafeMutablePointer<OpaquePointer?>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_signal_index_fn {
    { context, value, index, out in
      context.with(SignalIndexContext.self) { $0.body(value, index, out.unsafelyUnwrapped) }
    }
  }
}

/// A signal of nothing.
@usableFromInline
final class DeferContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body = @Sendable (UnsafeMutablePointer<OpaquePointer?>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_defer_fn {
    { context, out in
      context.with(DeferContext.self) { $0.body(out.unsafelyUnwrapped) }
    }
  }
}

/// A signal whose subscriptions do what `body` does. A closure that captures nothing is its own
/// context.
@usableFromInline
func makeSignal(_ body: __owned @escaping SubscribeContext.Body) -> OpaquePointer? {
  if let bare = BareClosure(body: body).context {
    return rac_signal_create(bare, SubscribeContext.callBare, nil)
  }
  return rac_signal_create(
    SubscribeContext(body).passed, SubscribeContext.call, SubscribeContext.release)
}

/// The work of a subscription: the closure gets a keeper, by which it may keep the subscriber.
@usableFromInline
final class SubscribeContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body = @Sendable (OpaquePointer, Keeper) -> rac_status
  let body: Body

  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  static var call: rac_subscribe_fn {
    { context, subscriber, _ in
      let subscriber = subscriber.unsafelyUnwrapped
      return context.with(SubscribeContext.self) { context in
        Keeper.lend(subscriber) { context.body(subscriber, $0) }
      }
    }
  }

  static var callBare: rac_subscribe_fn {
    { context, subscriber, _ in
      let subscriber = subscriber.unsafelyUnwrapped
      return Keeper.lend(subscriber) { BareClosure(context).body(subscriber, $0) }
    }
  }
}

/// A closure is two words: its code, and what it captures, 0 for nothing.
private struct BareClosure {
  let body: SubscribeContext.Body

  init(body: @escaping SubscribeContext.Body) { self.body = body }

  init(_ context: UnsafeMutableRawPointer?) {
    self = unsafeBitCast((UInt(bitPattern: context), UInt(0)), to: BareClosure.self)
  }

  /// The code, if that is all.
  var context: UnsafeMutableRawPointer? {
    let (code, captured) = unsafeBitCast(self, to: (UInt, UInt).self)
    return captured == 0 ? UnsafeMutableRawPointer(bitPattern: code) : nil
  }
}

/// Does something.
@usableFromInline
final class ActionContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body = @Sendable () -> Void
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_action_fn {
    { context in
      context.with(ActionContext.self) { $0.body() }
    }
  }
}
