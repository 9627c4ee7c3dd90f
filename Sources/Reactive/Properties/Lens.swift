/// A part of a property as a property: it changes with the whole, and setting it changes that part
/// of the whole and nothing else.
///
///     let form = Property(Form())
///     let name = form[\.name]
///     name.observe { print($0) }
///     name.value = "Ada"             // form.value.name is "Ada"
///     form[\.address][\.city].value = "Turin"
///
/// It is observed when the part changes: a change of another part, or to an equal value, is none.
/// Two threads that set two parts do not overwrite each other's. In a batch it reads what the batch
/// has set. It keeps the whole; its observers do not, and hear a completion when that goes.
///
/// A path through an index, as `\.[0].name`, ends the program when an array has no such element any
/// more, as the index does elsewhere; one through a dictionary's key gives an optional.
///
/// Making one costs the whole a computation at each change: keep it where you observe it.
public final class Lens<Value: Sendable>: MutablePropertyProtocol {
  @usableFromInline let part: DerivedProperty<Value>
  @usableFromInline let change: @Sendable (@escaping @Sendable (inout Value) -> Void) -> SendResult

  @inlinable @inline(__always)
  init<Whole: MutablePropertyProtocol>(
    of whole: Whole, _ path: WritableKeyPath<Whole.Value, Value> & Sendable
  ) {
    part = whole.mapped(distinct: true) { $0[keyPath: path] }
    change = { change in whole.modify { change(&$0[keyPath: path]) } }
  }

  /// The part now, then every change of it; completes when the whole goes.
  public var signal: Signal<Value> { part.signal }

  /// The part now.
  @inlinable public var value: Value {
    get { part.value }
    set { set(newValue) }
  }

  /// The part now, read so that Observation hears of changes.
  @inlinable public var tracked: Value { part.tracked }

  /// Sets the part, and says what became of it.
  @inlinable @discardableResult
  public func set(_ value: Value) -> SendResult { change { $0 = value } }

  /// Changes the part, with no set of the whole in between.
  @inlinable @discardableResult
  public func modify(_ change: @escaping @Sendable (inout Value) -> Void) -> SendResult {
    self.change(change)
  }
}
