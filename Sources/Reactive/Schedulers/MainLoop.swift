import CRAC
import CReactive
import Dispatch

/// Lets the main actor run the engine's main scheduler.
///
/// The engine's descriptor is readable as long as that scheduler has something to do; a source on
/// the main queue, which is what the main actor runs on, then runs it. A program that runs the
/// scheduler itself — `rac_main_run` — may go on doing so: the second one to come finds nothing to
/// do.
enum MainLoop {
  private static let key = DispatchSpecificKey<Bool>()

  /// Begins, when it is first asked for.
  static let isServed: Bool = {
    DispatchQueue.main.setSpecific(key: key, value: true)
    let descriptor = rac_main_fd()
    guard descriptor >= 0 else { return false }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler(handler: drain)
    kept = source
    source.resume()
    return true
  }()

  private static func drain() {
    let count = rac_main_drain(256)
    if count >= 0 { return }
    if count == Int64(RAC_EBUSY) {
      // Another thread is running the scheduler: this looks again a little later, not all the time.
      kept?.suspend()
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1)) { kept?.resume() }
    } else {
      // The library was closed.
      kept?.cancel()
    }
  }

  /// Written once, by the initialiser above, before the first event.
  nonisolated(unsafe) private static var kept: (any DispatchSourceRead)? = nil

  /// Whether this is the main actor's code, which the engine may take for any thread's: the main
  /// queue moves between threads on Linux, once dispatchMain() has ended the thread that the
  /// process began with. As long as that is there, it is the main actor's, and asks nobody.
  static var isCurrent: Bool {
    isServed && (reactive_is_first_thread() || DispatchQueue.getSpecific(key: key) == true)
  }
}
