/// Work for a thread of the library's own: the layers below the schedulers ask no more of them than
/// this. The schedulers hand it down when the library is loaded.
enum Worker {
  typealias Runner = (_ body: @escaping () -> Void, _ delay: Int64) -> Void

  nonisolated(unsafe) private static var runner: Runner? = nil

  static func boot(_ runner: @escaping Runner) { self.runner = runner }

  /// Runs the body there, after a delay in nanoseconds.
  @inline(never)
  static func run(after delay: Int64 = 0, _ body: @escaping () -> Void) {
    runner.unsafelyUnwrapped(body, delay)
  }
}
