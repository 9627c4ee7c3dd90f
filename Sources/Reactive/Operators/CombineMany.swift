import CRAC

extension Signal {
  /// Sends an array of the latest values whenever one of them changes, as soon as all have sent one.
  ///
  ///     a              --1------2------|
  ///     b              ----8-------9---|
  ///     combineLatest  ----[1,8][2,8][2,9]--|
  ///
  /// Completes when all have, fails with the first. With `delayingErrors` a signal that fails counts as one
  /// that completes, and the first error comes when the others have ended.
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
  ///     b    ----8-----9--------|
  ///     zip  ----[1,8]-[2,9]----|
  ///
  /// Completes when one completes that has nothing waiting, fails with the first. Values wait without limit for
  /// the signals that are behind.
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

/// Sends what `transform` makes of the latest values of all, whenever one of them changes, as soon as all have
/// sent one.
///
///     a        --1-----2-----|
///     b        ----3------4--|
///     { + }    ----4---5--6--|
///
/// Completes when all have, fails with the first. RAC: +combineLatest:reduce:.
public func combineLatest<each Source: SignalProtocol, T: Sendable>(
  _ signals: repeat each Source,
  transform: @escaping @Sendable (repeat (each Source).Value) throws -> T
) -> Signal<T> {
  gathering(repeat each signals, transform: transform) {
    rac_signal_combine_latest_reduce($0, $0.count, $1, ReduceEachContext.call, Context.release)
  }
}

/// Sends what `transform` makes of the first values of all, then of the second ones, and so on.
///
///     a      --1--2------3--|
///     b      ----3-----4--------|
///     { + }  ----4-----6--------|
///
/// Completes when one completes that has nothing waiting, fails with the first. RAC: +zip:reduce:.
public func zip<each Source: SignalProtocol, T: Sendable>(
  _ signals: repeat each Source,
  transform: @escaping @Sendable (repeat (each Source).Value) throws -> T
) -> Signal<T> {
  gathering(repeat each signals, transform: transform) {
    rac_signal_zip_reduce($0, $0.count, $1, ReduceEachContext.call, Context.release)
  }
}

private func gathering<each Source: SignalProtocol, T: Sendable>(
  _ signals: repeat each Source,
  transform: @escaping @Sendable (repeat (each Source).Value) throws -> T,
  _ make: ([OpaquePointer?], UnsafeMutableRawPointer) -> OpaquePointer?
) -> Signal<T> {
  let context = ReduceEachContext { values, _, out in
    do {
      var index = -1
      func next<V>(_ type: V.Type) throws -> V {
        index += 1
        return try decoded(values[index])
      }
      out.pointee = encode(try transform(repeat try next((each Source).Value.self)))
      return 0
    } catch {
      return raise(error)
    }
  }
  var pointers: [OpaquePointer?] = []
  var owners: [Any] = []
  for signal in repeat (each signals).signal {
    pointers.append(signal.pointer)
    owners.append(signal)
  }
  return withExtendedLifetime(owners) { Signal(adopting: make(pointers, context.passed)) }
}
