import CRAC

extension Signal {
  /// Sends an array of the latest values whenever one of them changes, as soon as all have sent
  /// one.
  ///
  ///     a              --1-----2-----|
  ///     b              ----x------y--|
  ///     combineLatest  ----c---d--e--|   c: [1,x], d: [2,x], e: [2,y]
  ///
  /// Completes when all have, fails with the first. With `delayingErrors` a signal that fails
  /// counts as one that completes, and the first error comes when the others have ended.
  ///
  /// RAC: +combineLatest:. Rx: combineLatest, combineLatestDelayError.
  public static func combineLatest<Source: SignalProtocol>(
    _ signals: [Source], delayingErrors: Bool = false
  ) -> Signal<[Source.Value]> where Value == [Source.Value] {
    signals.withPointers {
      converting(
        delayingErrors
          ? rac_signal_combine_latest_delay_error($0, $0.count)
          : rac_signal_combine_latest($0, $0.count)
      ) { try parts(of: $0) }
    }
  }

  /// Sends an array of the first values, then of the second ones, and so on.
  ///
  ///     a    --1--2------3--|
  ///     b    ----x-----y--------|
  ///     zip  ----c-----d--------|   c: [1,x], d: [2,y]
  ///
  /// Completes when one completes that has nothing waiting, fails with the first. Values wait
  /// without limit for the signals that are behind.
  ///
  /// RAC: +zip:.
  public static func zip<Source: SignalProtocol>(
    _ signals: [Source]
  ) -> Signal<[Source.Value]> where Value == [Source.Value] {
    signals.withPointers {
      converting(rac_signal_zip($0, $0.count)) { try parts(of: $0) }
    }
  }
}

// For so many signals a function each: the optimizer of Swift 6.3 crashes on parameter packs when a
// program is built with -cross-module-optimization.

/// Sends what `transform` makes of the latest values of all, whenever one of them changes, as soon
/// as all have sent one.
///
///     a      --1-----2-----|
///     b      ----3------4--|
///     c      5-------------|
///     { + }  ----d---e--g--|   d: 9, e: 10, g: 11
///
/// Completes when all have, fails with the first. RAC: +combineLatest:reduce:.
public func combineLatest<A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, T: Sendable>(
  _ a: A, _ b: B, _ c: C,
  transform: @escaping @Sendable (A.Value, B.Value, C.Value) throws -> T
) -> Signal<T> {
  gathering([Source(a), Source(b), Source(c)]) {
    try transform(decoded($0[0]), decoded($0[1]), decoded($0[2]))
  } _: {
    rac_signal_combine_latest_reduce($0, $0.count, $1, ReduceEachContext.call, Context.release)
  }
}

/// Sends what `transform` makes of the latest values of all, whenever one of them changes, as soon
/// as all have sent one.
///
///     a      --1-----2-----|
///     b      ----3------4--|
///     c      5-------------|
///     { + }  ----d---e--g--|   d: 9, e: 10, g: 11
///
/// Completes when all have, fails with the first. RAC: +combineLatest:reduce:.
public func combineLatest<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol, T: Sendable
>(
  _ a: A, _ b: B, _ c: C, _ d: D,
  transform: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value) throws -> T
) -> Signal<T> {
  gathering([Source(a), Source(b), Source(c), Source(d)]) {
    try transform(decoded($0[0]), decoded($0[1]), decoded($0[2]), decoded($0[3]))
  } _: {
    rac_signal_combine_latest_reduce($0, $0.count, $1, ReduceEachContext.call, Context.release)
  }
}

/// Sends what `transform` makes of the first values of all, then of the second ones, and so on.
///
///     a      --1--2------3--|
///     b      ----3-----4--------|
///     c      5-------1----------|
///     { + }  ----9-----7--------|
///
/// Completes when one completes that has nothing waiting, fails with the first. RAC: +zip:reduce:.
public func zip<A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, T: Sendable>(
  _ a: A, _ b: B, _ c: C,
  transform: @escaping @Sendable (A.Value, B.Value, C.Value) throws -> T
) -> Signal<T> {
  gathering([Source(a), Source(b), Source(c)]) {
    try transform(decoded($0[0]), decoded($0[1]), decoded($0[2]))
  } _: {
    rac_signal_zip_reduce($0, $0.count, $1, ReduceEachContext.call, Context.release)
  }
}

/// Sends what `transform` makes of the first values of all, then of the second ones, and so on.
///
///     a      --1--2------3--|
///     b      ----3-----4--------|
///     c      5-------1----------|
///     { + }  ----9-----7--------|
///
/// Completes when one completes that has nothing waiting, fails with the first. RAC: +zip:reduce:.
public func zip<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol, T: Sendable
>(
  _ a: A, _ b: B, _ c: C, _ d: D,
  transform: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value) throws -> T
) -> Signal<T> {
  gathering([Source(a), Source(b), Source(c), Source(d)]) {
    try transform(decoded($0[0]), decoded($0[1]), decoded($0[2]), decoded($0[3]))
  } _: {
    rac_signal_zip_reduce($0, $0.count, $1, ReduceEachContext.call, Context.release)
  }
}

private struct Source {
  let pointer: OpaquePointer?
  let owner: Any

  init<S: SignalProtocol>(_ source: S) {
    let signal = source.signal
    pointer = signal.pointer
    owner = signal
  }
}

private func gathering<T: Sendable>(
  _ sources: [Source], _ transform: @escaping @Sendable (UnsafePointer<rac_value>) throws -> T,
  _ make: ([OpaquePointer?], UnsafeMutableRawPointer) -> OpaquePointer?
) -> Signal<T> {
  let context = ReduceEachContext { values, _, out in
    do {
      out.pointee = encode(try transform(values))
      return 0
    } catch {
      return raise(error)
    }
  }
  return withExtendedLifetime(sources) {
    Signal(adopting: make(sources.map(\.pointer), context.passed))
  }
}
