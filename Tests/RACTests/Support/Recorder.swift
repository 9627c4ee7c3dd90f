import CRAC
import XCTest

/// Hears a subscription and writes it down: values as `rac_value_describe` has them, a completion as
/// `|`, an error as `x` and its code. With a clock each is followed by its time, as in `1@0.1 |@0.3`.
final class Recorder {
  private let entries = Guarded<[String]>([])
  private let clock: OpaquePointer?
  private let inside = Guarded(0)
  let overlaps = Guarded(0)
  let destroyed = Guarded(0)
  /// Called after an event was written down.
  var onNext: ((rac_value) -> Void)?
  var onEnd: (() -> Void)?
  fileprivate(set) var subscription: OpaquePointer?

  init(clock: OpaquePointer? = nil) { self.clock = clock }

  var text: String { entries.value.joined(separator: " ") }
  var events: [String] { entries.value }
  var count: Int { entries.with { $0.count } }

  func note(_ event: String) {
    var event = event
    if let clock { event += String(format: "@%g", rac_scheduler_now(clock)) }
    entries.with { $0.append(event) }
  }

  fileprivate func hear(_ event: String, _ value: rac_value?) {
    let others = inside.with { inside -> Int in
      inside += 1
      return inside - 1
    }
    if others > 0 { overlaps.with { $0 += 1 } }
    note(event)
    if let value { onNext?(value) } else { onEnd?() }
    inside.with { $0 -= 1 }
  }

  /// Subscribes. The context keeps the recorder alive as long as the library may call it.
  func subscribe(to signal: OpaquePointer?) {
    var observer = rac_observer()
    observer.size = MemoryLayout<rac_observer>.size
    observer.context = Contexts.give(self)
    observer.next = { context, value in
      Contexts.body(context, as: Recorder.self).hear(describe(value), value)
    }
    observer.error = { context, error in
      Contexts.body(context, as: Recorder.self).hear("x\(rac_error_get_code(error))", nil)
    }
    observer.completed = { Contexts.body($0, as: Recorder.self).hear("|", nil) }
    observer.destroy = { context in
      let recorder = Contexts.body(context, as: Recorder.self)
      Contexts.destroy(context)
      recorder.destroyed.with { $0 += 1 }
    }
    subscription = rac_subscribe(signal, &observer)
  }
}

/// What `rac_value_describe` says.
func describe(_ value: rac_value) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  _ = rac_value_describe(value, &buffer, buffer.count)
  return String(cString: buffer)
}

extension LibraryTestCase {
  /// Subscribes and records. `onNext` runs inside the callback.
  @discardableResult
  func record(
    _ signal: OpaquePointer?, clock: OpaquePointer? = nil, onNext: ((rac_value) -> Void)? = nil,
    onEnd: (() -> Void)? = nil, file: StaticString = #filePath, line: UInt = #line
  ) -> Recorder {
    let recorder = Recorder(clock: clock)
    recorder.onNext = onNext
    recorder.onEnd = onEnd
    recorder.subscribe(to: signal)
    own(recorder.subscription, file: file, line: line)
    return recorder
  }
}
