import CRAC
import XCTest

/// Marble tests: streams as text such as `1@0.1 2@0.2 |@0.3`, played and recorded on a virtual scheduler.
///
/// A number is a value, `nil` is nil, `|` a completion, `x` an error (`x7`: with code 7). Any other word
/// is a signal named by the test.
extension LibraryTestCase {
  /// Sends the script's events into the subject, each from a job at its time.
  func play(
    _ script: String, into subject: OpaquePointer, on clock: OpaquePointer,
    signals: [String: OpaquePointer] = [:]
  ) {
    for event in script.split(separator: " ") {
      let parts = event.split(separator: "@")
      at(Double(parts[1])!, on: clock) { send(String(parts[0]), into: subject, signals) }
    }
  }

  /// Runs the body at a time of the virtual scheduler.
  func at(_ seconds: Double, on clock: OpaquePointer, _ body: @escaping () -> Void) {
    let job = rac_schedule_after(
      clock, seconds, Contexts.give(body), { Contexts.body($0, as: (() -> Void).self)() },
      Contexts.destroy)
    rac_release(.init(job))
  }

  /// What comes out of the signal that is built of subjects playing the scripts. `inner` are the scripts
  /// of signals that the others may send by name. A clock of the test's has to be a new one.
  func marbles(
    _ scripts: String..., inner: [String: String] = [:], on clock: OpaquePointer? = nil,
    build: ([OpaquePointer]) -> OpaquePointer?
  ) -> String {
    let clock = clock ?? own(rac_scheduler_virtual())
    var signals: [String: OpaquePointer] = [:]
    for (name, script) in inner.sorted(by: { $0.key < $1.key }) {
      let subject = own(rac_subject_create())
      play(script, into: subject, on: clock)
      signals[name] = subject
    }
    let sources = scripts.map { _ in own(rac_subject_create()) }
    let recorder = record(own(build(sources)), clock: clock)
    for (script, source) in zip(scripts, sources) {
      play(script, into: source, on: clock, signals: signals)
    }
    rac_virtual_advance_to(clock, 100)
    rac_dispose(recorder.subscription)
    return recorder.text
  }
}

private func send(
  _ event: String, into subject: OpaquePointer, _ signals: [String: OpaquePointer]
) {
  if event == "|" {
    rac_subject_send_completed(subject)
  } else if event.first == "x" {
    let error = rac_value_error("test", Int64(event.dropFirst()) ?? 0, "")
    rac_subject_send_error(subject, error)
    rac_value_release(error)
  } else if let signal = signals[event] {
    let value = rac_value_signal(signal)
    rac_subject_send(subject, value)
    rac_value_release(value)
  } else {
    rac_subject_send(subject, Int64(event).map(rac_value_int64) ?? rac_value_nil())
  }
}
