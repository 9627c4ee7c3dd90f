import CRAC

/// A C function that sends a value.
@usableFromInline
typealias Sending = @Sendable @convention(c) (OpaquePointer?, rac_value) -> rac_status

let sendToSubjectUnlessWaiting: Sending = { sendUnlessWaiting($1, to: $0, rac_subject_send) }

@usableFromInline
func sendUnlessWaiting(
  _ value: rac_value, to target: OpaquePointer?, _ send: Sending
) -> rac_status {
  unlessWaiting { send(target, value) }
}

/// Sends to what has a bound that makes senders wait.
///
/// The thread of a task of Swift's belongs to a pool, and another task of the pool may have to make
/// the room that the send would wait for. The engine does not wait inside any destroy (law 6): so
/// the send of a task becomes the destroy of a value that is made for it.
@usableFromInline @inline(never)
func unlessWaiting(_ send: () -> rac_status) -> rac_status {
  if withUnsafeCurrentTask(body: { $0 == nil }) { return send() }
  return withoutActuallyEscaping(send) {
    var call = TasksSend(send: $0)
    withUnsafeMutablePointer(to: &call) {
      rac_value_release(
        rac_value_pointer($0, nil) {
          $0.unsafelyUnwrapped.assumingMemoryBound(to: TasksSend.self).pointee.run()
        })
    }
    return call.answer
  }
}

private struct TasksSend {
  let send: () -> rac_status
  var answer = rac_status(RAC_EDEADLK)

  mutating func run() { answer = send() }
}
