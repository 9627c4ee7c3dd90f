/// Adds up numbers, and sends the sum when the source completes; 0 if there were none.
///
///     source --1--2--3--|
///     sum    -----------(6|)
///
/// Integers are added exactly: a sum that is beyond 64 bits in between is right in the end, and one
/// that stays so is an error, of domain "rac" and code RAC_ERANGE. A double among them makes the
/// sum a double, with the rounding made up for (Neumaier); a NaN makes it NaN. A truth value counts
/// as 0 or 1. Another value is an error, RAC_EKIND.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: sum. Since: 0.1
@c public func rac_signal_sum(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { source in
    source.lift("sum") { SumSink(divides: false, $0) }
  }
}

/// Sends the mean of all numbers, a double, when the source completes; nothing if there were none.
///
///     source  --1--2--6--|
///     average -----------(3|)
///
/// It is the sum, as rac_signal_sum() makes it but of any size, divided by how many there were. For
/// the mean of the last few there is rac_signal_rolling().
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: average. Since: 0.1
@c public func rac_signal_average(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { source in
    source.lift("average") { SumSink(divides: true, $0) }
  }
}

private final class SumSink: Stage {
  private let divides: Bool
  private var integers = LongInteger()
  private var reals = LongDouble(0)
  private var isReal: Bool
  private var count: Int64 = 0

  init(divides: Bool, _ downstream: Sink) {
    self.divides = divides
    isReal = divides
    super.init(downstream)
  }

  override func next(_ value: Value) {
    switch Number(value) {
    case .integer(let number): integers.add(number)
    case .real(let number):
      isReal = true
      reals.add(LongDouble(number))
    case nil: return fail(Status.kind, "a number was expected, another value was sent", at: value)
    }
    count &+= 1
  }

  override func completed() {
    if divides && count == 0 { return downstream.completed() }
    if isReal {
      reals.add(LongDouble(integers.asDouble))
      downstream.next(.double(divides ? reals.asDouble / Double(count) : reals.asDouble))
    } else if let sum = integers.asInt64 {
      downstream.next(.int64(sum))
    } else {
      return fail(Status.range, "the sum does not fit into 64 bits")
    }
    downstream.completed()
  }
}

/// 128 bits: room for as many integers as anybody can send.
private struct LongInteger {
  private var high: Int64 = 0
  private var low: UInt64 = 0

  mutating func add(_ number: Int64) {
    let (sum, carries) = low.addingReportingOverflow(UInt64(bitPattern: number))
    low = sum
    high = high &+ (number >> 63) &+ (carries ? 1 : 0)
  }

  var asInt64: Int64? {
    let number = Int64(bitPattern: low)
    return high == number >> 63 ? number : nil
  }

  var asDouble: Double {
    if let asInt64 { return Double(asInt64) }
    return Double(high) * 0x1p64 + Double(low)
  }
}
