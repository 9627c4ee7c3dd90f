/// Holds disposables, and disposes them when it goes: for an object whose observations end with it.
///
///     final class Panel {
///       private let observations = DisposableBag()
///
///       init(_ name: Property<String>) {
///         name.observe { print($0) }.store(in: observations)
///       }
///     }
///
/// Any thread. Observations that have ended by themselves are let go of, now and then.
public final class DisposableBag: Sendable {
  private struct State {
    var held: [Disposable] = []
    /// When there are so many, those that have ended are let go of.
    var mark = 16
  }

  private let state = Locked(State())

  /// An empty one.
  public init() {}

  deinit { disposeAll() }

  /// Holds another one.
  public func add(_ disposable: Disposable) {
    let ended = state.withLock { state -> [Disposable] in
      state.held.append(disposable)
      if state.held.count < state.mark { return [] }
      let all = state.held
      state.held = all.filter { !$0.isDisposed }
      state.mark = max(16, 2 * state.held.count)
      return all
    }
    withExtendedLifetime(ended) {}
  }

  /// Disposes all that it holds now. It may be used again.
  public func disposeAll() {
    let held = state.withLock { state in
      defer { state = State() }
      return state.held
    }
    for disposable in held { disposable.dispose() }
  }

  /// How many it holds that have not ended.
  public var count: Int {
    let held = state.withLock { $0.held }
    return held.filter { !$0.isDisposed }.count
  }
}

extension Disposable {
  /// Is disposed when the bag goes.
  public func store(in bag: DisposableBag) { bag.add(self) }
}
