import CRAC

extension SignalProtocol {
  /// Sends what comes, the end as well, on a scheduler, in order.
  ///
  /// RAC: -deliverOn:. Combine: receive(on:).
  public func deliver(on scheduler: Scheduler) -> Signal<Value> {
    derive(on: scheduler) { rac_signal_deliver_on($0, $1) }
  }

  /// Sends what comes, the end as well, on an actor, many values in one turn of its.
  public func deliver<A: Actor>(on actor: A) -> Signal<Value> {
    deliver(on: Scheduler(actor: actor))
  }

  /// Starts the signal on a scheduler. RAC: -subscribeOn:.
  public func subscribe(on scheduler: Scheduler) -> Signal<Value> {
    derive(on: scheduler) { rac_signal_subscribe_on($0, $1) }
  }

  /// Calls `onValue` on an actor with each value, in order, many of them in one turn of its; and
  /// `completion` when the signal ends. The observation keeps the actor.
  ///
  ///     words.observe(on: index) { index, word in index.add(word) }
  @discardableResult
  public func observe<A: Actor>(
    on actor: A, _ onValue: @escaping @Sendable (isolated A, Value) -> Void,
    completion: (@Sendable (isolated A, Completion) -> Void)? = nil
  ) -> Disposable {
    let scheduler = Scheduler(actor: actor)
    return deliver(on: scheduler).observe { value in
      actor.assumeIsolated { onValue($0, value) }
    } completion: { end in
      guard let completion else { return }
      if scheduler.isCurrent {
        actor.assumeIsolated { completion($0, end) }
      } else {
        // It could not be observed: the library was closed.
        Task { await completion(actor, end) }
      }
    }
  }

  /// Calls `onValue` on the main actor with each value, and `completion` when the signal ends.
  @discardableResult
  public func observeOnMain(
    _ onValue: @escaping @MainActor @Sendable (Value) -> Void,
    completion: (@MainActor @Sendable (Completion) -> Void)? = nil
  ) -> Disposable {
    deliver(on: .main).observe { value in
      MainLoop.run { onValue(value) }
    } completion: { end in
      if let completion { MainLoop.run { completion(end) } }
    }
  }
}

extension MainLoop {
  /// Jobs on the main scheduler run as the main actor's, unless a program runs that scheduler
  /// elsewhere.
  static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if isCurrent {
      MainActor.assumeIsolated(body)
    } else {
      Task { @MainActor in body() }
    }
  }
}
