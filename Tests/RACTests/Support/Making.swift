import CRAC
import XCTest

typealias Subscribe = (_ subscriber: OpaquePointer) -> OpaquePointer?
typealias Transform = (rac_value) -> rac_value
typealias SignalTransform = (rac_value) -> OpaquePointer?

/// Signals with Swift closures in them, owned by the test.
extension LibraryTestCase {
  /// A cold signal. The disposable that the closure returns is transferred.
  func create(_ subscribe: @escaping Subscribe) -> OpaquePointer {
    own(
      rac_signal_create(
        Contexts.give(subscribe),
        { context, subscriber, out in
          out?.pointee = Contexts.body(context, as: Subscribe.self)(subscriber!)
          return 0
        }, Contexts.destroy))
  }

  func map(_ source: OpaquePointer?, _ transform: @escaping Transform) -> OpaquePointer {
    own(
      rac_signal_map(
        source, Contexts.give(transform),
        { context, value, out in
          out?.pointee = Contexts.body(context, as: Transform.self)(value)
          return 0
        }, Contexts.destroy))
  }

  /// The signals that the closure returns are transferred.
  func flattenMap(_ source: OpaquePointer?, _ transform: @escaping SignalTransform)
    -> OpaquePointer
  {
    own(
      rac_signal_flatten_map(
        source, Contexts.give(transform),
        { context, value, out in
          out?.pointee = Contexts.body(context, as: SignalTransform.self)(value)
          return 0
        }, Contexts.destroy))
  }

  func disposable(_ action: @escaping () -> Void) -> OpaquePointer? {
    rac_disposable_create(
      Contexts.give(action), { Contexts.body($0, as: (() -> Void).self)() }, Contexts.destroy)
  }

  func values(_ numbers: Int64...) -> OpaquePointer {
    own(rac_signal_from_values(numbers.map { rac_value_int64($0) }, numbers.count))
  }

  func failing(_ code: Int64) -> OpaquePointer {
    let error = rac_value_error("test", code, "")
    defer { rac_value_release(error) }
    return own(rac_signal_error(error))
  }

  func sendError(_ code: Int64, to subject: OpaquePointer?) {
    let error = rac_value_error("test", code, "")
    rac_subject_send_error(subject, error)
    rac_value_release(error)
  }
}

/// Sends whole numbers.
@discardableResult
func send(_ numbers: Int64..., to subject: OpaquePointer?) -> rac_status {
  var status: rac_status = 0
  for number in numbers { status = rac_subject_send(subject, rac_value_int64(number)) }
  return status
}
