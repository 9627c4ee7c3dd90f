// Operators whose closures make a `Signal` also take closures that make a `Subject` or a
// `Property`. They are functions of their own, so that a closure that gives a `Signal` may be
// written with a dot, `flatMap { .just($0) }`: Swift finds no members of a type that it has yet to
// infer.

extension SignalProtocol {
  /// `flatMap` to what has a signal.
  ///
  ///     source      --1------2--|
  ///     x -> -x-x|  ---1-1----2-2|
  @inlinable @_disfavoredOverload
  public func flatMap<S: SignalProtocol>(
    _ transform: @escaping @Sendable (Value) throws -> S
  ) -> Signal<S.Value> {
    flatMap { try transform($0).signal }
  }

  /// `flatMap` to what has a signal, with at most so many at a time; the others wait.
  ///
  ///     source                       --1--2--|
  ///     x -> x--x|, 1 at a time      --1--1-2--2|
  @inlinable @_disfavoredOverload
  public func flatMap<S: SignalProtocol>(
    maxConcurrent: Int, bound: Bound? = nil, _ transform: @escaping @Sendable (Value) throws -> S
  ) -> Signal<S.Value> {
    flatMap(maxConcurrent: maxConcurrent, bound: bound) { try transform($0).signal }
  }

  /// `concatMap` to what has a signal.
  ///
  ///     source        --1--2--|
  ///     x -> x--x|    --1--1-2--2|
  @inlinable @_disfavoredOverload
  public func concatMap<S: SignalProtocol>(
    bound: Bound? = nil, _ transform: @escaping @Sendable (Value) throws -> S
  ) -> Signal<S.Value> {
    concatMap(bound: bound) { try transform($0).signal }
  }

  /// `flatMapLatest` to what has a signal.
  ///
  ///     source           --1-----2-----|
  ///     x -> x--x--x|    --1--1--2--2--2|
  @inlinable @_disfavoredOverload
  public func flatMapLatest<S: SignalProtocol>(
    _ transform: @escaping @Sendable (Value) throws -> S
  ) -> Signal<S.Value> {
    flatMapLatest { try transform($0).signal }
  }

  /// `flatMapFirst` to what has a signal.
  ///
  ///     source         --1--2-----3-----|
  ///     x -> x---x|    --1---1----3---3|
  @inlinable @_disfavoredOverload
  public func flatMapFirst<S: SignalProtocol>(
    _ transform: @escaping @Sendable (Value) throws -> S
  ) -> Signal<S.Value> {
    flatMapFirst { try transform($0).signal }
  }

  /// `catch` with what has a signal.
  ///
  ///     source  --1--#
  ///     other        --2--|
  ///     catch   --1----2--|
  @inlinable @_disfavoredOverload
  public func `catch`<S: SignalProtocol<Value>>(
    _ handler: @escaping @Sendable (any Error) throws -> S
  ) -> Signal<Value> {
    self.catch { try handler($0).signal }
  }

  /// `expand` with what has a signal.
  ///
  ///     source         --1----------|
  ///     x -> x+1, 1 s  --1---2---3---…
  @inlinable @_disfavoredOverload
  public func expand<S: SignalProtocol<Value>>(
    _ transform: @escaping @Sendable (Value) throws -> S
  ) -> Signal<Value> {
    expand { try transform($0).signal }
  }
}
