// Combine's names, so that the compiler answers with ours. None is the name of an operator here:
// one more overload of `prefix` makes the compiler give up at a typo in a chain. Types are not
// here: a file that imports both modules would find two of each.

extension SignalProtocol {
  @available(*, unavailable, renamed: "observe(_:)")
  public func sink(receiveValue: @escaping @Sendable (Value) -> Void) -> Disposable { fatalError() }

  @available(*, unavailable, renamed: "observe(_:completion:)")
  public func sink(
    receiveCompletion: @escaping @Sendable (Completion) -> Void,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> Disposable { fatalError() }

  @available(*, unavailable, renamed: "signal")
  public func eraseToAnyPublisher() -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "deliver(on:)")
  public func receive(on scheduler: Scheduler) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "map(_:)")
  public func tryMap<T: Sendable>(_ transform: @escaping @Sendable (Value) throws -> T) -> Signal<T>
  { fatalError() }

  @available(*, unavailable, renamed: "compactMap(_:)")
  public func tryCompactMap<T: Sendable>(_ transform: @escaping @Sendable (Value) throws -> T?)
    -> Signal<T>
  { fatalError() }

  @available(*, unavailable, renamed: "filter(_:)")
  public func tryFilter(_ isIncluded: @escaping @Sendable (Value) throws -> Bool) -> Signal<Value> {
    fatalError()
  }

  @available(*, unavailable, renamed: "scan(_:_:)")
  public func tryScan<T: Sendable>(_ initial: T, _ next: @escaping @Sendable (T, Value) throws -> T)
    -> Signal<T>
  { fatalError() }

  @available(*, unavailable, renamed: "reduce(_:_:)")
  public func tryReduce<T: Sendable>(
    _ initial: T, _ next: @escaping @Sendable (T, Value) throws -> T
  ) -> Signal<T> { fatalError() }

  @available(*, unavailable, renamed: "catch(_:)")
  public func tryCatch(_ handler: @escaping @Sendable (any Error) throws -> Signal<Value>)
    -> Signal<Value>
  { fatalError() }

  @available(*, unavailable, renamed: "ignoringValues()")
  public func ignoreOutput() -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "element(at:)")
  public func output(at index: Int) -> Signal<Value> { fatalError() }

  @available(*, unavailable, renamed: "publish()")
  public func makeConnectable() -> Connection<Value> { fatalError() }

  @available(*, unavailable, message: "errors have no type here")
  public func setFailureType<E: Error>(to type: E.Type) -> Signal<Value> { fatalError() }

  @available(
    *, unavailable, message: "an error that nobody handles goes to UnhandledErrors.handler"
  )
  public func assertNoFailure() -> Signal<Value> { fatalError() }

  @available(*, unavailable, message: "write property.bind(to: signal)")
  public func assign(to property: Property<Value>) -> Disposable { fatalError() }

  @available(
    *, unavailable,
    message: "it is handleNext, handleError, handleCompletion, handleStart and finally"
  )
  public func handleEvents(receiveOutput: @escaping @Sendable (Value) -> Void) -> Signal<Value> {
    fatalError()
  }
}

extension Disposable {
  @available(*, unavailable, renamed: "dispose()")
  public func cancel() { fatalError() }
}
