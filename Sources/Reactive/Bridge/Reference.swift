import CRAC

/// One reference to an object of the engine, given back with the last copy of this.
///
/// The pointer is a number that the engine checks at every call and that any thread may use, so
/// sharing it is safe; Swift cannot know that of an OpaquePointer, hence `nonisolated(unsafe)`,
/// here and wherever a handle is kept.
///
/// All of it is inlined, and so are `Signal` and `Disposable`, whose last copy is often where the
/// first was: then the compiler makes none of these objects on the heap.
@usableFromInline
final class Reference: Sendable {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?

  /// Takes the reference over.
  @inlinable
  init(_ pointer: OpaquePointer?) { self.pointer = pointer }

  @inlinable
  deinit { rac_release(UnsafeMutableRawPointer(pointer)) }
}
