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
  private let toLeft = LatestChange()
  private let toRight = LatestChange()
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
    let place = peer === left ? toLeft : toRight
    let status =
      if let conversion {
        bring(value, conversion, at: time, renewing: renewed, from: core, by: place)
      } else {
        place.bring(value, at: time, renewing: renewed, to: peer, from: self)
      }
    if status == Status.queued { core.noteLeftToOthers() }
  }

  @inline(never)
  private func bring(
    _ value: Value, _ conversion: Conversion, at time: UInt64, renewing renewed: UInt64,
    from core: PropertyCore, by place: LatestChange
  ) -> rac_status {
    let convert = core === left ? conversion.toRight : conversion.toLeft
    guard let converted = Value.made({ convert(conversion.context.pointer, value, $0) }) else {
      return Status.ok
    }
    let peer = core === left ? right : left
    let status = place.bring(converted, at: time, renewing: renewed, to: peer, from: self)
    converted.release()
    return status
  }
}
