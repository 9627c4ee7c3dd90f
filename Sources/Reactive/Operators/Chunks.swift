import CRAC

extension SignalProtocol {
  /// Gathers so many values and sends them as an array; the next begins `stride` values after the
  /// beginning of the one before.
  ///
  ///     source                         --1--2--3--4--5--|
  ///     chunks(ofCount: 2)             -----a-----b-----(c|)   a: [1,2], b: [3,4], c: [5]
  ///     chunks(ofCount: 2, stride: 1)  -----a--d--b--e--(c|)   d: [2,3], e: [4,5]
  ///
  /// A completion sends what has gathered, if it is anything; an error drops it. Rx: bufferCount.
  public func chunks(ofCount count: Int, stride: Int? = nil) -> Signal<[Value]> {
    arrays { rac_signal_buffer_with_count($0, notNegative(count), notNegative(stride ?? count)) }
  }

  /// Gathers values, and sends them as an array some time after the first of them.
  ///
  ///     source                  --1-2---------3--|
  ///     chunks(for: 4 seconds)  ------a----------(b|)   a: [1,2], b: [3]
  ///
  /// Nothing is sent when nothing came. A completion sends what has gathered, an error drops it.
  ///
  /// RAC: -bufferWithTime:onScheduler:.
  public func chunks(for interval: Duration, on scheduler: Scheduler? = nil) -> Signal<[Value]> {
    timedArrays(on: scheduler) { rac_signal_buffer_with_time($0, interval.seconds, $1) }
  }

  /// Gathers values, and sends them as an array when there are `count`, or some time after the
  /// first of them.
  ///
  ///     source                       --1-2-3-4-------|
  ///     chunks(for: 5 s, atMost: 3)  ------a------b--|   a: [1,2,3], b: [4]
  public func chunks(
    for interval: Duration, atMost count: Int, on scheduler: Scheduler? = nil
  ) -> Signal<[Value]> {
    timedArrays(on: scheduler) {
      rac_signal_buffer_with_time_or_count($0, interval.seconds, notNegative(count), $1)
    }
  }

  private func arrays(_ make: (OpaquePointer?) -> OpaquePointer?) -> Signal<[Value]> {
    let source = signal
    return withExtendedLifetime(source) {
      converting(make(source.pointer)) { try parts(of: $0) }
    }
  }

  private func timedArrays(
    on scheduler: Scheduler?, _ make: (OpaquePointer?, OpaquePointer?) -> OpaquePointer?
  ) -> Signal<[Value]> {
    serving(scheduler) { pointer in arrays { make($0, pointer) } }
  }
}
