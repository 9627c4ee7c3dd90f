import CRAC

/// Work that is started by something — a button, mostly — and tells how it goes: whether it is
/// going on, whether it may be started, and what went wrong.
///
/// While it executes it is disabled, unless `allowsConcurrentExecution`. Its signals send on its
/// scheduler, the main one unless it is told otherwise.
///
/// RAC: RACCommand. ReactiveSwift: Action.
public final class Command<Input: Sendable, Output: Sendable>: Sendable {
  nonisolated(unsafe) let pointer: OpaquePointer?

  private init(
    _ enabled: Signal<Bool>?, _ scheduler: Scheduler, _ execute: @escaping SignalContext.Body
  ) {
    pointer = withExtendedLifetime((enabled, scheduler)) {
      startingHere {
        rac_command_create(
          enabled?.pointer, scheduler.pointer, SignalContext(execute).passed, SignalContext.call,
          SignalContext.release)
      }
    }
  }

  /// A command that executes what a signal does.
  ///
  /// - Parameter enabled: whether it may be executed; the latest value counts, and true before the
  ///   first.
  /// - Parameter scheduler: where executions are subscribed to, and where the command's signals
  ///   send.
  /// - Parameter execute: runs where the command is executed; when it throws, the execution fails.
  public convenience init(
    enabledIf enabled: (any SignalProtocol<Bool>)? = nil, on scheduler: Scheduler = .main,
    _ execute: @escaping @Sendable (Input) throws -> Signal<Output>
  ) {
    self.init(enabled?.signal, scheduler) { input, out in
      guard let input: Input = decode(input) else { return raiseMismatch(input, Input.self) }
      do {
        out.pointee = handOver(try execute(input))
        return 0
      } catch {
        return raise(error)
      }
    }
  }

  /// A command that executes an asynchronous function, each execution in a task of its own.
  public convenience init(
    enabledIf enabled: (any SignalProtocol<Bool>)? = nil, on scheduler: Scheduler = .main,
    task: @escaping @Sendable (Input) async throws -> Output
  ) {
    self.init(enabledIf: enabled, on: scheduler) { input in Signal { try await task(input) } }
  }

  deinit { rac_release(UnsafeMutableRawPointer(pointer)) }

  /// Executes the command, whether or not anybody observes. The signal replays what the execution
  /// sends, and fails with an `EngineError` that `isNotEnabled` when the command is disabled. RAC:
  /// -execute:.
  @discardableResult
  public func execute(_ input: Input) -> Signal<Output> {
    withExtendedLifetime(self) {
      Signal(
        adopting: withEncoded(input) { input in
          startingHere { rac_command_execute(pointer, input) }
        })
    }
  }

  /// Executes the command and waits for the last value it sends.
  ///
  /// - Throws: the error of the execution; an `EngineError` when it is disabled, or sends no value;
  ///   `CancellationError` when the task is cancelled, while the execution goes on.
  public func callAsFunction(_ input: Input) async throws -> Output {
    try Task.checkCancellation()
    return try await execute(input).last()
  }

  /// Whether it is executing now.
  public var isExecuting: Bool { withExtendedLifetime(self) { rac_command_is_executing(pointer) } }

  /// Whether it would execute now, unless another thread is faster.
  public var isEnabled: Bool { withExtendedLifetime(self) { rac_command_is_enabled(pointer) } }

  /// Whether it is executing: the current answer, then the changes. RAC: -executing.
  public var executing: Signal<Bool> {
    withExtendedLifetime(self) { Signal(adopting: rac_command_executing(pointer)) }
  }

  /// Whether it would execute: the current answer, then the changes. RAC: -enabled.
  public var enabled: Signal<Bool> {
    withExtendedLifetime(self) { Signal(adopting: rac_command_enabled(pointer)) }
  }

  /// The errors of all executions, as values. RAC: -errors.
  public var errors: Signal<any Error> {
    withExtendedLifetime(self) {
      Signal<any Error>(adopting: rac_command_errors(pointer)).derive {
        rac_signal_map(
          $0,
          MapContext { error, out in
            out.pointee = encode(box: ValueBox(decode(error: error) as any Error))
            return 0
          }.passed, MapContext.call, MapContext.release)
      }
    }
  }

  /// A signal for each execution, sent as it begins, which completes where the execution fails.
  /// RAC: -executionSignals.
  public var executions: Signal<Signal<Output>> {
    withExtendedLifetime(self) {
      Signal<Signal<Output>>(adopting: rac_command_execution_signals(pointer)).derive {
        rac_signal_map(
          $0, unpackingSignals(of: Output.self).passed, MapContext.call, MapContext.release)
      }
    }
  }

  /// The values of all executions. RAC: [-executionSignals flatten].
  public var values: Signal<Output> {
    withExtendedLifetime(self) {
      Signal<Signal<Output>>(adopting: rac_command_execution_signals(pointer)).derive {
        rac_signal_flatten($0, 0)
      }
    }
  }

  /// Whether an execution may begin while another one is going on; false to begin with.
  public var allowsConcurrentExecution: Bool {
    get { withExtendedLifetime(self) { rac_command_allows_concurrent_execution(pointer) } }
    set {
      withExtendedLifetime(self) {
        _ = rac_command_set_allows_concurrent_execution(pointer, newValue)
      }
    }
  }
}

extension Command where Input == Void {
  /// Executes a command that needs nothing.
  @discardableResult
  public func execute() -> Signal<Output> { execute(()) }

  /// Executes a command that needs nothing, and waits for the last value it sends.
  public func callAsFunction() async throws -> Output { try await self(()) }
}

/// The context that makes of the engine's signals as values those of Swift.
@inlinable
func unpackingSignals<T: Sendable>(of type: T.Type) -> MapContext {
  MapContext { value, out in
    guard let pointer = rac_value_to_signal(value) else {
      return raiseMismatch(value, Signal<T>.self)
    }
    out.pointee = encode(Signal<T>(adopting: pointer))
    return 0
  }
}
