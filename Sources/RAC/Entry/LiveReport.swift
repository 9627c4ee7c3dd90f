import CRACShims
import Synchronization

extension Handles {
  /// Calls with every handle that somebody holds: kind, name, references, subscribers. Each object is kept
  /// for its call alone; what comes and goes meanwhile may be missing.
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
            HandleKind.name(slot.kind.pointee), ($0 as? Signal)?.name, references,
            subscribers(of: $0))
        }
        release(slot)
      }
      index &+= 1
    }
    return found
  }

  private static func subscribers(of object: Object) -> Int {
    if let subject = object as? Subject { return subject.core.subscriberCount }
    return (object as? Property)?.core.observerCount ?? 0
  }
}

extension HandleKind {
  /// What a reader of a report calls it.
  static func name(_ number: UInt8) -> StaticString {
    switch HandleKind(rawValue: 1 &<< UInt32(number)) {
    case .plainSignal: return "signal"
    case .subject, .boundedSubject: return "subject"
    case .grouped: return "group"
    case .subscriber, .boundedSubscriber: return "subscriber"
    case .plainDisposable: return "disposable"
    case .compound: return "compound disposable"
    case .serial: return "serial disposable"
    case .scoped: return "scoped disposable"
    case .plainScheduler: return "scheduler"
    case .virtual: return "virtual scheduler"
    case .connection: return "connection"
    case .recursion: return "recursion"
    case .command: return "command"
    case .property: return "property"
    case .terminal: return "terminal"
    case .channel: return "channel"
    case .hosted: return "scheduler over a queue"
    case .bound: return "bound"
    case .sequence: return "sequence"
    case .sequenceIterator: return "iterator"
    default: return "object"
    }
  }
}
