/// A number of a stream: an integer, a truth value as 0 or 1, or a double.
enum Number {
  case integer(Int64)
  case real(Double)

  /// nil: the value is none.
  init?(_ value: Value) {
    switch value.kind {
    case Value.Kind.int64: self = .integer(value.bits)
    case Value.Kind.bool: self = .integer(value.bits != 0 ? 1 : 0)
    case Value.Kind.double: self = .real(value.asDouble)
    default: return nil
    }
  }

  var asDouble: Double {
    switch self {
    case .integer(let number): return Double(number)
    case .real(let number): return number
    }
  }

  var isNaN: Bool {
    if case .real(let number) = self { return number != number }
    return false
  }

  /// Compares exactly, also an integer with a double. A NaN is not less than anything.
  func isLess(than other: Number) -> Bool {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): return a < b
    case (.real(let a), .real(let b)): return a < b
    case (.integer(let a), .real(let b)): return b == b && Number.compare(a, b) < 0
    case (.real(let a), .integer(let b)): return a == a && Number.compare(b, a) > 0
    }
  }

  /// Below, equal to or above 0, as the integer is to the double.
  private static func compare(_ integer: Int64, _ real: Double) -> Int {
    let whole = real.rounded(.towardZero)
    guard let other = Int64(exactly: whole) else { return real < 0 ? 1 : -1 }
    if integer != other { return integer < other ? -1 : 1 }
    return real > whole ? -1 : real < whole ? 1 : 0
  }
}

/// A sum of two doubles of very different size: `high` as near as a double comes, and what that
/// lacks.
struct LongDouble {
  var high: Double
  var low: Double

  init(_ number: Double) { self.init(high: number, low: 0) }

  init(high: Double, low: Double) {
    self.high = high
    self.low = low
  }

  /// Exact for a double; of two long ones some of the last bits of `low` go.
  mutating func add(_ other: LongDouble) {
    let sum = high + other.high
    let part = sum - high
    let rest = (high - (sum - part)) + (other.high - part)
    high = sum
    // Infinity less infinity is not what was lost.
    low = sum.isFinite ? low + other.low + rest : 0
  }

  var asDouble: Double { high + low }
}
