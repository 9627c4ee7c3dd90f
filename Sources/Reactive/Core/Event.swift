/// An event of a signal: a value, or an end, which is the last one.
public enum Event<Value: Sendable>: Sendable {
  /// A value.
  case value(Value)
  /// The end, with an error.
  case failed(any Error)
  /// The end: a completion.
  case finished
}

extension Event: CustomStringConvertible {
  /// As a marble diagram has it.
  public var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .failed(let error): "# \(error)"
    case .finished: "|"
    }
  }
}
