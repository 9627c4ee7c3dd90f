import CRACShims
import Synchronization

/// A property in a recording: every value that it gets, also when nobody listens to it.
extension PropertyCore {
  final func isRecorded(as node: rac_node) {
    recorded.store(rac_node_packed(node), ordering: .relaxed)
    guard rac_recording_is_wanted() else { return }
    let value = latest.read()
    value.record(UInt8(RAC_RECORDED_PROPERTY_BEGINS), node.number, currentThread())
    value.release()
  }

  /// It has a new value. Inside.
  @inline(never)
  final func recordChange() {
    let node = rac_node_unpacked(recorded.load(ordering: .relaxed))
    guard rac_node_has_slot(node) else { return }
    rac_node_count(node)
    guard rac_recording_is_wanted() else { return }
    current.record(UInt8(RAC_RECORDED_PROPERTY_SET), node.number, currentThread())
  }

  /// This property is the cause of all that follows, until the cause is put back that this returns.
  final func recordedAsCause() -> UInt32 {
    let thread = currentThread()
    let before = thread.pointee.recorded_node
    thread.pointee.recorded_node = UInt32(truncatingIfNeeded: recorded.load(ordering: .relaxed))
    return before
  }
}
