import CRACShims
import Synchronization

/// A property that is changed in any way but by a set that finds its gate free and none of its
/// traits: whether it is a change, and which parts hear of it.
extension MutablePropertyCore {
  /// Any change, inside the gate: one that waited, or comes from a tie, or is to be told to ties.
  /// The value is lent. While a batch works out what becomes of the property the ties alone hear
  /// of it.
  ///
  /// A tie's change carries its time, and one that is not newer than the latest is out of date.
  @inline(never)
  final func change(
    _ value: Value, _ stamp: Stamp = .new, from origin: Tie? = nil, at place: LatestChange? = nil
  ) -> rac_status {
    let isBatched = traits.contains(.held)
    if hasEnded { return Status.done }
    if isBatched && !isWorkedOutHere { return leave(value, stamp, from: origin, at: place) }
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
    if rac_recording_is_on() { recordChange(from: origin) }
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

  /// Those derived from it go into a recording together with it.
  @inline(never)
  private final func recordChange(from origin: Tie?) {
    if traits.contains(.feeding) { return }
    guard let peer = origin?.peer(of: self) else { return recordChange() }
    let cause = peer.recordedAsCause()
    recordChange()
    currentThread().pointee.recorded_node = cause
  }

  /// In line with other sets, from any thread; not in what the thread collects.
  final func submitChange(
    _ value: Value, _ stamp: Stamp = .new, from origin: Tie? = nil, at place: LatestChange? = nil
  ) -> rac_status {
    guard let hold = enter() else { return leave(value, stamp, from: origin, at: place) }
    let status = change(value, stamp, from: origin, at: place)
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

/// A change of a property that waits for its turn, because another thread is delivering there, or
/// this one further up. It stands in the gate's queue, and a later one takes its place.
///
/// So sets that come faster than they are delivered need no memory: of those that wait the last
/// counts. A modification, a batch or a binding behind a set has to find it made: the next set
/// stands behind that, and replaces none before. Each direction of a tie has a change of its own,
/// with times that decide which is later.
final class LatestChange: Object {
  typealias Change = (value: Value, stamp: Stamp, origin: Tie?)

  /// Under the lock of components.
  @exclusivity(unchecked) fileprivate var waiting: Change?

  deinit { waiting?.value.release() }
}

extension MutablePropertyCore {
  /// Leaves a change to the thread inside. `place`: the one of the tie that brings it. RAC_OK when
  /// it was made here after all.
  ///
  /// A change that has joined one of another thread's knocks, too: until that thread knocks the
  /// gate may be free, and this thread's next set would overtake this one. Whether all of it has
  /// been made then is not known here.
  @inline(never)
  final func leave(
    _ value: Value, _ stamp: Stamp = .new, from origin: Tie? = nil, at place: LatestChange? = nil
  ) -> rac_status {
    // Released when the lock is free again: what does not count any more.
    var change: LatestChange.Change? = (value.retained(), stamp, origin)
    var spent: Object?
    let isNew = Component.locked {
      if place == nil, let inLine {
        spent = inLine.join(value, from: origin)
        return false
      }
      return put(&change, place ?? latestSet)
    }
    change?.value.release()
    withExtendedLifetime(spent) {}
    let isLeft = gate.knock(self)
    return isNew && !isLeft ? Status.ok : Status.queued
  }

  /// True when it has been put in line. Under the lock.
  private final func put(_ change: inout LatestChange.Change?, _ place: LatestChange?) -> Bool {
    let place = place ?? LatestChange()
    let time = change?.stamp.time ?? 0
    if let before = place.waiting, time != 0, time <= before.stamp.time { return false }
    swap(&change, &place.waiting)
    if change != nil { return false }
    rac_shim_count_queued(1)
    // Also when the library is closed: what waits may hold what holds this.
    push(.fire, place)
    if time == 0 { latestSet = place }
    return true
  }

  /// Makes the change, now that its turn has come. Inside the gate.
  final func make(_ latest: LatestChange) {
    guard let taken = Component.locked({ latest.waiting.take() }) else { return }
    rac_shim_count_queued(-1)
    if !Process.isClosed && !(taken.origin?.isDisposed ?? false) {
      // It waited because of this property's own event.
      let cause = recordedAsCause()
      _ = change(taken.value, taken.stamp, from: taken.origin)
      currentThread().pointee.recorded_node = cause
    }
    taken.value.release()
  }

  /// Something was put in line that comes before the next set. Under the lock.
  final func endLatestSet() {
    if latestSet?.waiting != nil { latestSet = nil }
    inLine = nil
  }
}

extension LatestChange {
  /// Brings a tie's change to a property. RAC_QUEUED when the change, or something that is derived
  /// from it, is left to another thread; why an adapter refused it.
  @inline(never)
  func bring(_ value: Value, _ stamp: Stamp, to core: MutablePropertyCore, from tie: Tie)
    -> rac_status
  {
    // A batch is changing that property here and now, and sees to it.
    if core.isWorkedOutHere {
      core.holder?.hear(value, stamp, from: tie)
      return Status.ok
    }
    return core.submitChange(value, stamp, from: tie, at: self)
  }
}
