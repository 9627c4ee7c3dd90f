import CRAC

/// Where and when things run: one at a time, in order.
///
/// RAC: RACScheduler.
public final class Scheduler: Sendable {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?

  init(adopting pointer: OpaquePointer?) { self.pointer = pointer }

  deinit { if let pointer { rac_release(UnsafeMutableRawPointer(pointer)) } }

  /// Runs things at once, where they are scheduled.
  public static let immediate = Scheduler(adopting: rac_scheduler_immediate())

  /// The main thread's.
  public static let main = Scheduler(adopting: rac_scheduler_main())

  /// A new one on the library's threads.
  public static func background(named name: String? = nil) -> Scheduler {
    Scheduler(adopting: rac_scheduler_background(Int32(RAC_PRIORITY_DEFAULT), name))
  }

  /// A new one whose time stands still until it is told to pass.
  public static func virtual() -> Scheduler { Scheduler(adopting: rac_scheduler_virtual()) }

  /// Lets virtual time pass.
  public func advance(by duration: Duration) {
    withExtendedLifetime(self) { _ = rac_virtual_advance_by(pointer, duration.seconds) }
  }
}

extension SignalProtocol {
  /// For the operators that keep time: the source's pointer and the scheduler's, NULL for the current one.
  @usableFromInline
  func derive<T>(on scheduler: Scheduler?, _ make: (OpaquePointer?, OpaquePointer?) -> OpaquePointer?)
    -> Signal<T>
  {
    withExtendedLifetime(scheduler) { derive { make($0, scheduler?.pointer) } }
  }
}
