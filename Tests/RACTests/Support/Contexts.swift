import CRAC
import Synchronization

/// Swift closures as the contexts of C callbacks, counted: how many were given to the library and how
/// many it destroyed.
enum Contexts {
  static let given = Atomic<Int>(0)
  static let destroyed = Atomic<Int>(0)

  private final class Box<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }
  }

  static func give<Body>(_ body: Body) -> UnsafeMutableRawPointer {
    given.wrappingAdd(1, ordering: .relaxed)
    return Unmanaged.passRetained(Box(body)).toOpaque()
  }

  static func body<Body>(_ context: UnsafeMutableRawPointer?, as type: Body.Type) -> Body {
    Unmanaged<Box<Body>>.fromOpaque(context!).takeUnretainedValue().body
  }

  static let destroy: rac_destroy_fn = { context in
    Unmanaged<AnyObject>.fromOpaque(context!).release()
    Contexts.destroyed.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  static var outstanding: Int {
    given.load(ordering: .acquiring) - destroyed.load(ordering: .acquiring)
  }
}
