import CRACShims

/// Whether the library works in this process, and what a fork did to it.
///
/// ```
/// works --fork, nobody else has called it--> works
/// works --fork, others have--> in a child --rac_reinitialize()--> works, without the parent's
/// works --rac_close()--> closed
/// ```
/// The C shims decide in the child: process.c.
enum Process {
  /// Nothing but what a released handle or value needs.
  static var isOver: Bool { rac_shim_load_state() != RAC_WORKS }

  /// A forked child whose parent had other threads that had called the library, or threads of the
  /// library's.
  static var isForkedChild: Bool { rac_shim_load_state() == RAC_IN_CHILD }

  static var isClosed: Bool { rac_shim_load_state() == RAC_CLOSED }

  /// A thread of the library's has called the host, which may have forked: the rest of the thread's
  /// work is then the parent's.
  static func standStillIfForked() {
    if isForkedChild { rac_shim_stand_still() }
  }

  /// Which process made something: the number in blocks and values of objects.
  static var number: UInt32 { rac_shim_process }
}
