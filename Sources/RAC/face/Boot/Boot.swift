import CRACShims

// Puts the library together: the C shims call this when the library is loaded, when a thread ends,
// after fork(), and when a forked child begins anew. Nothing else calls it.
//
// Each singleton is a static of its owner, made here: lazily initialised globals would cost a
// check at every use and spin in the Embedded build.

@c(rac_engine_boot) func libraryIsLoaded() {
  Slots.boot()
  PropertyCell.boot()
  PointerTypes.boot()
  rac_recorder_read_environment()
  begin()
  Closing.boot()
}

/// A child that begins anew needs these anew, too.
private func begin() {
  Component.boot()
  Value.bootErrors()
  Diagnostics.boot()
  EndedSubscription.boot()
  Scheduler.boot()
  SubscriptionScheduler.boot()
  WaitGraph.boot()
  bootHooks()
  LiveObjects.boot()
}

private func bootHooks() {
  BlockingHook.boot()
  ThreadHook.boot()
  InterruptionHook.boot()
}

@c(rac_engine_thread_exit) func threadExits(_ thread: UnsafeMutablePointer<rac_thread>?) {
  guard let thread, !Process.isForkedChild else { return }
  thread.takeBack(to: nil)
  Callback.discardRaised(thread, from: 0)
}

@c(rac_engine_exit) func processExits() {
  Settling.processExits()
  if rac_recording_is_on() {
    rac_recorder_exits(Int64(LiveObjects.count), Settling.isAtRest)
  }
}

/// In the child. Where it does not work every handle is forgotten.
@c(rac_engine_forked) func processForked(_ works: Bool) {
  if !works {
    Slots.forget()
    // Calls that the child is inside of ask them on their way out. Their locks may be another
    // thread's, for ever.
    bootHooks()
    PollThread.shared.poller.forked(works: false)
  }
  Scheduler.main.forked(works: works)
}

/// In a child where nothing works. The parent's objects stay as they are, for ever: another thread
/// may have been in the middle of one.
@c(rac_engine_reinitialize) func processBeginsAnew() {
  currentThread().pointee.ready = 0
  currentThread().pointee.unfinished = nil
  begin()
}
