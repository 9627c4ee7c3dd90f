import CRACShims
import Synchronization

/// A number that a program, or a source of its own, shows to reports and recordings.
final class Counter: Object {
  let name: SignalName
  private let count = Atomic<Int64>(0)
  /// Its node in a recording, made when the recording first sees it. Under the lock.
  @exclusivity(unchecked) private var node = rac_node()
  private let lock = Lock()

  init(_ name: SignalName) {
    self.name = name
    super.init()
    if rac_recording_is_on() { record() }
  }

  var value: Int64 { count.load(ordering: .relaxed) }

  func add(_ more: Int64) {
    count.wrappingAdd(more, ordering: .relaxed)
    if rac_recording_is_on() { record() }
  }

  func set(_ value: Int64) {
    count.store(value, ordering: .relaxed)
    if rac_recording_is_on() { record() }
  }

  /// The last of several threads to get here has read what all of them counted.
  @inline(never)
  final func record() {
    lock.locked {
      if !rac_node_has_slot(node) { node = makeNode() }
      rac_node_shows(node, UInt64(bitPattern: value))
    }
  }

  private func makeNode() -> rac_node {
    var facts = rac_node_facts()
    facts.kind = UInt8(RAC_NODE_COUNTER)
    facts.name = SignalName.record(name)
    return rac_recording_make(currentThread(), &facts)
  }

  deinit {
    if node.number != 0 { rac_recording_forget(currentThread(), node) }
  }
}

extension Counter {
  /// A recording has begun: it sees those that were made before.
  static func recordAll() {
    Handles.forEach(.counter) { ($0 as? Counter)?.record() }
  }
}
