import CRACShims
import Synchronization

/// The scope of what feeds a subject, or something else that others send into; disposed by the
/// first end. Most are fed by nothing, so the scope is made when there is something to put into it.
/// It is a part of what it belongs to, and not counted among the living by itself.
struct Upstream: ~Copyable {
  private static let none: UInt = 0
  /// Ended before there was anything.
  private static let closed: UInt = 1
  /// One of the above, or the address of the scope, retained, which then stays.
  private let word = Atomic<UInt>(Upstream.none)

  borrowing func add(_ link: Link) {
    guard let scope = scope() else { return link.dispose() }
    scope._withUnsafeGuaranteedRef { $0.add(link) }
  }

  /// It ends with the other scope.
  borrowing func join(_ other: Scope) {
    scope()?._withUnsafeGuaranteedRef { other.add($0) }
  }

  borrowing func remove(_ link: Link) {
    let now = word.load(ordering: .acquiring)
    if now > Upstream.closed { Upstream.scope(now)._withUnsafeGuaranteedRef { $0.remove(link) } }
  }

  borrowing func close() {
    var now = word.load(ordering: .acquiring)
    if now == Upstream.none {
      now =
        word.replace(Upstream.none, with: Upstream.closed).original
    }
    if now > Upstream.closed { Upstream.scope(now)._withUnsafeGuaranteedRef { _ = $0.close() } }
  }

  /// nil: it has ended.
  private borrowing func scope() -> Unmanaged<Scope>? {
    var now = word.load(ordering: .acquiring)
    if now == Upstream.none {
      let made = Unmanaged.passRetained(Scope())
      let (isFirst, actual) = word.replace(Upstream.none, with: UInt(bitPattern: made.toOpaque()))
      if isFirst {
        rac_shim_count(-1)
        return made
      }
      made.drop()
      now = actual
    }
    return now == Upstream.closed ? nil : Upstream.scope(now)
  }

  private static func scope(_ address: UInt) -> Unmanaged<Scope> {
    .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  deinit {
    let last = word.load(ordering: .acquiring)
    if last > Upstream.closed {
      rac_shim_count(1)
      Upstream.scope(last).drop()
    }
  }
}
