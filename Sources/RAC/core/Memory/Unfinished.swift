import CRACShims

/// Something that a thread has begun and has to end itself: in the job that began it, or outside of
/// callbacks. A batch.
///
/// Those that are open lie inside each other. One whose job has returned without ending it is taken
/// back: it must not take in what others do on the thread.
class Unfinished: Object {
  /// Begun before this one, on the same thread.
  fileprivate final let outer: UnsafeMutableRawPointer?
  /// How deep the thread was in gates and jobs.
  final let depth: UInt32

  override init() {
    let thread = currentThread()
    outer = thread.pointee.unfinished
    depth = thread.depthNow
    super.init()
    thread.pointee.unfinished = Unmanaged.passRetained(self).toOpaque()
  }

  /// The one that it lies in, while it is open.
  final var around: Unfinished? {
    outer.map { Unmanaged<Unfinished>.fromOpaque($0).takeUnretainedValue() }
  }

  /// It was never ended.
  func takeBack() {}
}

extension Unfinished {
  /// Runs a job, and takes back everything that it begins and does not end.
  static func within(_ job: () -> Void) {
    let thread = currentThread()
    let before = thread.pointee.unfinished
    let depth = thread.pointee.job_depth
    thread.pointee.job_depth = thread.pointee.depth
    job()
    thread.pointee.job_depth = depth
    thread.takeBack(to: before)
  }
}

extension UnsafeMutablePointer where Pointee == rac_thread {
  var depthNow: UInt32 { pointee.depth }

  /// Whether something begun here is taken back if it is not ended: the thread is in no callback
  /// but a job. Nobody looks when any other callback returns.
  var mayLeaveOpen: Bool {
    pointee.depth == pointee.job_depth
      && pointee.calling | pointee.awaited | pointee.subscribing == 0
  }

  /// The one that was begun last, as long as its beginner may still end it.
  var innermost: Unfinished? {
    while let open = pointee.unfinished {
      let innermost = Unmanaged<Unfinished>.fromOpaque(open).takeUnretainedValue()
      if innermost.depth <= depthNow { return innermost }
      take()?.takeBack()
    }
    return nil
  }

  /// It has been ended.
  func take() -> Unfinished? {
    guard let open = pointee.unfinished else { return nil }
    let innermost = Unmanaged<Unfinished>.fromOpaque(open).takeRetainedValue()
    pointee.unfinished = innermost.outer
    return innermost
  }

  /// Takes back everything that was begun since then and not ended.
  func takeBack(to before: UnsafeMutableRawPointer?) {
    if pointee.unfinished != before { takeBackSlowly(to: before) }
  }

  @inline(never)
  private func takeBackSlowly(to before: UnsafeMutableRawPointer?) {
    // The one from before may be gone: then all are.
    while pointee.unfinished != before, let open = take() { open.takeBack() }
  }
}
