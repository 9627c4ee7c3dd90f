import CRAC

/// An event of a child: a line of text, or bytes as they are read.
public enum ChildEvent<Output: Hashable & Sendable>: Hashable, Sendable {
  /// The number of the process.
  case started(Int32)
  /// From its standard output.
  case output(Output)
  /// From its standard error.
  case errors(Output)
  /// The last one: it has ended, and its outputs are closed.
  case ended(ExitStatus)

  static func from(_ tuple: rac_value, _ output: (rac_value) throws -> Output) throws -> Self {
    let value = rac_tuple_get(tuple, 1)
    let event: Int32 = try part(of: tuple, 0)
    switch event {
    case RAC_CHILD_STARTED: return .started(try decoded(value))
    case RAC_CHILD_OUTPUT: return .output(try output(value))
    case RAC_CHILD_ERRORS: return .errors(try output(value))
    default: return .ended(ExitStatus(waitStatus: try decoded(value)))
    }
  }
}

/// The parts of this process that a child has.
public struct ChildOptions: OptionSet, Hashable, Sendable {
  /// The bits of `rac_spawn_option`.
  public let rawValue: UInt32
  /// With the engine's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Its standard output comes as events; otherwise it is that of this process.
  public static let output = ChildOptions(rawValue: UInt32(RAC_SPAWN_OUTPUT))
  /// Its standard error comes as events; otherwise it is that of this process.
  public static let errors = ChildOptions(rawValue: UInt32(RAC_SPAWN_ERRORS))
  /// It has a process group of its own, of which nothing is left.
  public static let ownGroup = ChildOptions(rawValue: UInt32(RAC_SPAWN_GROUP))
}

extension Signal<ChildEvent<String>> {
  /// Starts a program for each observation, and sends its lines and how it ends.
  ///
  ///     the child prints --a\n---b\n--exits
  ///     spawn            s-a-----b----e|   (s: started; e: ended)
  ///
  /// Disposed before its end, or at an error, the child gets SIGTERM, and SIGKILL when it has not
  /// ended in time. An exit status that is not 0 is no error. It fails with an `EngineError` that
  /// has a `systemErrorNumber`: ENOENT where there is no such program or directory.
  ///
  /// - Parameters:
  ///   - arguments: the first is the program, which is looked for in PATH. No shell sees them.
  ///   - input: text for its standard input, which is closed at the end; its input is empty without
  ///     it.
  ///   - options: what comes of its outputs.
  ///   - environment: such as "LANG=C"; nil: that of this process.
  ///   - directory: where it works; nil: where this process does.
  ///   - grace: the time from SIGTERM to SIGKILL; none: SIGKILL at once.
  ///   - scheduler: where it reads and sends; not the immediate one, nor a virtual one.
  public static func spawn(
    _ arguments: [String], input: Signal<String>? = nil, options: ChildOptions = .output,
    environment: [String]? = nil, directory: String? = nil, grace: Duration = .seconds(5),
    on scheduler: Scheduler = .main
  ) -> Signal<ChildEvent<String>> {
    converting(
      spawned(
        arguments, environment, directory, input?.map { Array($0.utf8) }, options, grace,
        scheduler)
    ) { try ChildEvent.from($0, repairedText) }
  }
}

extension Signal<ChildEvent<[UInt8]>> {
  /// As `spawn`, with bytes as they are read.
  ///
  ///     the child prints --ab---c--exits
  ///     spawnWithBytes   s-ab---c----e|   (ab: one event, of two bytes)
  ///
  /// - Parameters:
  ///   - arguments: the first is the program, which is looked for in PATH. No shell sees them.
  ///   - input: bytes for its standard input, which is closed at the end; its input is empty
  ///     without it.
  ///   - options: what comes of its outputs.
  ///   - environment: such as "LANG=C"; nil: that of this process.
  ///   - directory: where it works; nil: where this process does.
  ///   - grace: the time from SIGTERM to SIGKILL; none: SIGKILL at once.
  ///   - scheduler: where it reads and sends; not the immediate one, nor a virtual one.
  public static func spawnWithBytes(
    _ arguments: [String], input: Signal<[UInt8]>? = nil, options: ChildOptions = .output,
    environment: [String]? = nil, directory: String? = nil, grace: Duration = .seconds(5),
    on scheduler: Scheduler = .main
  ) -> Signal<ChildEvent<[UInt8]>> {
    let bytes = ChildOptions(rawValue: options.rawValue | UInt32(RAC_SPAWN_BYTES))
    return converting(
      spawned(arguments, environment, directory, input, bytes, grace, scheduler)
    ) { try ChildEvent.from($0) { try decoded($0) } }
  }
}

private func spawned(
  _ arguments: [String], _ environment: [String]?, _ directory: String?,
  _ input: Signal<[UInt8]>?, _ options: ChildOptions, _ grace: Duration, _ scheduler: Scheduler
) -> OpaquePointer? {
  withTexts(arguments) { arguments in
    withTexts(environment) { environment in
      let start: (OpaquePointer?) -> OpaquePointer? = {
        rac_signal_spawn(
          arguments, environment, directory, $0, options.rawValue, grace.seconds,
          scheduler.pointer)
      }
      return withExtendedLifetime(scheduler) { input.map { ofBytes($0, start) } ?? start(nil) }
    }
  }
}

/// Calls it with the texts as C has them, NULL behind the last.
private func withTexts<Result>(
  _ texts: [String]?, _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
  guard let texts else { return body(nil) }
  var characters: [CChar] = []
  var places: [Int] = []
  for text in texts {
    places.append(characters.count)
    characters.append(contentsOf: text.utf8CString)
  }
  return characters.withUnsafeBufferPointer { all in
    let pointers = places.map { place in all.baseAddress.map { $0 + place } } + [nil]
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
