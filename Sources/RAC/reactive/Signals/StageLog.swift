import CRACShims
import Synchronization

/// Tells the trace hook and a recording of one stage of a running subscription besides its values:
/// that it has begun, and how it is over, at that moment. A disposal is the end of the
/// stage's scope; the stage itself may live longer, as long as its source holds it.
final class StageLog {
  /// Not the signal: a subject would keep itself, by way of its subscribers.
  private let name: SignalName?
  let node: rac_node
  private let below: UInt32
  private let isOver = Atomic<Bool>(false)
  /// Its place among the stages of its scope.
  private let place: UnsafeMutablePointer<rac_stage>

  init(_ name: SignalName?, _ node: rac_node, below: UInt32) {
    self.name = name
    self.node = node
    self.below = below
    place = rac_shim_allocate(MemoryLayout<rac_stage>.size).unsafelyUnwrapped
      .bindMemory(to: rac_stage.self, capacity: 1)
  }

  deinit { rac_shim_free(place) }

  func begin(in scope: Scope) {
    report(RAC_TRACE_SUBSCRIBE, .null)
    rac_stages_add(
      place, Unmanaged.passUnretained(scope).toOpaque(), Unmanaged.passRetained(self).toOpaque()
    ) { Unmanaged<StageLog>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue().dispose() }
  }

  /// An end has come. False: it was over already.
  func end(_ flag: Int) -> Bool {
    if isOver.exchange(true, ordering: .relaxed) { return false }
    rac_node_mark(node, UInt8(flag))
    return true
  }

  func dispose() {
    guard end(RAC_NODE_DISPOSED) else { return }
    note(RAC_RECORDED_DISPOSED)
    report(RAC_TRACE_DISPOSE, .null)
  }

  /// The stage goes.
  func leave() {
    if rac_stages_remove(place) { Unmanaged.passUnretained(self).release() }
    dispose()
    rac_recording_forget(currentThread(), node)
  }

  func note(_ kind: Int) {
    guard rac_recording_is_wanted() else { return }
    rac_recording_event(currentThread(), UInt8(truncatingIfNeeded: kind), node.number, 0, 0)
  }

  func report(_ type: Int32, _ value: Value) {
    guard Diagnostics.shared.isTracing else { return }
    Diagnostics.shared.report(type, node.number, below: below, name, value)
  }
}
