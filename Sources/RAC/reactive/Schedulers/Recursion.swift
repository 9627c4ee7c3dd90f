import Synchronization

/// A job that may ask to be run again, from inside or from anywhere later, without growing the
/// stack. -scheduleRecursiveBlock:
///
/// Each request is one more run. Runs are counted: those asked for while one is going on follow it.
final class Recursion: Object {
  private let scheduler: Scheduler
  private let body: rac_recursive_fn
  private let context: Context
  let scope = Scope()
  /// Runs asked for and not finished yet.
  private let requests = Atomic<Int>(0)

  init(_ scheduler: Scheduler, _ context: Context, _ body: @escaping rac_recursive_fn) {
    self.scheduler = scheduler
    self.context = context
    self.body = body
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(context) }

  /// False once it was disposed.
  @discardableResult
  func request() -> Bool {
    guard scope.isActive else { return false }
    if requests.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 { post() }
    return true
  }

  private func post() {
    scheduler.schedule(ClosureJob { self.run() }, in: scope)
  }

  private func run() {
    // One run a job where others wait their turn; the immediate scheduler has no one to wait for.
    while true {
      guard scope.isActive else { return }
      let handle = Handles.make(self, .recursion)
      body(context.pointer, handle)
      _ = Handles.release(handle: handle)
      if requests.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { return }
      if scheduler !== Scheduler.immediate { return post() }
      if InterruptionHook.stops { scope.close() }
    }
  }
}
