import CRACShims
import Synchronization

/// What shares a property's value with others: an end of a two-way binding, or a channel's.
///
/// A tie is told of every change but those it brought itself, so no change comes back to its sender. It
/// is told inside the property's gate.
class Tie: Object {
  /// The property has a value, with its time. If it is not new it equals the one before, and only the
  /// time is.
  func changed(_ value: Value, at time: UInt64, isNew: Bool) {}

  /// The property is gone.
  func ended() {}

  /// False once changes that it brings are too late.
  var isActive: Bool { true }
}

/// The one clock by which changes of tied properties are ordered.
enum Stamps {
  /// Later than any before.
  static func next() -> UInt64 {
    engine.stamps.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }
}

/// A change that a tie brings, or wants the time of.
final class TiedChange: Wish {
  private let time: UInt64
  private let origin: Tie?

  init(_ time: UInt64, _ origin: Tie?) {
    self.time = time
    self.origin = origin
    super.init()
  }

  override func grant(_ core: PropertyCore, _ value: Value) {
    if let origin, !origin.isActive { return }
    _ = core.change(value, at: time, from: origin)
  }
}
