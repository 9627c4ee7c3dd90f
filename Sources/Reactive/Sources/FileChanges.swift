import CRAC

/// A change of a file that is watched.
public struct FileChange: Hashable, Sendable {
  /// The kinds of changes, in inotify's numbers.
  public struct Kinds: OptionSet, Hashable, Sendable {
    /// The bits of `sys/inotify.h`.
    public let rawValue: UInt32
    /// With inotify's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It was written to.
    public static let modified = Kinds(rawValue: 0x2)
    /// Its owner, its permissions or its times were changed.
    public static let attributes = Kinds(rawValue: 0x4)
    /// It was closed by somebody who could write to it.
    public static let closedAfterWriting = Kinds(rawValue: 0x8)
    /// It was moved out of the directory, or to another name in it.
    public static let movedFrom = Kinds(rawValue: 0x40)
    /// It was moved into the directory, or came to another name in it.
    public static let movedTo = Kinds(rawValue: 0x80)
    /// It was made in the directory.
    public static let created = Kinds(rawValue: 0x100)
    /// It was deleted from the directory.
    public static let deleted = Kinds(rawValue: 0x200)
    /// The watched file was deleted: the signal completes.
    public static let deletedItself = Kinds(rawValue: 0x400)
    /// The watched file was moved: the signal completes.
    public static let movedItself = Kinds(rawValue: 0x800)
    /// Where it lay was unmounted: the signal completes.
    public static let unmounted = Kinds(rawValue: 0x2000)
    /// There were more than the system kept: look for yourself.
    public static let overflow = Kinds(rawValue: 0x4000)
    /// The change is one of a directory.
    public static let isDirectory = Kinds(rawValue: 0x4000_0000)
  }

  /// A change, as a test wants it.
  public init(kinds: Kinds, name: String, renaming: Int) {
    self.kinds = kinds
    self.name = name
    self.renaming = renaming
  }

  /// The kinds that apply.
  public let kinds: Kinds
  /// The name in the watched directory, empty for what is watched itself.
  public let name: String
  /// A number that the two halves of a renaming share, otherwise 0.
  public let renaming: Int
}

extension Signal<FileChange> {
  /// Sends what happens to a file, or to a directory and what is in it.
  ///
  ///     in a directory   mkdir a   rm b
  ///     changes(ofFile:)   -------1--2---
  ///
  /// It watches what is at the path when it is observed, and completes when that is deleted,
  /// renamed or unmounted; `repeat` then watches what is at the path next. It fails with an
  /// `EngineError` that has a `systemErrorNumber`: ENOENT where nothing is.
  ///
  /// - Parameters:
  ///   - path: of a file or a directory.
  ///   - kinds: those to report; none given stands for modified, created, deleted and moved.
  ///   - scheduler: where it sends; not the immediate one, nor a virtual one.
  public static func changes(
    ofFile path: String, _ kinds: FileChange.Kinds = [], on scheduler: Scheduler = .main
  ) -> Signal<FileChange> {
    withExtendedLifetime(scheduler) {
      converting(rac_signal_file_changes(path, kinds.rawValue, scheduler.pointer)) {
        let bits: Int = try part(of: $0, 0)
        return FileChange(
          kinds: FileChange.Kinds(rawValue: UInt32(truncatingIfNeeded: bits)),
          name: try repairedText(rac_tuple_get($0, 1)), renaming: try part(of: $0, 2))
      }
    }
  }
}
