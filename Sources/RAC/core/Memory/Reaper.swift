import CRACShims

/// Frees objects that may hold others of their kind, in a loop over a list of the thread's, so that
/// a long chain costs no stack (deferred decrements, as CPython's trashcan).
enum Reaper {
  /// Gives back a reference to an object that may hold values that hold others. Inside another such
  /// call, further up the stack, that call does the work.
  @inline(never)
  static func drop(_ object: Unmanaged<Object>) {
    let thread = currentThread()
    if thread.pointee.is_reaping != 0 { return bury(object, thread) }
    thread.pointee.is_reaping = 1
    object.drop()
    thread.pointee.is_reaping = 0
    if thread.pointee.graves != nil { run() }
  }

  /// Keeps the object until `run`. The caller then drops its own reference, and runs.
  static func keep(_ object: Object) { bury(.passRetained(object), currentThread()) }

  /// Takes over the reference.
  private static func bury(_ object: Unmanaged<Object>, _ thread: Thread) {
    let grave = rac_shim_allocate(16).unsafelyUnwrapped
    grave.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee = thread.pointee.graves
    (grave + 8).assumingMemoryBound(to: UnsafeRawPointer.self).pointee = UnsafeRawPointer(
      object.toOpaque())
    thread.pointee.graves = grave
  }

  /// Releases everything in the list, and the objects that join it meanwhile. Does nothing inside
  /// another run of this thread's, which goes on.
  static func run() {
    let thread = currentThread()
    if thread.pointee.is_reaping != 0 { return }
    thread.pointee.is_reaping = 1
    while let grave = thread.pointee.graves {
      let next = grave.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
      let object = (grave + 8).assumingMemoryBound(to: UnsafeRawPointer.self).pointee
      thread.pointee.graves = next.pointee
      rac_shim_free(grave)
      Unmanaged<Object>.fromOpaque(object).drop()
    }
    thread.pointee.is_reaping = 0
  }
}
