import CRACShims

/// The time until which the calling thread reads a sequence, if the call gave one. It counts for
/// every kind of sequence, also when another thread computes the value.
enum ReadLimit {
  /// Runs the body with a time of rac_shim_now(), or one that has passed: then nothing is waited
  /// for.
  static func with<Result>(_ deadline: Int64, _ body: () -> Result) -> Result {
    let thread = currentThread()
    let before = thread.pointee.reads_until
    // 0 says that there is none.
    thread.pointee.reads_until = max(1, deadline)
    let result = body()
    thread.pointee.reads_until = before
    return result
  }

  /// The time given at the call, or else this.
  static func deadline(or usual: @autoclosure () -> Int64) -> Int64 {
    let told = currentThread().pointee.reads_until
    return told == 0 ? usual() : told
  }

  static var hasPassed: Bool {
    let told = currentThread().pointee.reads_until
    return told != 0 && told <= rac_shim_now()
  }
}
