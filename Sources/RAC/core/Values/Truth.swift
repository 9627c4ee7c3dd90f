extension Value {
  /// The truth of a truth value or a number; nil for everything else.
  var truth: Bool? {
    switch kind {
    case Kind.bool, Kind.int64: return bits != 0
    case Kind.double: return asDouble != 0
    default: return nil
    }
  }
}
