import CRACShims

/// Whether the library works in this process, and what a fork did to it.
///
/// ```
/// works --fork, the child finds all as it should be--> works
/// works --fork, it does not--> in a child --rac_reinitialize()--> works, with nothing of the parent's
/// works --rac_close()--> closed
/// ```
/// The C shims decide at a fork: process.c.
enum Process {
  /// Nothing but what a released handle or value needs.
  @inline(__always)
  static var isOver: Bool { rac_shim_load_state() != RAC_WORKS }

  /// A forked child whose parent had threads inside the library, or the library's own.
  @inline(__always)
  static var isForkedChild: Bool { rac_shim_load_state() == RAC_IN_CHILD }

  @inline(__always)
  static var isClosed: Bool { rac_shim_load_state() == RAC_CLOSED }

  /// How often it was forked on the way from the first process to this one. Written while there is one thread.
  nonisolated(unsafe) static var forks: UInt32 = 0

  /// Calls of a parent's other threads may have been pinning objects, and the pins of a callback that forked look the
  /// same.
  nonisolated(unsafe) static var hasParentsPins = false

  /// Which process made something: the number in blocks and values of objects.
  @inline(__always)
  static var number: UInt32 { rac_shim_process }
}
