import CRAC
import XCTest

/// Commands keep to the laws: what is decided is decided once, whichever threads ask (3, 5), destroy
/// runs once (9), executions live without their handles (11), callbacks fail into the stream (17). And
/// lifted functions, which are callbacks of a subscription (2, 7).
final class CommandContractTests: LibraryTestCase {
  private typealias Execute = (rac_value) -> OpaquePointer?

  /// The signals that the closure returns are transferred.
  private func command(
    _ enabled: OpaquePointer? = nil, on scheduler: OpaquePointer? = rac_scheduler_immediate(),
    _ execute: @escaping Execute
  ) -> OpaquePointer {
    own(
      rac_command_create(
        enabled, scheduler, Contexts.give(execute),
        { context, input, out in
          out?.pointee = Contexts.body(context, as: Execute.self)(input)
          return 0
        }, Contexts.destroy))
  }

  private func execute(_ command: OpaquePointer, _ input: Int64 = 1) -> Recorder {
    record(own(rac_command_execute(command, rac_value_int64(input))))
  }

  func testTheSignalsOfACommand() {
    let subject = own(rac_subject_create())
    let command = command { _ in OpaquePointer(rac_retain(.init(subject))) }
    let executing = record(own(rac_command_executing(command)))
    let enabled = record(own(rac_command_enabled(command)))
    let errors = record(own(rac_command_errors(command)))
    let first = execute(command)
    XCTAssertEqual(execute(command).text, "x1", "refused while it executes")
    send(5, to: subject)
    sendError(7, to: subject)
    XCTAssertEqual(first.text, "5 x7")
    XCTAssertEqual(executing.text, "false true false")
    XCTAssertEqual(enabled.text, "true false true")
    XCTAssertEqual(errors.count, 1)
  }

  func testARefusalNamesTheCommand() {
    let off = own(rac_signal_return(rac_value_bool(false)))
    let command = command(off) { _ in nil }
    let refusal = own(rac_command_execute(command, rac_value_nil()))
    var error = rac_value()
    XCTAssertEqual(rac_signal_first(refusal, 0, &error), rac_status(RAC_ESTREAM))
    XCTAssertEqual(String(cString: rac_error_get_domain(error)), RAC_COMMAND_ERROR_DOMAIN)
    XCTAssertEqual(rac_error_get_code(error), Int64(RAC_COMMAND_NOT_ENABLED))
    var named: UnsafeMutableRawPointer?
    let status = rac_value_get_pointer(rac_error_get_underlying(error), "rac_command", &named)
    XCTAssertEqual(status, 0, String(cString: rac_last_error_message()))
    XCTAssertEqual(named, UnsafeMutableRawPointer(command))
    rac_value_release(error)
  }

  func testOneOfFourThreadsExecutes() {
    for _ in 0..<100 {
      let calls = Guarded(0)
      let subject = own(rac_subject_create())
      let command = command { _ in
        calls.with { $0 += 1 }
        return OpaquePointer(rac_retain(.init(subject)))
      }
      inParallel(4) { _ in rac_release(.init(rac_command_execute(command, rac_value_nil()))) }
      XCTAssertEqual(calls.value, 1)
    }
  }

  func testExecutionsOutliveTheCommand() {
    let subject = own(rac_subject_create())
    let command = command { _ in OpaquePointer(rac_retain(.init(subject))) }
    let executing = record(own(rac_command_executing(command)))
    let enabled = record(own(rac_command_enabled(command)))
    let heard = execute(command)
    let contexts = Contexts.outstanding
    drop(command)
    XCTAssertEqual(Contexts.outstanding, contexts - 2, "its own, and that of enabled's subscriber")
    XCTAssertEqual(enabled.text, "true false |")
    XCTAssertEqual(executing.text, "false true")
    rac_subject_send_completed(subject)
    XCTAssertEqual(heard.text, "|")
    XCTAssertEqual(executing.text, "false true false |")
  }

  func testTheWorkStartsOnTheScheduler() {
    let clock = own(rac_scheduler_virtual())
    let numbers = values(1, 2)
    let command = command(on: clock) { _ in OpaquePointer(rac_retain(.init(numbers))) }
    let heard = execute(command)
    XCTAssertEqual(heard.text, "")
    rac_virtual_step_all(clock)
    XCTAssertEqual(heard.text, "1 2 |")
    drop(command)
    rac_virtual_step_all(clock)
  }

  func testLifting() {
    typealias Sum = (Int64, Int64) -> Int64
    let calls = Guarded(0)
    let sum: Sum = { a, b in
      calls.with { $0 += 1 }
      return a + b
    }
    let a = own(rac_subject_create())
    let b = own(rac_subject_create())
    var subscription: OpaquePointer?
    let results = own(
      rac_lift(
        [a, b], 2, &subscription, Contexts.give(sum),
        { context, arguments, _, out in
          guard let arguments else { return rac_status(RAC_EINVAL) }
          let sum = Contexts.body(context, as: Sum.self)
          out?.pointee = rac_value_int64(sum(arguments[0].bits, arguments[1].bits))
          return 0
        }, Contexts.destroy))
    own(subscription)
    send(1, to: a)
    send(2, to: b)
    XCTAssertEqual(calls.value, 1, "it is eager")
    let heard = record(results)
    send(3, to: a)
    XCTAssertEqual(rac_dispose_and_wait(subscription, -1), 0)
    send(4, to: a)
    XCTAssertEqual(heard.text, "3 5")
    XCTAssertEqual(calls.value, 2)
  }
}
