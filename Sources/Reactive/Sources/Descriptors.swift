import CRAC

// Signals of descriptors. Each observation has a duplicate of the descriptor, opened and closed
// with it.

extension Signal<Int32> {
  /// Sends the descriptor whenever it can be read, until it has been read to its end.
  ///
  ///     arrives  --a-----bc----|
  ///     readable --x-----x-----|   (the closure reads what is there)
  ///
  /// While something is left to read it sends again, when its observer has returned: read where it
  /// sends. A listening socket is readable when somebody connects. It fails with an `EngineError`
  /// that has a `systemErrorNumber`.
  ///
  /// - Parameters:
  ///   - descriptor: open, to read.
  ///   - closesDescriptor: whether the descriptor is closed when the signal and all observations
  ///     are gone, and the signals with them that `flatMap` and its kin have made of their values;
  ///     a task that an observer starts is not waited for. Otherwise it stays the program's.
  ///   - scheduler: where it sends; not the immediate one, nor a virtual one.
  public static func readable(
    _ descriptor: Int32, closesDescriptor: Bool = false, on scheduler: Scheduler = .main
  ) -> Signal<Int32> {
    withExtendedLifetime(scheduler) {
      Signal(
        adopting: rac_signal_readable(descriptor, ownership(closesDescriptor), scheduler.pointer))
    }
  }

  /// Sends the descriptor whenever it can be written, until nobody reads it any more.
  ///
  ///     room     --x--------x----#
  ///     writable --xxxx-----xx---#   (until the closure has filled it)
  ///
  /// It sends again as long as there is room: dispose it when there is nothing to write, or wait
  /// for one value with `prefix(1)`. After a `connect` that is under way the first value says that
  /// it has succeeded, and an error why it has not.
  ///
  /// - Parameters:
  ///   - descriptor: open, to write.
  ///   - closesDescriptor: as for `readable`.
  ///   - scheduler: where it sends; not the immediate one, nor a virtual one.
  public static func writable(
    _ descriptor: Int32, closesDescriptor: Bool = false, on scheduler: Scheduler = .main
  ) -> Signal<Int32> {
    withExtendedLifetime(scheduler) {
      Signal(
        adopting: rac_signal_writable(descriptor, ownership(closesDescriptor), scheduler.pointer))
    }
  }
}

extension Signal<[UInt8]> {
  /// Sends what can be read from a descriptor, as it comes, and completes at its end.
  ///
  ///     arrives --ab-----c----|
  ///     bytes   --ab-----c----|   (ab: one value, of two bytes)
  ///
  /// Reading goes on when the observer has returned, so whoever writes is held up by the pipe being
  /// full. Several observations share what comes, as several readers do. It fails with an
  /// `EngineError` that has a `systemErrorNumber`.
  ///
  /// - Parameters:
  ///   - descriptor: open, to read.
  ///   - size: the most bytes of a value, up to 2^30.
  ///   - closesDescriptor: whether the descriptor is closed when the signal and all observations
  ///     are gone, and the signals with them that `flatMap` and its kin have made of their values;
  ///     a task that an observer starts is not waited for. Otherwise it stays the program's.
  ///   - scheduler: where it reads and sends; not the immediate one, nor a virtual one.
  public static func bytes(
    from descriptor: Int32, upTo size: Int = 65_536, closesDescriptor: Bool = false,
    on scheduler: Scheduler = .main
  ) -> Signal<[UInt8]> {
    withExtendedLifetime(scheduler) {
      converting(
        rac_signal_chunks(
          descriptor, ownership(closesDescriptor), notNegative(size), scheduler.pointer)
      ) { try decoded($0) }
    }
  }
}

extension Signal<String> {
  /// Sends the lines that can be read from a descriptor, and completes at its end.
  ///
  ///     arrives --a\nb---c\n----d|
  ///     lines   --a------bc-----d|
  ///
  /// A line ends with "\n" or "\r\n", which is not part of it; text after the last line ending is a
  /// line too. Bytes that are not UTF-8 are replaced, as by `String(decoding:as:)`. Reading goes on
  /// when the observer has returned from all lines that are there. One observation at a time: a
  /// second one would get other parts.
  ///
  /// It fails with an `EngineError` that has a `systemErrorNumber`, or at a line that is too long.
  ///
  /// - Parameters:
  ///   - descriptor: open, to read.
  ///   - longest: the most bytes of a line, up to 2^30.
  ///   - closesDescriptor: whether the descriptor is closed when the signal and all observations
  ///     are gone, and the signals with them that `flatMap` and its kin have made of their values;
  ///     a task that an observer starts is not waited for. Otherwise it stays the program's.
  ///   - scheduler: where it reads and sends; not the immediate one, nor a virtual one.
  public static func lines(
    from descriptor: Int32, longest: Int = 65_536, closesDescriptor: Bool = false,
    on scheduler: Scheduler = .main
  ) -> Signal<String> {
    withExtendedLifetime(scheduler) {
      converting(
        rac_signal_lines(
          descriptor, ownership(closesDescriptor), notNegative(longest), scheduler.pointer),
        repairedText)
    }
  }
}

func ownership(_ closesDescriptor: Bool) -> Int32 {
  Int32(closesDescriptor ? RAC_DESCRIPTOR_OWNED : RAC_DESCRIPTOR_LENT)
}

/// The engine's text: a string, or bytes where it is not UTF-8.
@Sendable
func repairedText(_ value: rac_value) throws -> String {
  if let text = text(of: value) { return text }
  return String(decoding: try decoded(value, as: [UInt8].self), as: UTF8.self)
}
