import CRACShims

/// The holder of a property, which decides on its value for a while: a batch that has ended. At
/// first it waits in line for that.
class PropertyHolder: Object {
  /// Where what is derived from the property changes meanwhile. Under the lock of components.
  @exclusivity(unchecked) final var home: Component?

  /// Makes a set that comes while it waits a part of it. Gives what does not count any more, to be
  /// released when the lock is free again. Under the lock.
  func join(_ value: Value, from origin: Tie?) -> Object? { nil }

  /// The next value, which is taken over. No other thread sees it yet.
  func take(_ fresh: Value, _ time: UInt64, _ origin: Tie?) {}

  /// A tie brings a change, while the values are worked out.
  func hear(_ value: Value, _ stamp: Stamp, from tie: Tie) {}
}

/// A batch that is open: it takes in the sets of its thread.
class SetCollector: Unfinished {
  func set(_ core: MutablePropertyCore, _ value: Value, from origin: Tie?) -> rac_status {
    Status.ok
  }
  func modify(_ core: MutablePropertyCore, _ context: Context, _ body: @escaping rac_map_fn)
    -> rac_status?
  { nil }
  /// What it has set the property to, owned by the caller; nil: nothing.
  func read(_ core: PropertyCore) -> Value? { nil }
  func hasSet(_ core: PropertyCore) -> Bool { false }
  /// Whether one of its modifications is counted by a bound.
  var hasPlaces: Bool { false }

  static func open(on thread: Thread) -> SetCollector? {
    thread.innermost.map { unsafeDowncast($0, to: SetCollector.self) }
  }

  /// A set inside the gate, by a thread that has begun something.
  @inline(never)
  static func take(_ value: Value, for core: MutablePropertyCore, _ thread: Thread) -> rac_status {
    if let begun = thread.pointee.unfinished {
      let open = Unmanaged<SetCollector>.fromOpaque(begun)
      // Kept by the thread.
      let isInnermost = open._withUnsafeGuaranteedRef { $0.depth <= thread.depthNow }
      if isInnermost { return open._withUnsafeGuaranteedRef { $0.set(core, value, from: nil) } }
    }
    return open(on: thread)?.set(core, value, from: nil) ?? core.change(value)
  }
}
