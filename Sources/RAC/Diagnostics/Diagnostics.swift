import CRACShims
import Synchronization

/// Names, the trace hook and the log: off until somebody asks, and then looked at through one flag each.
final class Diagnostics {
  private let names = Atomic<Bool>(false)
  private let tracing = Atomic<Bool>(false)
  /// Guards the names of all signals: they are seldom changed or asked for.
  let nameLock = Lock()
  private let lock = Lock()
  private var trace: TraceHook?
  private var log: LogHook?

  var recordsNames: Bool {
    @inline(__always) get { names.load(ordering: .relaxed) }
  }
  var isTracing: Bool {
    @inline(__always) get { tracing.load(ordering: .relaxed) }
  }

  func setRecordsNames(_ enabled: Bool) { names.store(enabled, ordering: .relaxed) }

  /// As in RAC, the variable only has to be there.
  func readEnvironment() {
    if rac_shim_environment("RAC_DEBUG_SIGNAL_NAMES") != nil { setRecordsNames(true) }
  }

  func setTrace(_ hook: TraceHook?) {
    var old = hook
    lock.locked { swap(&old, &trace) }
    tracing.store(hook != nil, ordering: .releasing)
  }

  func report(_ event: Int32, _ name: SignalName?, _ value: Value) {
    guard let hook = lock.locked({ trace }) else { return }
    SignalName.withText(name) { hook.function(hook.context.pointer, event, $0, value) }
  }

  /// A subscriber lost its last reference without an end.
  func traceDropped(_ subscriber: Subscriber) {
    guard isTracing, let hook = lock.locked({ trace }) else { return }
    var none: CChar = 0
    hook.function(hook.context.pointer, TraceEvent.dropped, &none, .null)
  }

  func setLog(_ hook: LogHook?) {
    var old = hook
    lock.locked { swap(&old, &log) }
  }

  func write(_ line: TextBuffer) {
    let hook = lock.locked { log }
    line.withCString {
      if let hook { hook.function(hook.context.pointer, $0) } else { rac_shim_write_error($0) }
    }
  }
}

/// The user's trace function; whoever is calling it keeps it.
final class TraceHook {
  let context: Context
  let function: rac_trace_fn

  init(_ context: Context, _ function: @escaping rac_trace_fn) {
    self.context = context
    self.function = function
  }
}

final class LogHook {
  let context: Context
  let function: rac_log_fn

  init(_ context: Context, _ function: @escaping rac_log_fn) {
    self.context = context
    self.function = function
  }
}

/// The RAC_TRACE_ constants.
enum TraceEvent {
  static var subscribe: Int32 { 1 }
  static var next: Int32 { 2 }
  static var error: Int32 { 3 }
  static var completed: Int32 { 4 }
  static var dispose: Int32 { 5 }
  static var dropped: Int32 { 6 }
}
