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
