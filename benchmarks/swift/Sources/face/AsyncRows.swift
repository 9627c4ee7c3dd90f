import Reactive

/// The face beside what Swift itself has for it.
struct AsyncRow {
  let name: String
  let limit: Double
  let count: Int
  let bare: @Sendable (Int) async -> Void
  let face: @Sendable (Int) async -> Void
}

actor Counter {
  private var value = 0
  private var wanted = 0
  private var waiting: CheckedContinuation<Void, Never>?

  func add(_ number: Int) {
    value &+= number
    if value == wanted { waiting?.resume() }
  }

  /// Waits until it is there.
  func reach(_ wanted: Int) async {
    self.wanted = wanted
    if value != wanted { await withCheckedContinuation { waiting = $0 } }
  }
}

let asyncRows: [AsyncRow] = [
  AsyncRow(
    name: "values() / AsyncStream", limit: 1.1, count: 20_000,
    bare: { count in
      let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      let loop = Task {
        var sum = 0
        for try await number in stream { sum &+= number }
        return sum
      }
      for number in 0..<count {
        continuation.yield(number)
        if number % 16 == 0 { await Task.yield() }
      }
      continuation.finish()
      _ = try? await loop.value
    },
    face: { count in
      let subject = Subject<Int>()
      let loop = Task {
        var sum = 0
        for try await number in subject.values { sum &+= number }
        return sum
      }
      while subject.observerCount == 0 { await Task.yield() }
      for number in 0..<count {
        subject.send(number)
        if number % 16 == 0 { await Task.yield() }
      }
      subject.complete()
      _ = try? await loop.value
    }),
  AsyncRow(
    name: "one by one / AsyncStream", limit: 1.1, count: 5_000,
    bare: { count in
      let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      let (back, answer) = AsyncStream<Int>.makeStream()
      let loop = Task {
        for try await number in stream { answer.yield(number) }
      }
      var answers = back.makeAsyncIterator()
      for number in 0..<count {
        continuation.yield(number)
        _ = await answers.next()
      }
      continuation.finish()
      _ = try? await loop.value
    },
    face: { count in
      let subject = Subject<Int>()
      let (back, answer) = AsyncStream<Int>.makeStream()
      let loop = Task {
        for try await number in subject.values { answer.yield(number) }
      }
      while subject.observerCount == 0 { await Task.yield() }
      var answers = back.makeAsyncIterator()
      for number in 0..<count {
        subject.send(number)
        _ = await answers.next()
      }
      subject.complete()
      _ = try? await loop.value
    }),
  AsyncRow(
    name: "actor / a Task each", limit: 0.1, count: 20_000,
    bare: { count in
      let counter = Counter()
      for _ in 0..<count { Task { await counter.add(1) } }
      await counter.reach(count)
    },
    face: { count in
      let counter = Counter()
      let subject = Subject<Int>()
      let subscription = subject.deliver(on: counter).observe { number in
        counter.assumeIsolated { $0.add(number) }
      }
      for _ in 0..<count { subject.send(1) }
      await counter.reach(count)
      subscription.dispose()
    }),
]
