import CRACShims
import Synchronization

/// The inside of a property: a value that any thread may read at any time, and subscribers who hear
/// the current one first and then every change.
///
/// A property that is set is a `MutablePropertyCore`, one that is derived from others a
/// `GraphNode`. A change goes through its own gate, or through that of the graph's component that
/// it lives in. "Inside" means inside that gate.
class PropertyCore: SubjectCore {
  /// In the cell of the gate's slot, once there is one.
  @exclusivity(unchecked) private(set) final var latest = SeqlockValue(.none)
  /// The latest value, for the thread inside; `latest` owns it once it is published.
  final var current: Value {
    @inline(__always) get { wholeCurrent.value }
    @inline(__always) set { wholeCurrent = WholeValue(newValue) }
  }
  @exclusivity(unchecked) private final var wholeCurrent: WholeValue
  /// The one before, while a change is delivered.
  final var previous: Value {
    @inline(__always) get { wholePrevious.value }
    @inline(__always) set { wholePrevious = WholeValue(newValue) }
  }
  @exclusivity(unchecked) private final var wholePrevious = WholeValue(.null)
  /// An equal value is no change.
  final let isDistinct: Bool
  /// Whether sets are refused.
  final let isReadOnly: Bool
  @exclusivity(unchecked) final var traits: Traits

  /// A set with one of these is more than a value and its subscribers. Most properties have none.
  struct Traits: OptionSet {
    let rawValue: UInt8

    static let ended = Traits(rawValue: 1)
    /// Others share the value: see Tie.
    static let tied = Traits(rawValue: 2)
    /// Others are derived from it: see RootNode.
    static let feeding = Traits(rawValue: 4)
    /// A subscriber wants to know the value before.
    static let previous = Traits(rawValue: 8)
    /// The user keeps the value.
    static let adapted = Traits(rawValue: 16)
    /// A batch has hold of it.
    static let held = Traits(rawValue: 32)
    /// A value needs more stack than is taken for granted.
    static let far = Traits(rawValue: 64)
    /// It is derived from others, and never set.
    static let derived = Traits(rawValue: 128)
  }

  @exclusivity(unchecked) final var hasEnded = false
  @exclusivity(unchecked) final var endError: Value?

  private final let derivedFromIt = Atomic<Int>(0)
  /// Its node in a recording, as a word; 0: none was made.
  final let recorded = Atomic<UInt64>(0)

  /// Takes the value over.
  init(_ initial: Value, isDistinct: Bool, isReadOnly: Bool, traits: Traits) {
    self.isDistinct = isDistinct
    self.isReadOnly = isReadOnly
    self.traits = traits
    wholeCurrent = WholeValue(initial)
    super.init()
    latest = SeqlockValue(PropertyCell(of: gate.slot.index))
    SeqlockValue.retire(latest.store(initial))
  }

  deinit {
    latest.destroy()
    latest.cell.freeIfOwn(gate.slot.index)
    endError?.release()
  }

  /// The value, owned by the caller; nil: the user's callback failed. On any thread.
  func read() -> Value? { latest.read() }

  /// Whether `read` has to be asked, because the value may be another than `current`.
  var isKeptByUser: Bool { false }

  /// The last handle of the property is gone.
  func close() {}

  /// No thread can ask for the value any more. A signal of changes, or a binding that is over, may
  /// still hold this; it need not hold the value, which might hold this in turn. Inside.
  final func forget() {
    SeqlockValue.retire(publish(.null))
  }

  /// A property has no errors.
  override final func stop(_ error: Value) {}

  /// Makes the value the current one for all threads. Takes it over. The value before stays good
  /// until the result is retired.
  @inline(__always)
  final func publish(_ fresh: Value) -> SeqlockValue.Retired {
    current = fresh
    return latest.store(fresh)
  }

  /// Enters the gate for a walk. False: another thread is at the property, or may come to it.
  func isEntered(by visitor: inout Visitor) -> Bool { false }

  // MARK: Subscribers

  /// Sends the current value, or the end. True when more can come.
  final func greet(_ sink: Sink) -> Bool {
    // Disposed before its turn came: the removal is already behind us.
    guard sink.scope.isActive else { return false }
    if hasEnded {
      end(sink)
      return false
    }
    // The next change is its first value.
    if sink is ChangesSink { return true }
    if let value = isKeptByUser ? read() : current.retained() {
      sink.next(value)
      value.release()
    }
    return sink.scope.isActive
  }

  /// Tells a subscriber that is in no list that the property has ended.
  final func end(_ sink: Sink) {
    sink.scope.remove(sink)
    if let endError { sink.error(endError) } else { sink.completed() }
  }

  /// Ends all that are in the list.
  final func endSubscribers() {
    // When the library is closed they are only let go.
    end {
      if Process.isClosed { return }
      if let endError { $0.error(endError) } else { $0.completed() }
    }
  }

  /// Subscribers, and properties that are derived from it.
  final var observerCount: Int { subscriberCount &+ derivedFromIt.load(ordering: .relaxed) }

  final func countDerived(_ change: Int) { derivedFromIt.wrappingAdd(change, ordering: .relaxed) }
}

/// Listens to changes: pairs of the value before and the value after.
final class ChangesSink: Sink {
  private let core: PropertyCore
  private let downstream: Sink

  init(_ core: PropertyCore, _ downstream: Sink) {
    self.core = core
    self.downstream = downstream
    super.init(scope: downstream.scope, height: downstream.height &+ 1)
  }

  override var recordedBelow: RecordedBelow { downstream.recordedBelow }

  /// Inside, where `previous` is still good.
  override func next(_ value: Value) {
    let pair = Value.pair(core.previous, value)
    downstream.next(pair)
    pair.release()
  }

  override func error(_ error: Value) { downstream.error(error) }
  override func completed() { downstream.completed() }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    downstream.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.reference(core)
    visitor.reference(downstream)
  }
}

extension Value {
  /// Whether it is that very value, and not just an equal one.
  func isIdentical(to other: Value) -> Bool {
    kind == other.kind && flags == other.flags && length == other.length && bits == other.bits
  }
}
