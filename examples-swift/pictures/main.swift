// Between tasks and signals, in both directions: names come from an asynchronous sequence, pictures
// are loaded by an asynchronous function, at most three at a time, each with a second try and in
// the order of the names; an actor gathers them, and a loop takes what it wants and leaves. What
// nobody waits for any more is cancelled.
//
// SPDX-License-Identifier: MIT
import Reactive

struct Picture: Sendable {
  var name: String
  var size: Int
}

/// A fake service whose every third request fails once.
actor Service {
  struct Unavailable: Error {}

  private(set) var running = 0
  private var failed: Set<Int> = []
  private(set) var most = 0
  private(set) var cancelled = 0

  func load(_ number: Int) async throws -> Picture {
    running += 1
    most = max(most, running)
    defer { running -= 1 }
    do {
      // The later ones are faster, and the last ones take for ever.
      try await Task.sleep(for: number > 8 ? .seconds(600) : .milliseconds(20 - number))
    } catch {
      cancelled += 1
      throw error
    }
    if number % 3 == 0 && failed.insert(number).inserted { throw Unavailable() }
    return Picture(name: "picture \(number)", size: number * number)
  }
}

actor Album {
  private(set) var names: [String] = []
  func add(_ picture: Picture) { names.append(picture.name) }
}

let service = Service()
let album = Album()

// In: a sequence, which is asked for the next name when there is room for it.
let asked = Property(0)
let numbers = AsyncStream<Int> {
  asked += 1
  return asked.value
}
let pictures = Signal(from: numbers)
  .asyncMap(maxConcurrent: 3) { number in
    try await Signal { try await service.load(number) }.retry(1).first()
  }
  .share()

// Out: an actor, many values in one turn of its, and a loop, which is in a function: what loops at
// the top level of main.swift use stays until the program ends.
func sizes(upTo limit: Int) async throws -> Int {
  var sum = 0
  for try await picture in pictures.values(buffering: .waiting(2)) {
    print("\(picture.name): \(picture.size)")
    sum += picture.size
    if sum > limit { break }
  }
  return sum
}

let gathering = pictures.observe(on: album) { album, picture in
  album.add(picture)
} completion: { _, _ in
}
print("size of all:", try await sizes(upTo: 200))
while await album.names.count < 8 { await Task.yield() }
print("in the album:", await album.names.count)
while await service.running < 3 { await Task.yield() }
print("at most at a time:", await service.most)

// The loop has left; with the other observation the last one goes, and the tasks are cancelled.
gathering.dispose()
while await service.running > 0 { await Task.yield() }
print("cancelled:", await service.cancelled >= 3)
print("asked for no more than 16 names:", asked.value <= 16)
