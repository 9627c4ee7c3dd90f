/// The object behind the handle of a subscription that had ended, and whose destroy had run, before
/// the handle was made. Nothing is left to dispose or to wait for, so all of them share one, which
/// no release makes stale.
final class EndedSubscription: Disposable {
  @exclusivity(unchecked) nonisolated(unsafe) private static var booted: OpaquePointer? = nil
  static var handle: OpaquePointer { booted.unsafelyUnwrapped }

  /// Called once, when the library is loaded.
  static func boot() {
    booted = Handles.makeImmortal(EndedSubscription(), .plainDisposable, booted)
  }

  override var isDisposed: Bool { true }
}
