// Rx's names, so that the compiler answers with ours. None is the name of an operator here: one
// more overload of `prefix` makes the compiler give up at a typo in a chain. Types are not here: a
// file that imports both modules would find two of each.

extension SignalProtocol {
  @available(*, unavailable, renamed: "observe(_:)")
  public func subscribe(onNext: @escaping @Sendable (Value) -> Void) -> Disposable { fatalError() }

  @available(*, unavailable, renamed: "observe(_:completion:)")
  public func subscribe(
    onNext: @escaping @Sendable (Value) -> Void, onError: @escaping @Sendable (any Error) -> Void
  ) -> Disposable { fatalError() }

  @available(*, unavailable, renamed: "observe(_:completion:)")
  public func subscribe(
    onNext: @escaping @Sendable (Value) -> Void, onError: @escaping @Sendable (any Error) -> Void,
    onCompleted: @escaping @Sendable () -> Void
  ) -> Disposable { fatalError() }

  @available(*, unavailable, renamed: "signal")
  public func asObservable() -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "removeDuplicates()")
  public func distinctUntilChanged() -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "removeDuplicateKeys(_:)")
  public func distinctUntilChanged<Key: Equatable & Sendable>(
    _ key: @escaping @Sendable (Value) -> Key
  ) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "uniqued()")
  public func distinct() -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "prefix(_:)")
  public func take(_ count: Int) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "prefixUntil(_:)")
  public func take<Other: SignalProtocol>(until other: Other) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "prefix(while:)")
  public func take(while predicate: @escaping @Sendable (Value) -> Bool) -> Signal<Value> {
    fatalError()
  }

  @available(*, unavailable, renamed: "suffix(_:)")
  public func takeLast(_ count: Int) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "dropFirst(_:)")
  public func skip(_ count: Int) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "dropUntil(_:)")
  public func skip<Other: SignalProtocol>(until other: Other) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "drop(while:)")
  public func skip(while predicate: @escaping @Sendable (Value) -> Bool) -> Signal<Value> {
    fatalError()
  }

  @available(*, unavailable, renamed: "prepend(_:)")
  public func startWith(_ value: Value) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "append(_:)")
  public func concat<Other: SignalProtocol<Value>>(_ other: Other) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "switchToLatest()")
  public func switchLatest() -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "flatMapLatest(_:)")
  public func switchMap<T: Sendable>(_ transform: @escaping @Sendable (Value) throws -> Signal<T>)
    -> Signal<T>
  { fatalError() }

  @available(*, unavailable, renamed: "flatMapFirst(_:)")
  public func exhaustMap<T: Sendable>(_ transform: @escaping @Sendable (Value) throws -> Signal<T>)
    -> Signal<T>
  { fatalError() }

  @available(*, unavailable, renamed: "flatMap(_:)")
  public func mergeMap<T: Sendable>(_ transform: @escaping @Sendable (Value) throws -> Signal<T>)
    -> Signal<T>
  { fatalError() }

  @available(*, unavailable, renamed: "withLatest(from:)")
  public func withLatestFrom<Other: SignalProtocol>(_ other: Other) -> Signal<(Value, Other.Value)>
  { fatalError() }

  @available(*, unavailable, renamed: "replaceError(with:)")
  public func catchAndReturn(_ value: Value) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "replaceError(with:)")
  public func catchErrorJustReturn(_ value: Value) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "handleNext(_:)")
  public func `do`(onNext: @escaping @Sendable (Value) -> Void) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "handleNext(_:)")
  public func tap(_ action: @escaping @Sendable (Value) -> Void) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "collect()")
  public func toArray() -> Signal<[Value]> { fatalError() }

  @available(*, unavailable, renamed: "chunks(ofCount:)")
  public func buffer(_ count: Int) -> Signal<[Value]> { fatalError() }

  @available(*, unavailable, renamed: "grouped(by:)")
  public func groupBy<Key: Hashable & Sendable>(_ key: @escaping @Sendable (Value) -> Key)
    -> Signal<GroupedSignal<Key, Value>>
  { fatalError() }

  @available(*, unavailable, renamed: "adjacentPairs()")
  public func pairwise() -> Signal<(Value, Value)> { fatalError() }

  @available(*, unavailable, renamed: "ignoringValues()")
  public func ignoreElements() -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "share(replaying:)")
  public func shareReplay(_ count: Int) -> Signal<Value> { fatalError() }
}

extension Signal {
  @available(*, unavailable, message: "write Signal([1, 2, 3])")
  public static func of(_ values: Value...) -> Signal<Value> { fatalError() }

  @available(*, unavailable, message: "write Signal { observer in … }")
  public static func create(_ subscribe: @escaping @Sendable (Observer<Value>) throws -> Void)
    -> Signal<Value>
  { fatalError() }

  @available(*, unavailable, renamed: "fail(_:)")
  public static func error(_ error: any Error) -> Signal<Value> { fatalError() }
}

extension Subject {
  @available(*, unavailable, renamed: "send(_:)")
  public func onNext(_ value: Value) { fatalError() }

  @available(*, unavailable, renamed: "send(error:)")
  public func onError(_ error: any Error) { fatalError() }

  @available(*, unavailable, renamed: "complete()")
  public func onCompleted() { fatalError() }
}

extension Property {
  @available(*, unavailable, renamed: "set(_:)")
  public func accept(_ value: Value) { fatalError() }
}
