import Synchronization

extension Property {
  /// Keeps two properties equal, or each the other's conversion: every change of one is made in the
  /// other, and none comes back. First the left one takes the right one's value.
  ///
  /// ```
  /// right  2--X---3-----4--
  /// left   1--2---3-----4--
  /// set    ---------3l--4r-
  /// ```
  /// Ends with either property, or disposed. Tie says why both end equal.
  /// C: rac_property_bind_two_way. RAC: RACChannelTo(left) = RACChannelTo(right)
  func bindTwoWay(_ right: Property, _ conversion: Conversion? = nil) -> Disposable {
    let binding = TwoWayBinding(left: mutable, right: right.mutable, conversion)
    let left = mutable
    left.perform { left.add(binding) }
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
  private let left: MutablePropertyCore
  private let right: MutablePropertyCore
  private let conversion: Conversion?
  private let toLeft = LatestChange()
  private let toRight = LatestChange()

  init(left: MutablePropertyCore, right: MutablePropertyCore, _ conversion: Conversion?) {
    self.left = left
    self.right = right
    self.conversion = conversion
  }

  /// Perhaps from inside one of the gates.
  override func dispose() {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    left.perform { self.left.remove(self) }
    right.perform { self.right.remove(self) }
  }

  override func added(to core: MutablePropertyCore) {
    if core === left { right.perform { self.right.introduce(self) } }
  }

  override func changed(_ value: Value, _ stamp: Stamp, in core: MutablePropertyCore) -> rac_status
  {
    // Two calls with fixed arguments: the compiler would retain one that is either of two for the
    // length of the call.
    core === left
      ? pass(value, stamp, to: right, toRight, conversion?.toRight)
      : pass(value, stamp, to: left, toLeft, conversion?.toLeft)
  }

  @inline(__always)
  private func pass(
    _ value: Value, _ stamp: Stamp, to peer: MutablePropertyCore, _ place: LatestChange,
    _ convert: rac_map_fn?
  ) -> rac_status {
    if isDisposed || peer.isOutOfDate(stamp.time) { return Status.ok }
    guard let convert, let context = conversion?.context else {
      return place.bring(value, stamp, to: peer, from: self)
    }
    guard let converted = Value.made({ convert(context.pointer, value, $0) }) else {
      return Status.ok
    }
    let status = place.bring(converted, stamp, to: peer, from: self)
    converted.release()
    return status
  }

  override func peer(of core: MutablePropertyCore) -> MutablePropertyCore? {
    core === left ? right : left
  }
}
