import CRAC

/// Changes of several properties.
public enum Properties {
  /// Sets several properties as one change: the values become current together when `body` has
  /// returned, each derived property is computed once, and then observers hear. Until then other
  /// threads read the values from before, and `body` reads what it has set, of derived properties
  /// too; a property that is bound both ways to one of these changes at the end. When `body` throws
  /// nothing is set.
  ///
  ///     Properties.batch {
  ///       width.value = 3
  ///       height.value += 1
  ///     }
  public static func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withoutActuallyEscaping(body) { body in
      try run(Call(body: body))
    }
  }

  private static func run<Result>(_ call: Call<Result>) throws -> Result {
    var call = call
    withUnsafeMutablePointer(to: &call) {
      var run: () -> Bool = { [call = $0] in call.pointee.run() }
      withUnsafeMutablePointer(to: &run) {
        _ = rac_property_batch(
          $0,
          { context in
            let run = context.unsafelyUnwrapped.assumingMemoryBound(to: (() -> Bool).self)
            return run.pointee() ? 0 : rac_status(RAC_EUSER)
          }, nil)
      }
    }
    // Where the engine could not begin a batch they are set one by one.
    return try call.result?.get() ?? call.body()
  }

  private struct Call<Result> {
    let body: () throws -> Result
    var result: Swift.Result<Result, any Error>?

    /// Whether what was set is to be set.
    mutating func run() -> Bool {
      result = Swift.Result(catching: body)
      if case .failure = result { return false }
      return true
    }
  }
}
