/// Jobs ordered by deadline, equal deadlines by arrival: a binary heap in which each job knows its
/// place, so that cancelling takes it out at once.
final class TimerQueue: Object {
  private let lock = Lock()
  private var heap: [Job] = []
  private var arrivals: UInt64 = 0

  /// True when the job is now the first to run.
  func insert(_ job: Job, at deadline: Int64) -> Bool {
    lock.lock()
    job.deadline = deadline
    job.sequence = arrivals
    arrivals &+= 1
    heap.append(job)
    job.heapIndex = heap.count &- 1
    siftUp(heap.count &- 1)
    let isFirst = job.heapIndex == 0
    lock.unlock()
    // Disposed before it was in: nobody else would take it out.
    if job.isDisposed { cancel(job) }
    return isFirst
  }

  func cancel(_ job: Job) {
    lock.lock()
    let removed = job.heapIndex >= 0 ? remove(job.heapIndex) : nil
    lock.unlock()
    _ = removed
  }

  var firstDeadline: Int64? { lock.locked { heap.first?.deadline } }

  /// The first job if its deadline is not after `time`.
  func popDue(_ time: Int64) -> Job? {
    lock.lock()
    defer { lock.unlock() }
    guard let first = heap.first, first.deadline <= time else { return nil }
    return remove(0)
  }

  /// Drops every job. Used when the scheduler goes.
  func clear() {
    while let job = popDue(.max) { job.dispose() }
  }

  private func remove(_ index: Int) -> Job {
    let job = heap[index]
    let last = heap.removeLast()
    if index < heap.count {
      heap[index] = last
      last.heapIndex = index
      siftDown(index)
      siftUp(last.heapIndex)
    }
    job.heapIndex = -1
    return job
  }

  private func precedes(_ a: Job, _ b: Job) -> Bool {
    a.deadline != b.deadline ? a.deadline < b.deadline : a.sequence < b.sequence
  }

  private func siftUp(_ start: Int) {
    var index = start
    while index > 0 {
      let parent = (index &- 1) / 2
      guard precedes(heap[index], heap[parent]) else { return }
      exchange(index, parent)
      index = parent
    }
  }

  private func siftDown(_ start: Int) {
    var index = start
    while true {
      var first = index
      for child in [index &* 2 &+ 1, index &* 2 &+ 2] where child < heap.count {
        if precedes(heap[child], heap[first]) { first = child }
      }
      if first == index { return }
      exchange(index, first)
      index = first
    }
  }

  private func exchange(_ a: Int, _ b: Int) {
    heap.swapAt(a, b)
    heap[a].heapIndex = a
    heap[b].heapIndex = b
  }
}
