import CRACShims
import Synchronization

extension Handles {
  /// Calls with every handle that somebody holds: kind, name, references, subscribers. The report
  /// keeps each object only during its call, so handles that come and go meanwhile may be missing.
  static func forEachLive(
    _ body: (StaticString, SignalName?, _ references: UInt64, _ subscribers: Int) -> Void
  ) -> Int {
    var found = 0
    var index: UInt64 = 1
    let end = Slots.count
    while index < end {
      let word = Slots.at(index).word.pointee.load(ordering: .acquiring)
      if word & Word.published != 0, word & Word.immortal == 0,
        let handle = OpaquePointer(
          bitPattern: UInt(index | Word.generation(word) &<< Slots.generationShift)),
        let slot = acquire(handle)
      {
        found &+= 1
        let object = Unmanaged<Object>.fromOpaque(slot.object)
        object._withUnsafeGuaranteedRef {
          let references = (word & Word.references) / Word.oneReference
          body(
            HandleKind.name(slot.kind.pointee), name(of: $0), references, subscribers(of: $0))
        }
        release(slot)
      }
      index &+= 1
    }
    return found
  }

  private static func name(of object: Object) -> SignalName? {
    if let signal = object as? Signal { return signal.name }
    if let counter = object as? Counter { return counter.name }
    return (object as? QueueScheduler)?.name
  }

  private static func subscribers(of object: Object) -> Int {
    if let counter = object as? Counter { return Int(truncatingIfNeeded: max(0, counter.value)) }
    if let subject = object as? Subject { return subject.core.subscriberCount }
    return (object as? Property)?.core.observerCount ?? 0
  }
}
