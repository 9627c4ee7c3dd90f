import Synchronization

extension PausableJob {
  /// `Sink.holds`, before each value. There is room as long as no brake has been put on anywhere
  /// since it was told so: then it does not walk down.
  @inline(__always)
  final func isHeld(below sink: Sink) -> Bool {
    let brakes = Brake.count.load(ordering: .acquiring)
    return brakes != brakesThen && asks(sink, brakes)
  }

  @inline(never)
  private final func asks(_ sink: Sink, _ brakes: UInt) -> Bool {
    if sink.holds(.job(self)) { return true }
    brakesThen = brakes
    return false
  }
}
