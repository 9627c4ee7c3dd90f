/// Gathers so many values and sends them as a tuple; the next tuple begins `skip` values after the
/// beginning of the one before.
///
///     source     --1--2--3--4--5--|
///     buffer 2,2 -----a-----b-----(c|)   a: (1,2), b: (3,4), c: (5)
///     buffer 2,1 -----a--d--b--e--(c|)   d: (2,3), e: (4,5)
///     buffer 1,2 --f-----g-----c--|      f: (1), g: (3)
///
/// A completion sends the gathered values, if there are any; an error drops them.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many are in a tuple, 1 or more.
/// - Parameter skip: how far the beginnings of tuples lie apart, 1 or more: less than `count` makes
///   them overlap, more leaves values out.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: bufferCount. Since: 0.1
@c public func rac_signal_buffer_with_count(_ source: CSignal?, _ count: CSize, _ skip: CSize)
  -> CSignal?
{
  Border.derive(source) { source in
    guard count != 0, skip != 0 else {
      return Border.fail(Status.invalid, "count and skip are 1 or more")
    }
    return source.lift("bufferWithCount:skip:") {
      BufferWithCountSink(Border.count(count), Border.count(skip), $0)
    }
  }
}

private final class BufferWithCountSink: Stage {
  private let count: Int
  private let skip: Int
  /// The values with which the next tuple begins, …
  private var line = ValueLine()
  /// … or how many values still come before it begins.
  private var gap = 0

  init(_ count: Int, _ skip: Int, _ downstream: Sink) {
    self.count = count
    self.skip = skip
    super.init(downstream)
  }
  override func next(_ value: Value) {
    guard scope.isActive else { return }
    guard gap == 0 else {
      gap &-= 1
      return
    }
    guard line.makeRoom() else { return giveUp() }
    line.append(value.retained())
    if line.count == count { sendTuple() }
  }

  private func sendTuple() {
    guard let tuple = line.copyOfTuple() else { return giveUp() }
    gap = max(skip &- count, 0)
    line.dropFirst(skip)
    downstream.next(owned: tuple)
  }

  private func giveUp() { refuse(Status.noMemory, "not enough memory to gather the values") }

  /// The tuples that have begun, each with what there is for it.
  override func completed() {
    while line.count > 0, scope.isActive { sendTuple() }
    downstream.completed()
  }

  override func visit(_ visitor: inout Visitor) { line.visit(&visitor) }
}
