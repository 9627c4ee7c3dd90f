import CRACShims
import Synchronization

/// Names, the trace hook, the log, and the function for unhandled errors: off until somebody asks,
/// and then looked at through one flag each.
final class Diagnostics {
  nonisolated(unsafe) private static var booted: Diagnostics? = nil
  static var shared: Diagnostics { booted.unsafelyUnwrapped }

  /// Called once, when the library is loaded.
  static func boot() {
    booted = Diagnostics()
    shared.readEnvironment()
  }

  private let names = Atomic<Bool>(false)
  private let tracing = Atomic<Bool>(false)
  /// Set for good by the first name and the first trace: until then no subscription looks for
  /// either.
  private let watching = Atomic<Bool>(false)
  /// Guards the names of all signals: they are seldom changed or asked for.
  let nameLock = Lock()
  let lock = Lock()
  private var trace: Hook<rac_trace_fn>?
  private var log: Hook<rac_log_fn>?
  var unhandled: Hook<rac_unhandled_error_fn>?
  private let subscriptions = Atomic<UInt64>(0)

  var recordsNames: Bool { names.load(ordering: .relaxed) }
  var isTracing: Bool { tracing.load(ordering: .relaxed) }
  /// Whether a subscription may be one that is traced, or that goes by a name.
  var isWatching: Bool { watching.load(ordering: .relaxed) }
  func watch() { watching.store(true, ordering: .relaxed) }

  func setRecordsNames(_ enabled: Bool) { names.store(enabled, ordering: .relaxed) }

  /// As in RAC, the variable only has to be there.
  private func readEnvironment() {
    if rac_shim_environment("RAC_DEBUG_SIGNAL_NAMES") != nil { setRecordsNames(true) }
  }

  func setTrace(_ hook: Hook<rac_trace_fn>?) {
    var old = hook
    if hook != nil { watch() }
    lock.locked {
      swap(&old, &trace)
      // Here, so that of two calls at once the one whose hook stays has the last word.
      tracing.store(hook != nil, ordering: .releasing)
    }
  }

  /// The next number of a traced subscription.
  func countSubscription() -> UInt64 {
    subscriptions.wrappingAdd(1, ordering: .relaxed).newValue
  }

  func report(_ type: Int32, _ subscription: UInt64, _ name: SignalName?, _ value: Value) {
    guard let hook = lock.locked({ trace }) else { return }
    Diagnostics.call {
      SignalName.withText(name) {
        var event = rac_trace_event()
        event.size = MemoryLayout<rac_trace_event>.size
        event.type = type
        event.subscription = subscription
        event.thread = rac_platform_thread_id()
        event.name = $0
        event.value = value
        hook.function(hook.context.pointer, &event)
      }
    }
  }

  func setLog(_ hook: Hook<rac_log_fn>?) {
    var old = hook
    lock.locked { swap(&old, &log) }
  }

  func write(_ line: TextBuffer) {
    let hook = lock.locked { log }
    Diagnostics.call {
      line.withCString {
        if let hook { hook.function(hook.context.pointer, $0) } else { rac_shim_write_error($0) }
      }
    }
  }

  /// Not when the library is closed. An object that goes with its last reference tells of that
  /// outside of all else.
  static func call(_ body: () -> Void) {
    currentThread().away { if !Process.isClosed { body() } }
  }
}
