extension Signal {
  /// Fails on the scheduler when the source has not ended some time after the subscription.
  ///
  /// ```
  /// source    --1--2--3--4--|
  /// timeout 9 --1--2--3X
  /// ```
  /// Values do not put it off. C: rac_signal_timeout. RAC: -timeout:onScheduler:
  func timeout(_ nanoseconds: Int64, _ scheduler: Scheduler) -> Signal {
    lift("timeout:onScheduler:", on: scheduler, dated: true) {
      let core = TimeoutCore($0)
      let input = Input(core)
      core.begin(nanoseconds, scheduler, input.scope)
      return input
    }
  }
}

private final class TimeoutCore: CombiningCore {
  private var timer: SubmitJob?
  private var source: Scope?

  func begin(_ nanoseconds: Int64, _ scheduler: Scheduler, _ source: Scope) {
    self.source = source
    let job = SubmitJob(self, .fire, .null)
    timer = job
    scheduler.schedule(job, after: nanoseconds, in: downstream.scope)
  }

  override func next(_ input: Input?, _ value: Value) { downstream.next(value) }

  override func error(_ input: Input?, _ error: Value) {
    timer.take()?.dispose()
    end(error: error)
  }

  override func completed(_ input: Input?) {
    timer.take()?.dispose()
    endCompleted()
  }

  override func fire(_ value: Value) {
    timer = nil
    source?.close()  // before any stage below hears of the error
    let error = Value.error("rac.signal", SignalError.timedOut, "no end in the time given")
    end(error: error)
    error.release()
  }
}
