// What a worker runs is no code of the main actor's.
#if IMPORTED
  import CRAC
#else
  import RAC
#endif

@MainActor final class Model {
  static var n = 0

  func show() {
    let worker = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "worker")
    let job = rac_schedule(worker, nil, { _ in Model.n = 1 }, nil)  // refused: main actor-isolated
    rac_release(.init(job))
    var observer = rac_observer()
    observer.next = { _, value in Model.n = 2 }  // refused: main actor-isolated
    let kind = rac_object_class(
      size: 0, retain: { _ in Model.n = 3 },  // refused: main actor-isolated
      release: nil, equal: nil, hash: nil, describe: nil, equal_to: nil)
    _ = kind
    rac_release(.init(worker))
  }
}
