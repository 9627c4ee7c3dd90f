// Compiled in Swift 6 mode with each of the two modules: what compiles with one compiles with the
// other, and closures written in code of the main actor's run on the library's threads.
import Glibc

#if IMPORTED
  import CRAC
#else
  import RAC
#endif

@MainActor final class Model {
  var shown = 0

  /// On a worker each time: a closure that were taken for the main actor's would trap there.
  func work() {
    let worker = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "worker")
    defer { rac_release(.init(worker)) }
    rac_release(
      .init(
        rac_schedule(
          worker, nil, { _ in say(isMain() ? "a job on main" : "a job on a worker") },
          { _ in say("destroyed") })))
    let status = rac_settle(10)
    say(status == RAC_OK ? "settled" : "status \(status)")

    let source = rac_signal_return(rac_value_int64(20))
    let there = rac_signal_deliver_on(source, worker)
    let doubled = rac_signal_map(
      there, nil,
      { _, value, out in
        out?.pointee = rac_value_int64(value.bits * 2 + (isMain() ? 100 : 1))
        return RAC_OK
      }, nil)
    var observer = rac_observer()
    observer.size = MemoryLayout<rac_observer>.size
    observer.next = { _, value in say("value \(value.bits), kind \(Int32(value.kind) == RAC_INT64)")
    }
    observer.completed = { _ in say("completed") }
    observer.destroy = { _ in say("observer gone") }
    rac_release(.init(rac_subscribe(doubled, &observer)))
    for signal in [doubled, there, source] { rac_release(.init(signal)) }
    rac_settle(10)
  }

  /// Sizes are Int, statuses and constants Int32, whichever module.
  func types() {
    let count: Int = rac_tuple_count(rac_value_nil())
    let capacity: Int = RAC_REPLAY_UNLIMITED
    let replay = rac_replay_subject_create(capacity)
    let text = "of this program"
    let value = rac_value_string_copy(text, text.utf8.count)
    rac_subject_send(replay, value)
    rac_value_release(value)
    let ok: rac_status = RAC_OK
    let first = rac_signal_take(rac_subject_as_signal(replay), 1)
    rac_release(
      .init(
        rac_subscribe_next(
          first, nil,
          { _, value in
            var utf8: UnsafePointer<CChar>?
            var length: Int = 0
            rac_value_get_string(value, &utf8, &length)
            say("text \(utf8.map { String(cString: $0) } ?? "none"), \(length)")
          }, nil)))
    let property = rac_property_create(rac_value_int64(1), RAC_PROPERTY_DISTINCT)
    say("count \(count), \(ok == rac_property_set(property, rac_value_int64(2)))")
    rac_report_live_handles(
      nil,
      { _, kind, _, references, subscribers in
        let counts: [Int] = [references, subscribers]
        if String(cString: kind!) == "property" { say("live property \(counts)") }
      })
    rac_release(.init(property))
    rac_release(.init(first))
    rac_release(.init(replay))
  }
}

enum Main {
  static let thread = pthread_self()
}

func isMain() -> Bool { pthread_equal(pthread_self(), Main.thread) != 0 }
func say(_ line: String) { print(line) }

_ = Main.thread
let model = Model()
model.work()
model.types()

// Top-level code is the main actor's, too.
let worker = rac_scheduler_background(RAC_PRIORITY_LOW, "worker")
rac_release(.init(rac_schedule(worker, nil, { _ in say("from top-level code") }, nil)))
rac_settle(10)
rac_release(.init(worker))
say("alive \(rac_live_objects())")
