import CRACShims
import Synchronization

/// Names, the trace hook, recordings, the log, and the function for unhandled errors: off until
/// somebody asks, and then looked at through one flag each.
final class Diagnostics {
  nonisolated(unsafe) private static var booted: Diagnostics? = nil
  static var shared: Diagnostics { booted.unsafelyUnwrapped }

  /// Called once, when the library is loaded.
  static func boot() {
    booted = Diagnostics()
    shared.readEnvironment()
    shared.recordingChanged()
  }

  /// Whether signals note how they were made: for their names, or for a recording.
  private let makings = Atomic<Bool>(false)
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
  private var locator: Hook<rac_locator_fn>?

  var notesMakings: Bool { makings.load(ordering: .relaxed) }
  var recordsNames: Bool { names.load(ordering: .relaxed) }
  var isTracing: Bool { tracing.load(ordering: .relaxed) }
  /// Whether a subscription may be one that is traced, or that goes by a name.
  var isWatching: Bool { watching.load(ordering: .relaxed) }
  func watch() { watching.store(true, ordering: .relaxed) }

  func setRecordsNames(_ enabled: Bool) {
    lock.locked {
      names.store(enabled, ordering: .relaxed)
      makings.store(enabled || rac_recording_is_on(), ordering: .relaxed)
    }
  }

  /// One has begun or ended.
  func recordingChanged() {
    if rac_recording_is_on() {
      watch()
      rac_shim_watch_exit()
    }
    lock.locked {
      let isOn = rac_recording_is_on()
      makings.store(isOn || names.load(ordering: .relaxed), ordering: .relaxed)
      rac_stages_watch(isOn || trace != nil)
    }
  }

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
      rac_stages_watch(hook != nil || rac_recording_is_on())
    }
  }

  func report(
    _ type: Int32, _ subscription: UInt32, below: UInt32, _ name: SignalName?, _ value: Value
  ) {
    guard let hook = lock.locked({ trace }) else { return }
    let cause = currentThread().pointee.recorded_node
    Diagnostics.call {
      SignalName.withText(name) {
        var event = rac_trace_event()
        event.size = MemoryLayout<rac_trace_event>.size
        event.type = type
        event.subscription = UInt64(subscription)
        event.thread = rac_platform_thread_id()
        event.name = $0
        event.value = value
        event.below = UInt64(below)
        event.cause = UInt64(cause)
        event.time = rac_shim_now()
        hook.function(hook.context.pointer, &event)
      }
    }
  }

  func setLocator(_ hook: Hook<rac_locator_fn>?) {
    var old = hook
    lock.locked { swap(&old, &locator) }
  }

  /// The line of the host's that is running, as a text of the recording; 0: nobody knows.
  func locate() -> UInt32 {
    let thread = currentThread()
    if thread.pointee.is_locating { return 0 }
    guard let hook = lock.locked({ locator }) else { return 0 }
    var text: UInt32 = 0
    thread.pointee.is_locating = true
    Diagnostics.call { text = rac_recording_written_text(hook.function, hook.context.pointer) }
    thread.pointee.is_locating = false
    return text
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
