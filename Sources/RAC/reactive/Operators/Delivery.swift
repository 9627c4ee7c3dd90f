/// The job that sends events which wait for a scheduler, and is scheduled once for all that gather
/// before its turn comes. A subclass has the events.
///
/// It is in no scope: those that wait are let go on the scheduler, even after a disposal.
class Delivery: PausableJob {
  /// Whether there may ever be no room below: found out by the first event, since many have none.
  private final var knowledge = Knowledge.none
  private enum Knowledge: UInt8 { case none, neverHeld, mayBeHeld }
  final let subscription: Scope
  final let scheduler: Scheduler
  /// The scheduler's own, after the first event was put in, as is all below.
  @exclusivity(unchecked) final var downstream: Sink?
  /// Goes with that.
  @exclusivity(unchecked) final var contextsAbove: Object?
  /// How many events are left of a turn that was cut.
  final var leftOfTurn = 0

  @inline(__always)
  init(_ scheduler: Scheduler, _ downstream: Sink) {
    self.scheduler = scheduler
    self.downstream = downstream
    subscription = downstream.scope
  }

  override final func perform() {
    while takeTurn(Portion.share, .max).isCut {}
  }

  /// Without a limit a turn is all that waits.
  override final func perform(atMost limit: Int) -> Portion {
    takeTurn(limit == .max ? .max : Portion.share, limit)
  }

  /// Delivers what waits when the turn begins, but at most a share; less when the limit comes
  /// first.
  func takeTurn(_ share: Int, _ limit: Int) -> Portion { Portion(count: 0) }

  @inline(__always)
  deinit {}

  final var mayBeHeld: Bool { knowledge != .neverHeld && isKnownToBeHeldSometimes }

  /// The immediate scheduler has nobody who goes on.
  @inline(never)
  private final var isKnownToBeHeldSometimes: Bool {
    if knowledge == .none, subscription.isActive, let sink = downstream {
      let mayBe = scheduler !== Scheduler.immediate && sink.holds(.ever)
      knowledge = mayBe ? .mayBeHeld : .neverHeld
    }
    return knowledge == .mayBeHeld
  }

  /// Asked before each event. True: the turn ends with `endHeld`.
  final var isHeld: Bool {
    guard mayBeHeld, subscription.isActive, let sink = downstream, isHeld(below: sink) else {
      return false
    }
    if let hold, hold.awakening == nil {
      let link = AwakeningLink(self)
      hold.awakening = link
      subscription.add(link)
    }
    // Perhaps over before the link was in it.
    if !subscription.isActive { resume() }
    return true
  }

  /// An event waits.
  final func endHeld(_ heard: Int) -> Portion {
    leftOfTurn = 0
    if !rest() { goOn() }
    return Portion(count: heard)
  }

  override final var name: StaticString { "deliverOn:" }
  override final func asks(_ question: Question) -> Bool { downstream?.holds(question) ?? false }

  override final func goOn() { scheduler.schedule(self) }

  /// Behind that nothing comes.
  final func letGo() {
    forgetLink()
    downstream = nil
    contextsAbove = nil
  }

  /// The scheduler takes no more work: nothing can arrive any more.
  override final func drop() {
    super.drop()
    forgetLink()
    subscription.close()
  }

  private final func forgetLink() {
    if let link = hold?.awakening.take() { subscription.remove(link) }
  }
}
