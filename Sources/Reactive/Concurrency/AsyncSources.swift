extension Signal {
  /// A signal whose every subscription runs an asynchronous function, in a task of its own: sends
  /// what that returns and completes, or fails with what it throws. Disposing cancels the task.
  @_disfavoredOverload
  public init(
    priority: TaskPriority? = nil, _ work: @escaping @Sendable () async throws -> Value
  ) {
    self.init { observer in
      let task = Task(executorPreference: VirtualTasks.current, priority: priority) {
        do {
          observer.send(try await work())
          observer.complete()
        } catch {
          observer.send(error: error)
        }
      }
      observer.onTermination { task.cancel() }
    }
  }

  /// A signal whose every subscription goes through an asynchronous sequence, in a task of its own.
  /// Disposing cancels the task; of a sequence that does not look whether it is cancelled nothing
  /// more is sent. It asks for the next element when there is room below for it, as
  /// `Observer.sendWhenRoom` does: a full place there holds the sequence up.
  ///
  /// Some sequences do not bear several tasks: an `AsyncThrowingStream` ends the program when two
  /// wait for it at a time. `share()` lets many observe one task.
  public init<S: AsyncSequence & Sendable>(
    from sequence: S, priority: TaskPriority? = nil
  ) where S.Element == Value {
    self.init { observer in
      let task = Task(executorPreference: VirtualTasks.current, priority: priority) {
        do {
          var elements = sequence.makeAsyncIterator()
          while (try? await observer.waitsForRoom()) == true {
            guard let value = try await elements.next() else {
              observer.complete()
              return
            }
            observer.send(value)
          }
          // A sequence hears that it is left by being asked in a task that is cancelled.
          withUnsafeCurrentTask { $0?.cancel() }
          _ = try await elements.next()
        } catch {
          observer.send(error: error)
        }
      }
      observer.onTermination { task.cancel() }
    }
  }
}
