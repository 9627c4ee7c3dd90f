import CRACShims

/// The calling thread's record: its current scheduler, how deep inside the engine it is, its
/// counters.
///
/// Owned by the C shim, because Embedded Swift has no thread-locals.
typealias Thread = UnsafeMutablePointer<rac_thread>

func currentThread() -> Thread { rac_shim_thread().unsafelyUnwrapped }

extension UnsafeMutablePointer where Pointee == rac_thread {
  /// A number that is this thread's alone while it lives.
  var token: UInt { UInt(bitPattern: self) }

  /// How deep gates, or subscriptions, may lie inside each other on one thread's stack …
  static var deepest: UInt32 { 4096 }
  /// … and how deep they may without a look at it.
  static var shallow: UInt32 { 8 }

  var isShallow: Bool { pointee.depth < Self.shallow }

  /// Whether it is so deep in gates and jobs that it may enter no further gate. So is a thread
  /// without a record, which has no stack to look at.
  @inline(never)
  var isDeepest: Bool {
    !isShallow && (pointee.depth >= Self.deepest || !Stack.hasRoom())
  }

  func deepen() { pointee.depth = pointee.depth &+ 1 }

  func surface() { pointee.depth = pointee.depth &- 1 }

  /// True inside a callback, a drain or a job: where blocking could wait for itself.
  var isInsideEngine: Bool { pointee.depth > 0 }

  /// The same, or inside a callback that ends a subscription: others may wait until that is over.
  var isAwaited: Bool { pointee.depth | pointee.awaited > 0 }

  /// Inside a callback or a computation of any kind.
  var isInsideCallback: Bool {
    pointee.depth | pointee.subscribing | pointee.calling | pointee.awaited | pointee.away
      | pointee.computing > 0
  }

  /// Runs a callback that nothing else tells of.
  func away(_ body: () -> Void) {
    pointee.away = pointee.away &+ 1
    body()
    pointee.away = pointee.away &- 1
  }

  /// Runs a wait, in a call that holds no handle, which may call a hook when it is over. Only the
  /// thread that closes the library waits for that.
  func waits<Result>(_ body: () -> Result) -> Result {
    pointee.waiting = pointee.waiting &+ 1
    let result = body()
    pointee.waiting = pointee.waiting &- 1
    return result
  }

  /// Runs such a callback: a destroy, or an action for the end. Not in a forked child where nothing
  /// works: there all objects are the parent's, and an inherited frame of the callback that forked
  /// may let go of them.
  func asAwaited(_ body: () -> Void) {
    if !Process.isForkedChild { asOwn(body) }
  }

  /// The same of what is the child's own there, too: of a value, or given to a call that keeps
  /// nothing of it.
  func asOwn(_ body: () -> Void) {
    pointee.awaited = pointee.awaited &+ 1
    body()
    pointee.awaited = pointee.awaited &- 1
  }

  /// The same for one that is no destroy: when the library is closed it does not run any more. The
  /// look comes after the mark, so either this sees the closing, or the closing thread sees the
  /// mark (a Dekker pair).
  func asLast(_ body: () -> Void) {
    asAwaited { if !Process.isClosed { body() } }
  }
}
