extension HandleKind {
  /// A handle of whichever kind. No slot has this one.
  static let any = HandleKind(rawValue: 1 << 31)

  /// The noun for what is wanted where handles of these kinds are taken.
  var name: StaticString {
    // A subject is a subscriber, too, and comes first.
    isSuperset(of: .anySubscriber) ? "subscriber" : HandleKind.name(number)
  }

  /// The noun of a kind, in reports and messages.
  static func name(_ number: UInt8) -> StaticString {
    switch HandleKind(rawValue: 1 &<< UInt32(number)) {
    case .plainSignal: return "signal"
    case .subject, .boundedSubject: return "subject"
    case .grouped: return "group"
    case .subscriber, .boundedSubscriber: return "subscriber"
    case .plainDisposable, .subscription: return "disposable"
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
    case .counter: return "counter"
    case .sequence: return "sequence"
    case .sequenceIterator: return "sequence iterator"
    default: return "handle"
    }
  }
}
