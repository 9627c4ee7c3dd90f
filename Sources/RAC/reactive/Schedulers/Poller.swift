import CRACShims
import Synchronization

/// Jobs that wait for descriptors. Any thread adds them and takes them out; one at a time looks
/// which are ready, and hands those to their schedulers.
///
/// A descriptor is reported once and not again until its job has run, so a slow subscriber is not
/// flooded. The set that the system keeps is open as long as a job is in it.
final class Poller {
  private let lock = Lock()
  private var set = rac_poll_set(poll_fd: -1, event_fd: -1, outer_fd: -1)
  /// Somebody waits with the set, and must not have it closed: the last job wakes him for that.
  private var isWaiting = false
  private let count = Atomic<Int>(0)

  /// By place, which is the lower part of a name: a job, retained; or twice the next free place and
  /// one.
  private var places: UnsafeMutablePointer<UInt>? = nil
  private var used = 0
  private var capacity = 0
  private var freePlace = Poller.none
  private var serial: UInt64 = 0

  private static let none = UInt.max >> 1
  private static let placeBits: UInt64 = 24

  /// Whether there is anything to look at. Any thread.
  var isInUse: Bool {
    @inline(__always) get { count.load(ordering: .sequentiallyConsistent) != 0 }
  }

  /// Something is ready now.
  var isReady: Bool {
    isInUse && lock.locked { set.poll_fd >= 0 && rac_shim_poll_is_ready(&set) }
  }

  /// Makes a descriptor that a host polls readable when something is ready.
  func nest(in outer: Int32) {
    lock.lock()
    set.outer_fd = outer
    rac_shim_poll_nest(&set)
    lock.unlock()
  }

  /// 0, or an errno with its sign turned: RAC_SHIM_NOT_POLLED where the job is in
  /// it but is never reported.
  func add(_ job: PolledJob) -> Int32 {
    lock.lock()
    defer { lock.unlock() }
    // Disposed meanwhile.
    if job.descriptor < 0 { return 0 }
    if set.poll_fd < 0 {
      let result = rac_shim_poll_open(&set)
      if result < 0 { return result }
    }
    enter(job)
    let result = rac_shim_poll_add(&set, job.descriptor, job.isWriting, job.pollName)
    if result < 0 && result != -Int32(RAC_SHIM_NOT_POLLED) {
      leave(job)
      if !isInUse && !isWaiting { rac_shim_poll_close(&set) }
      return result
    }
    job.isArmed = result == 0
    job.isAlwaysReady = result != 0
    return result
  }

  /// Reported from now on. False: not any more, it has to be run once more to hear why.
  func arm(_ job: PolledJob) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    // A forked child has it no more.
    if job.pollName == 0 { return false }
    job.isArmed = true
    rac_shim_poll_arm(&set, job.descriptor, job.isWriting, job.pollName)
    return true
  }

  /// Takes the job out and closes its descriptor.
  func remove(_ job: PolledJob) {
    lock.lock()
    let descriptor = job.takeDescriptor()
    let wasIn = job.pollName != 0
    if wasIn {
      if !job.isAlwaysReady { rac_shim_poll_remove(&set, descriptor) }
      leave(job)
      if count.load(ordering: .relaxed) == 0 {
        if isWaiting { rac_shim_poll_wake(&set) } else { rac_shim_poll_close(&set) }
      }
    }
    lock.unlock()
    if descriptor >= 0 { job.close(descriptor) }
    if wasIn { Unmanaged.passUnretained(job).drop() }
  }

  /// Wakes the thread that waits, or is about to.
  func wake() {
    lock.lock()
    if set.poll_fd >= 0 { rac_shim_poll_wake(&set) }
    lock.unlock()
  }

  /// Hands on what is ready now.
  func collect() { _ = wait(until: 0) }

  /// Until something is ready, the time has come, or somebody wakes it. False: nothing is in it.
  /// One thread at a time; `sleeper` is told before what is ready is handed on.
  @inline(never)
  func wait(until deadline: Int64, for sleeper: MainScheduler? = nil) -> Bool {
    lock.lock()
    guard isInUse else {
      lock.unlock()
      return false
    }
    isWaiting = true
    let set = set
    lock.unlock()
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { names in
      let ready = rac_shim_poll_wait(set.poll_fd, set.event_fd, names.baseAddress, 64, deadline)
      if ready > 0 { sleeper?.isAwake() }
      for index in Places(Int(ready)) {
        handOn(names[index])
      }
    }
    lock.lock()
    isWaiting = false
    if !isInUse { rac_shim_poll_close(&self.set) }
    lock.unlock()
    return true
  }

  private func handOn(_ name: UInt64) {
    lock.lock()
    let place = Int(name & (1 << Poller.placeBits &- 1))
    var ready: PolledJob? = nil
    // It may have been taken out since, and the place be another one's.
    if place < used, let job = job(at: place), job.pollName == name, job.isArmed {
      job.isArmed = false
      ready = job
    }
    lock.unlock()
    if let ready { ready.scheduler.schedule(ready) }
  }

  // MARK: Places, under the lock

  private func job(at place: Int) -> PolledJob? {
    let payload = places.unsafelyUnwrapped[place]
    guard payload & 1 == 0 else { return nil }
    return Unmanaged<PolledJob>.fromOpaque(
      UnsafeRawPointer(bitPattern: payload).unsafelyUnwrapped
    ).takeUnretainedValue()
  }

  /// Gives it a place and a name.
  private func enter(_ job: PolledJob) {
    var place = Int(bitPattern: freePlace)
    if freePlace != Poller.none {
      freePlace = places.unsafelyUnwrapped[place] >> 1
    } else {
      if used == capacity { grow() }
      place = used
      used &+= 1
    }
    places.unsafelyUnwrapped[place] = UInt(bitPattern: Unmanaged.passRetained(job).toOpaque())
    serial &+= 1
    job.pollName = serial << Poller.placeBits | UInt64(UInt(bitPattern: place))
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  private func leave(_ job: PolledJob) {
    let place = Int(job.pollName & (1 << Poller.placeBits &- 1))
    places.unsafelyUnwrapped[place] = freePlace << 1 | 1
    freePlace = UInt(bitPattern: place)
    job.pollName = 0
    job.isArmed = false
    count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }

  private func grow() {
    let larger = max(16, capacity &* 2)
    if larger > 1 << Poller.placeBits { rac_shim_fatal("too many descriptors are watched") }
    places = rac_shim_enlarge(places, capacity &* 8, larger &* 8)
      .unsafelyUnwrapped.assumingMemoryBound(to: UInt.self)
    capacity = larger
  }

  /// The library is closed, and no thread is inside: drops the waiting jobs.
  func dropAll() {
    var place = 0
    while true {
      lock.lock()
      let isThere = place < used
      let job = isThere ? job(at: place) : nil
      lock.unlock()
      if !isThere { return }
      job?.dispose()
      place &+= 1
    }
  }

  // MARK: In a forked child

  /// With its only thread. The set is the parent's, and so is what its jobs wait for: all is
  /// closed, and where the library works they are run once more, to say so.
  func forked(works: Bool) {
    rac_shim_poll_close(&set)
    isWaiting = false
    for place in Places(used) {
      if let job = job(at: place) {
        job.close(job.takeDescriptor())
        if works { end(job) }
      }
    }
  }

  private func end(_ job: PolledJob) {
    let wasArmed = job.isArmed
    leave(job)
    job.fail(Status.fork)
    // Otherwise it is in line already, or running.
    if wasArmed { job.scheduler.schedule(job) } else { job.resume() }
    Unmanaged.passUnretained(job).drop()
  }
}
