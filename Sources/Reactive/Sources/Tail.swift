import CRAC

/// Where a tail starts in the file that is there.
public enum TailStart: Hashable, Sendable {
  /// Where the file ends when the signal is observed.
  case end
  /// At its beginning.
  case beginning
  /// At the offset behind a line that came before.
  case offset(Int)

  var number: Int64 {
    switch self {
    case .end: Int64(RAC_TAIL_END)
    case .beginning: Int64(RAC_TAIL_BEGINNING)
    case .offset(let offset): Int64(max(0, offset))
    }
  }
}

/// A line of a file that grows, and the place where a program goes on behind it.
public struct TailedLine: Hashable, Sendable {
  /// A line, as a test wants it.
  public init(text: String, offset: Int, file: UInt64) {
    self.text = text
    self.offset = offset
    self.file = file
  }

  /// The line without its ending. Bytes that are not UTF-8 are replaced.
  public let text: String
  /// The offset behind it.
  public let offset: Int
  /// The number of its file, as `stat` has it in `st_ino`. Where the file at the path has another
  /// one, go on at its beginning.
  public let file: UInt64
}

extension Signal<String> {
  /// Sends the lines of a file that grows, through its rotations.
  ///
  ///     is written    --a\nb---c\n----
  ///     tail(ofFile:) --a------bc-----
  ///
  /// A line comes when its newline does. When another file is at the path, and something is in
  /// that, the rest of the old one comes, and then the new one from its beginning; a file that has
  /// become shorter than what was read of it is read from its beginning. Bytes behind the last
  /// newline of the one before are a line, too. The file need not be there yet; its directory must
  /// be.
  ///
  /// It never completes. It fails at a line that is too long, or with an `EngineError` that has a
  /// `systemErrorNumber`: ENOENT where there is no directory, or that has gone, EACCES where the
  /// file cannot be read.
  ///
  /// - Parameters:
  ///   - path: of a file on a disk of this machine.
  ///   - start: where it starts in the file that is there.
  ///   - longest: the most bytes of a line, up to 2^30.
  ///   - scheduler: where it reads and sends; not the immediate one, nor a virtual one.
  public static func tail(
    ofFile path: String, from start: TailStart = .end, longest: Int = 65_536,
    on scheduler: Scheduler = .main
  ) -> Signal<String> {
    withExtendedLifetime(scheduler) {
      converting(
        rac_signal_tail(path, start.number, false, notNegative(longest), scheduler.pointer),
        repairedText)
    }
  }
}

extension Signal<TailedLine> {
  /// As `tail(ofFile:)`, with the place behind each line.
  ///
  ///     is written               --a\nb---c\n----
  ///     tailWithOffsets(ofFile:) --1------2------   (1: a, 2; 2: bc, 5)
  ///
  /// - Parameters:
  ///   - path: of a file on a disk of this machine.
  ///   - start: where it starts in the file that is there.
  ///   - longest: the most bytes of a line, up to 2^30.
  ///   - scheduler: where it reads and sends; not the immediate one, nor a virtual one.
  public static func tailWithOffsets(
    ofFile path: String, from start: TailStart = .end, longest: Int = 65_536,
    on scheduler: Scheduler = .main
  ) -> Signal<TailedLine> {
    withExtendedLifetime(scheduler) {
      converting(
        rac_signal_tail(path, start.number, true, notNegative(longest), scheduler.pointer)
      ) {
        let number: Int = try part(of: $0, 2)
        return TailedLine(
          text: try repairedText(rac_tuple_get($0, 0)), offset: try part(of: $0, 1),
          file: UInt64(bitPattern: Int64(number)))
      }
    }
  }
}
