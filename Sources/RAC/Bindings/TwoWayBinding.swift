import CRACShims
import Synchronization

extension Property {
  /// Keeps two properties equal, or each the other's conversion: every change of one is made in the other,
  /// and none comes back. First the left one takes the right one's value.
  ///
  /// ```
  /// right  2--X---3-----4--
  /// left   1--2---3-----4--
  /// set    ---------3l--4r-
  /// ```
  /// Ends with either property, or disposed. Tie says why both end equal.
  /// C: rac_property_bind_two_way. RAC: RACChannelTo(left) = RACChannelTo(right)
  func bindTwoWay(_ right: Property, _ conversion: Conversion? = nil) -> Disposable {
    let binding = TwoWayBinding(left: core, right: right.core, conversion)
    core.perform(.add, binding)
    return binding
  }
}

/// The callbacks of a two-way binding between properties of different kinds.
struct Conversion {
  let context: Context
  let toLeft: rac_map_fn
  let toRight: rac_map_fn
}

/// The tie at both of them.
private final class TwoWayBinding: Tie {
  private let left: PropertyCore
  private let right: PropertyCore
  private let conversion: Conversion?
  private let toLeft = Overtaking()
  private let toRight = Overtaking()
  private let isOver = Atomic<Bool>(false)

  init(left: PropertyCore, right: PropertyCore, _ conversion: Conversion?) {
    self.left = left
    self.right = right
    self.conversion = conversion
  }

  override var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// Perhaps from inside one of the gates.
  override func dispose() {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    left.perform(.remove, self)
    right.perform(.remove, self)
  }

  override func added(to core: PropertyCore) {
    if core === left { right.perform(.introduce, self) }
  }

  override func changed(
    _ value: Value, at time: UInt64, renewing renewed: UInt64, in core: PropertyCore
  ) {
    let peer = core === left ? right : left
    if isDisposed || peer.isOutOfDate(time) { return }
    guard let conversion else { return bring(value, time, renewed, to: peer) }
    let convert = core === left ? conversion.toRight : conversion.toLeft
    if let converted = Value.made({ convert(conversion.context.pointer, value, $0) }) {
      bring(converted, time, renewed, to: peer)
      converted.release()
    }
  }

  private func bring(_ value: Value, _ time: UInt64, _ renewed: UInt64, to peer: PropertyCore) {
    if peer.gate.enterToSend() {
      _ = peer.change(value, at: time, renewing: renewed, from: self)
      peer.gate.leave(peer)
    } else if peer.isDeliveringHere {
      // This thread's own doing, so all of it is done.
      _ = peer.submitSet(value, at: time, renewing: renewed, from: self)
    } else if (peer === left ? toLeft : toRight).put(value, time, renewed) {
      peer.submit(.fire, OvertakenChange(peer, self))
    }
  }

  /// The change that waits for its turn at that property. Inside the gate.
  fileprivate func bringWaiting(to peer: PropertyCore) {
    guard let waiting = (peer === left ? toLeft : toRight).take() else { return }
    if !isDisposed {
      _ = peer.change(waiting.value, at: waiting.time, renewing: waiting.renewed, from: self)
    }
    waiting.value.release()
  }
}

/// A place where one change waits; a later one takes its place.
private final class Overtaking {
  typealias Change = (value: Value, time: UInt64, renewed: UInt64)

  private let lock = Lock()
  private var waiting: Change?

  /// True when nothing was waiting, so that somebody has to be sent for it.
  func put(_ value: Value, _ time: UInt64, _ renewed: UInt64) -> Bool {
    var loser: Value? = value.retained()
    lock.lock()
    let wasEmpty = waiting == nil
    if waiting == nil || waiting.unsafelyUnwrapped.time < time {
      let fresh = (loser.unsafelyUnwrapped, time, renewed)
      loser = waiting?.value
      waiting = fresh
    }
    lock.unlock()
    loser?.release()
    return wasEmpty
  }

  /// For the caller to release.
  func take() -> Change? {
    lock.lock()
    let taken = waiting
    waiting = nil
    lock.unlock()
    return taken
  }

  deinit { waiting?.value.release() }
}

private final class OvertakenChange: Wish {
  private let binding: TwoWayBinding

  init(_ core: PropertyCore, _ binding: TwoWayBinding) {
    self.binding = binding
    super.init(core)
  }

  override func grant(_ core: PropertyCore, _ value: Value) { binding.bringWaiting(to: core) }
}

extension Value {
  /// What a callback of the user's writes, owned; nil: it failed, or wrote what is no sound value.
  static func made(_ call: (UnsafeMutablePointer<Value>) -> rac_status) -> Value? {
    var out = Value.null
    let status = call(&out)
    if status < 0 {
      Failure.discardRaised(currentThread())
      out.release()
      return nil
    }
    switch out.admitted() {
    case .sound: return out.isCounted ? out : out.retained()
    case .copied(let copy): return copy
    case .refused: return nil
    }
  }
}
