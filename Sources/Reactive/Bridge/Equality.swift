import CRAC

// By what the engine compares: numbers as numbers, objects as Swift says. Other trivial types
// travel as their bits, which may have holes in them and say nothing of an `==` of the type's own;
// they are compared as objects.

/// Whether the engine's equality is the type's.
@usableFromInline
func isComparedByEngine<T>(_ type: T.Type) -> Bool {
  !isScalar(type) || isInteger(type) || type == Double.self || type == Float.self
    || type == Bool.self
}

/// A key, as Swift compares it whatever the type. A structure, since an optional in an `Any` is
/// lost.
@usableFromInline
struct ComparedKey<Key: Equatable>: Equatable {
  @usableFromInline let key: Key
  @usableFromInline init(_ key: Key) { self.key = key }
}

extension ComparedKey: Hashable where Key: Hashable {}
extension ComparedKey: Sendable where Key: Sendable {}

/// The context of whatever compares values by a key. Owned keys.
@inlinable
func comparing<Input, Key: Equatable & Sendable>(
  by key: @escaping @Sendable (Input) throws -> Key
) -> MapContext {
  MapContext { value, out in
    guard let input: Input = decode(value) else { return raiseMismatch(value, Input.self) }
    do {
      out.pointee = encode(box: ValueBox(ComparedKey(try key(input))))
      return 0
    } catch {
      return raise(error)
    }
  }
}

/// The same, with a hash as well.
@inlinable
func hashing<Input, Key: Hashable & Sendable>(
  by key: @escaping @Sendable (Input) throws -> Key
) -> MapContext {
  comparing(by: key)
}
