import CRACShims

// Where the library is put together: what the C shims call when it is loaded, when a thread ends, and after
// fork(). Nothing else knows this.
//
// What there is one of is a static of its owner, made here: lazily initialised globals would cost a check at
// every use and spin in the Embedded build.

@_cdecl("rac_engine_boot")
func libraryIsLoaded() {
  Slots.boot()
  PropertyCell.boot()
  Value.bootErrors()
  PointerTypes.boot()
  Diagnostics.boot()
  Scheduler.boot()
  SubscriptionScheduler.boot()
  WaitGraph.boot()
  BlockingHook.boot()
  LiveObjects.boot()
}

@_cdecl("rac_engine_thread_exit")
func threadExits(_ thread: UnsafeMutablePointer<rac_thread>?) {
  guard let thread, !rac_shim_forked else { return }
  Reserve.abandonSlots(thread)
  Callback.discardRaised(thread, from: 0)
}

@_cdecl("rac_engine_forked")
func processForked() { Slots.forget() }
