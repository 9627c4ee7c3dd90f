import CRACShims
import Synchronization

/// The root of everything the engine allocates, so that the living can be counted.
class Object {
  init() { rac_shim_count(1) }
  deinit { rac_shim_count(-1) }

  /// The last handle to this object was released; the object itself may live on in a chain.
  func lastHandleReleased() {}

  /// Names every reference that it gives back when it dies: to an object, a context or a value. The
  /// visitor calls it when all references to it are to go, so nobody else is using it. A reference
  /// that is left out counts as alive.
  func visit(_ visitor: inout Visitor) {}

  /// The same for what a class has that others derive from: their `visit` has only what they add.
  func visitBase(_ visitor: inout Visitor) {}
}

/// How much is alive, for rac_live_objects.
enum LiveObjects {
  /// The library's own objects do not count as the user's.
  @exclusivity(unchecked) nonisolated(unsafe) private static var atStart: Int64 = 0

  /// Called once, when all that was made.
  static func boot() { atStart = rac_shim_live_total() }

  static var count: UInt64 { UInt64(max(0, rac_shim_live_total() &- atStart)) }
}

extension Unmanaged {
  /// Gives back one reference. `release()` is compiled to one retain and two releases; this is one
  /// call.
  func drop() { rac_shim_drop(toOpaque()) }

  /// One more reference: one step, where `retain()` first looks whether the object is one that
  /// counts.
  func keep() {
    #if hasFeature(Embedded)
      let count = toOpaque().assumingMemoryBound(to: Atomic<Int>.self) + 1
      count.pointee.wrappingAdd(1, ordering: .relaxed)
    #else
      _ = retain()
    #endif
  }

  /// Gives back one of two references that the caller has.
  func dropOneOfTwo() {
    // Without an atomic step.
    if isPair { toOpaque().assumingMemoryBound(to: Int.self)[1] = 1 } else { drop() }
  }

  /// Whether the caller's two references are known to be the only ones: see `isAlone`.
  var isPair: Bool { counts(2) }

  /// One more reference, where the caller has one of its own and not only the loan of somebody's:
  /// mostly that is the only one there is, and nobody else can take another meanwhile. Then it is
  /// no atomic step.
  func keepAnother() {
    if isAlone { keepNew() } else { keep() }
  }

  /// Whether the caller's reference is known to be the only one. Then it stays so: only a thread
  /// that has a reference, or is lent the caller's, can take another. All accesses of other threads
  /// have happened before: a thread gives a reference back with a releasing step, and this reads
  /// the count with an acquiring one. ThreadSanitizer sees both in a build of Embedded Swift; see
  /// CONTRIBUTING.md.
  var isAlone: Bool { counts(1) }

  @inline(__always)
  private func counts(_ references: Int) -> Bool {
    #if hasFeature(Embedded)
      let count = toOpaque().assumingMemoryBound(to: Atomic<Int>.self) + 1
      return count.pointee.load(ordering: .acquiring) == references
    #else
      return false
    #endif
  }

  /// One more reference to an object that nobody else knows of yet.
  func keepNew() {
    #if hasFeature(Embedded)
      // Without an atomic step: see objects.c for what an object begins with.
      toOpaque().assumingMemoryBound(to: Int.self)[1] &+= 1
    #else
      _ = retain()
    #endif
  }
}

/// A user's context pointer together with the function that frees it.
///
/// Every object that may still call back with the pointer holds this one; `destroy` runs when the
/// last holder lets go, which is after the last callback has returned.
final class Context: Object {
  let pointer: UnsafeMutableRawPointer?
  /// See `calledBack`.
  private let hasReturned = Atomic<Bool>(false)
  let destroy: (@Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void)?
  /// Keeps the contexts of the operators above this one's: they go after it. Set before anybody
  /// else has this.
  @exclusivity(unchecked) var above: Object?

  init(
    _ pointer: UnsafeMutableRawPointer?,
    _ destroy: (@Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void)?
  ) {
    self.pointer = pointer
    self.destroy = destroy
  }

  /// Whether anything happens when it goes.
  var isLasting: Bool { destroy != nil || above != nil }

  override func visit(_ visitor: inout Visitor) {
    visitor.held(pointer, destroy)
    visitor.reference(above)
  }

  /// A callback outside any gate has returned. That destroy comes later is ordered by reference
  /// counts, which ThreadSanitizer does not see; this it does.
  func calledBack() { hasReturned.store(true, ordering: .releasing) }

  deinit {
    _ = hasReturned.load(ordering: .acquiring)
    if let destroy { currentThread().asAwaited { destroy(pointer) } }
    if let above = above.take() { Reaper.drop(.passRetained(above)) }
  }
}

/// Keeps the contexts of two, the first of which go first.
final class ContextPair: Object {
  private var first: Object?
  private var second: Object?

  private init(_ first: Object, _ second: Object) {
    self.first = first
    self.second = second
  }

  static func of(_ first: Object?, _ second: Object?) -> Object? {
    guard let first, let second else { return first ?? second }
    return ContextPair(first, second)
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(first)
    visitor.reference(second)
  }

  // Pairs of pairs may be deep.
  deinit {
    if let first = first.take() { Reaper.drop(.passRetained(first)) }
    if let second = second.take() { Reaper.drop(.passRetained(second)) }
  }
}
