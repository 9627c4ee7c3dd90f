/// A job that hands an operation to an operator's gate when its time comes.
final class SubmitJob: Job {
  private var core: Core?
  private let operation: Operation
  private var value: Value

  @inline(__always)
  init(_ core: Core, _ operation: Operation, _ value: Value) {
    self.core = core
    self.operation = operation
    self.value = value.retained()
  }

  override func run() { core?.submit(operation, nil, value) }

  override func drop() {
    core = nil
    let old = value
    value = .null
    old.release()
  }
}
