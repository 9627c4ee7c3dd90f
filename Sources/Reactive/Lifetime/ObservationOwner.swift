/// An object that observes: its observations end with it.
///
///     final class Panel: ObservationOwner {
///       let observations = DisposableBag()
///
///       init(_ name: Property<String>) {
///         name.observe(owner: self) { panel, name in panel.show(name) }
///       }
///
///       func show(_ name: String) { print(name) }
///     }
public protocol ObservationOwner: AnyObject, Sendable {
  /// One of its own: `let observations = DisposableBag()`.
  var observations: DisposableBag { get }
}

extension SignalProtocol {
  /// Calls `onValue` with each value and the owner, which the observation does not keep: it ends
  /// when the owner goes.
  ///
  /// `onValue` runs on the thread that sends, never two at a time; `completion` when the signal
  /// ends, not when the owner goes. Without one an error is one that nobody handles: see
  /// `UnhandledErrors.handler`.
  @discardableResult
  public func observe<Owner: ObservationOwner>(
    owner: Owner, _ onValue: @escaping @Sendable (Owner, Value) -> Void,
    completion: (@Sendable (Owner, Completion) -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    let hear: @Sendable (Value) -> Void = { [weak owner] value in
      if let owner { onValue(owner, value) }
    }
    let observation =
      if let completion {
        observe(
          hear,
          completion: { [weak owner] end in if let owner { completion(owner, end) } },
          fileID: fileID, line: line)
      } else {
        observe(hear, fileID: fileID, line: line)
      }
    observation.store(in: owner.observations)
    return observation
  }

  /// The same on the main actor: for an owner that is the main actor's.
  @discardableResult
  public func observeOnMain<Owner: ObservationOwner>(
    owner: Owner, _ onValue: @escaping @MainActor @Sendable (Owner, Value) -> Void,
    completion: (@MainActor @Sendable (Owner, Completion) -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    let delivered = deliver(on: .main)
    guard let completion else {
      return delivered.observe(
        owner: owner, { owner, value in MainLoop.run { onValue(owner, value) } }, fileID: fileID,
        line: line)
    }
    return delivered.observe(
      owner: owner, { owner, value in MainLoop.run { onValue(owner, value) } },
      completion: { owner, end in MainLoop.run { completion(owner, end) } }, fileID: fileID,
      line: line)
  }
}
