extension Signal {
  /// Runs `start` once, on the scheduler, and replays what it sends.
  /// C: rac_signal_start_lazily. RAC: +startLazilyWithScheduler:block:
  static func startLazily(_ scheduler: Scheduler, _ source: Signal) -> Signal {
    source.subscribeOn(scheduler).replayLazily().subscribeOn(scheduler)
  }

  /// The same, started now. C: rac_signal_start_eagerly. RAC: +startEagerlyWithScheduler:block:
  static func startEagerly(_ scheduler: Scheduler, _ source: Signal) -> Signal {
    source.subscribeOn(scheduler).replay().subscribeOn(scheduler)
  }
}
