import CRACShims

/// How the engine gets along with the stack that the calling thread happens to have.
///
/// An event on its way down has all of its path on the stack at once: stages, inputs, gates, and
/// callbacks that send again. So have subscriptions on their way up, and the teardown of long
/// chains. Four places look, before it is too late, how much is left:
///
/// - The entry of a chain — a subject, a subscriber, a property — knows how many levels there are
///   below, its `reach`. When these are few nobody looks. When there is no room for them the entry
///   parks the operation in the gate, for a worker, whose stack has room for any.
/// - A sender that enters a gate inside more than a few others looks whether there is room at all,
///   and parks its operation otherwise. So callbacks that send to each other may have frames of any
///   size, within reason.
/// - A chain is made, and subscribed to, where there is room for the subscription and, at the end
///   of it, for an event. Else it is refused.
/// - A teardown for which the stack is too short is left to a worker, too.
///
/// "Room" leaves a margin to callbacks, and takes the levels for as large as the largest of them:
/// see stack.c. Where the bounds of the stack are not known, the limits of depth alone hold.
enum Stack {
  /// So many levels go without a look.
  static var few: Int32 { 16 }
  /// More than there is room for on a worker's stack.
  static var most: Int32 { 16384 }

  @inline(never)
  static func hasRoom(levels: Int32 = 0, subscriptions: Int32 = 0) -> Bool {
    rac_shim_stack_has(currentThread(), Int(max(levels, 0)), Int(max(subscriptions, 0)))
  }

  /// Whether not even the margin is left. Costs next to nothing. A thread without a record gets
  /// one.
  static var isShort: Bool { rac_shim_stack_may_be_short(rac_shim_thread_if_any()) && !hasRoom() }

  // MARK: Teardown

  /// So many levels are torn down without a look.
  static var many: Int32 { 64 }

  /// For an object that dies: whether its contents may be too deep for a teardown here. Then it
  /// calls `outlive`.
  static func isTooShort(toTakeApart levels: Int32) -> Bool { levels >= many && !hasRoom() }

  /// A worker holds the object until the caller has let go of it, and lets go of it last.
  @inline(never)
  static func outlive(_ object: Object) { outlive { withExtendedLifetime(object) {} } }

  /// The same for the contents of a closure.
  @inline(never)
  static func outlive(_ body: @escaping () -> Void) {
    Worker.run(after: 1_000_000, body)
  }
}
