import CRACShims
import Synchronization

/// A property that a batch has taken hold of, until the batch has changed it and all have heard.
/// Whoever comes to its gate meanwhile leaves what it wants in a line, so that nobody but the batch
/// touches the property, whichever thread goes on with the batch. BatchCommit says why.
extension MutablePropertyCore {
  /// An operation of the gate, for later.
  final func keep(_ operation: Operation, _ object: Object?, _ value: Value) -> rac_status {
    kept.append(QueuedOperation(operation, object, value))
    return Status.queued
  }

  @inline(never)
  final func keepChange(
    _ value: Value, at time: UInt64, renewing renewed: UInt64, from origin: Tie?
  ) -> rac_status {
    let task = origin.map { TiedChange(time, renewed, $0) }
    return keep(task == nil ? .next : .fire, task, value)
  }

  /// Inside the gate: applies what was kept, unless another batch has its turn meanwhile. What
  /// other threads left is as much as a gate would apply; the rest is left to a worker.
  final func resume() {
    let me = currentThread().token
    var foreign = 0
    traits.remove(.held)
    // Those who came while all heard what the batch made of it.
    finishDelivering()
    while !traits.contains(.held), let operation = kept.popFirst() {
      if operation.sender.pointee != me { foreign &+= 1 }
      operation.apply(to: self)
      if foreign == MutablePropertyCore.patience, !traits.contains(.held), !kept.isEmpty {
        traits.insert(.held)
        Worker.run { self.submitRarely(.fire, BatchClaim(by: nil)) }
        return
      }
    }
  }

  /// Whether a batch is working out here and now what becomes of the property.
  final var isWorkedOutHere: Bool {
    @inline(__always) get {
      let worker = worker.load(ordering: .relaxed)
      return worker != 0 && worker == currentThread().token
    }
  }

  private static let patience = 1024
}
