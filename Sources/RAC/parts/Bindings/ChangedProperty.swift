import Synchronization

/// A property that is changed in any way but by a set that finds its gate free and none of its
/// traits: whether it is a change, and which parts hear of it.
extension MutablePropertyCore {
  /// Any change, inside the gate: one that waited, or comes from a tie, or is to be told to ties.
  /// The value is lent. While a batch works out what becomes of the property nobody hears of it but
  /// the ties.
  ///
  /// A tie's change carries its time, and one that is not newer than the latest is out of date.
  @inline(never)
  final func change(_ value: Value, _ stamp: Stamp = .new, from origin: Tie? = nil) -> rac_status {
    let isBatched = traits.contains(.held)
    if hasEnded { return Status.done }
    if isBatched && !isWorkedOutHere {
      let task = origin.map { later(stamp, from: $0) }
      return keep(task == nil ? .next : .fire, task, value)
    }
    var fresh = Value.null
    var time = stamp.time
    if let status = accept(value, &fresh, at: &time, renewing: stamp.renewed, from: origin) {
      return status
    }
    if isBatched {
      holder?.take(fresh, time, origin)
      _ = tell(Stamp(time: time), besides: origin)
      return Status.ok
    }
    self.origin = origin.map { .passUnretained($0) }
    changeTime = time
    previous = current
    let retired = publish(fresh)
    let thread = currentThread()
    begin(thread)
    let isLeft = traits.contains(.feeding) && feed(fresh, thread)
    sendCarefully(fresh)
    let status = tell(Stamp(time: time), besides: origin)
    self.origin = nil
    changeTime = 0
    finishDelivering()
    SeqlockValue.retire(retired)
    return isLeft && status == Status.ok ? Status.queued : status
  }

  /// Whether a value is a change, and of what time. nil: it is, and `fresh`, owned by the caller,
  /// is what the property's value is to be.
  @inline(__always)
  private final func accept(
    _ value: Value, _ fresh: inout Value, at time: inout UInt64, renewing renewed: UInt64,
    from origin: Tie?
  ) -> rac_status? {
    let isTied = traits.contains(.tied)
    if isTied && time != 0 {
      if isOutOfDate(time) { return Status.ok }
      if renewed != 0 && renewed == stamp.load(ordering: .relaxed) {
        renew(Stamp(time: time, renewed: renewed), besides: origin)
        return Status.ok
      }
    }
    if traits.contains(.adapted) {
      let status = write(value, &fresh)
      if status < 0 { return status }
    } else {
      fresh = value.retained()
    }
    if isDistinct && fresh.isSame(as: current) {
      fresh.release()
      // The value is there already, but it is the other side's latest.
      if isTied && time != 0 {
        renew(Stamp(time: time, renewed: stamp.load(ordering: .relaxed)), besides: origin)
      }
      return Status.ok
    }
    if isTied {
      if time == 0 { time = ChangeClock.next() }
      stamp.store(time, ordering: .relaxed)
    }
    return nil
  }

  /// The same for later, inside the gate.
  private final func later(_ stamp: Stamp, from tie: Tie) -> PropertyTask {
    PropertyTask {
      if !tie.isDisposed { _ = self.change($0, stamp, from: tie) }
    }
  }

  /// In line with other sets, from any thread; not in what the thread collects.
  final func submitChange(_ value: Value, _ stamp: Stamp = .new, from origin: Tie? = nil)
    -> rac_status
  {
    guard let hold = enter() else {
      let task = origin.map { later(stamp, from: $0) }
      return gate.post(self, task == nil ? .next : .fire, task, value) ? Status.queued : Status.ok
    }
    let status = change(value, stamp, from: origin)
    hold.leave(self)
    return status
  }

  /// A set, from any thread.
  final func submitSet(_ value: Value, from origin: Tie? = nil) -> rac_status {
    if let open = SetCollector.open(on: currentThread()) {
      return open.set(self, value, from: origin)
    }
    return submitChange(value, from: origin)
  }
}
