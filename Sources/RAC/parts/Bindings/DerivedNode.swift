import CRACShims

/// A derived property's place in the graph: a callback makes its value of those of other nodes.
final class DerivedNode: GraphNode {
  @exclusivity(unchecked) var inputs: NodeInputs
  private let context: Context
  private let derivation: Derivation
  /// The inputs tell of their changes.
  @exclusivity(unchecked) private var isConnected = false

  /// Connections that wait for it, while it is a draft. Under the lock of components.
  @exclusivity(unchecked) var waiting: [PropagationTask] = []

  /// Takes the inputs over.
  init(
    _ inputs: NodeInputs, isDistinct: Bool, _ context: Context, _ derivation: Derivation,
    home: Component
  ) {
    self.inputs = inputs
    self.context = context
    self.derivation = derivation
    var height: Int32 = 0
    inputs.forEach { input, _ in height = max(height, input.height) }
    super.init(
      .null, isDistinct: isDistinct, height: height &+ 1, home: home, inputValues: inputs.values)
  }

  deinit { inputs.deallocate() }

  override func close() { component.submitRarely(.close, self) }

  /// Calls the callback; `out` is owned if it does not fail.
  @inline(__always)
  private func run(_ out: inout Value) -> rac_status {
    derivation.run(context, inputs.values, inputs.count, &out)
  }

  /// The same of values for the inputs, outside of a propagation.
  @inline(never)
  func runOutside(_ values: UnsafeMutablePointer<Value>, _ count: Int, _ out: inout Value)
    -> rac_status
  {
    let thread = currentThread()
    thread.pointee.deriving = thread.pointee.deriving &+ 1
    let status = Callback.inside {
      let status = derivation.run(context, values, count, &out)
      if status < 0 { Callback.discardRaised() }
      return status
    }
    thread.pointee.deriving = thread.pointee.deriving &- 1
    return status
  }

  // MARK: Inside the component

  /// A new value has come to an input, or the end; computes the next value into `fresh`. False:
  /// there is no change.
  @inline(__always)
  func compute() -> Bool {
    let status = run(&fresh)
    if status < 0 {
      endError = Callback.error(from: status)
      isDoomed = true
      return false
    }
    if isDistinct && fresh.isSame(as: current) {
      fresh.release()
      return false
    }
    return true
  }

  /// From here on the inputs tell of their changes. False: an input has ended, or there is no
  /// memory, and this node ends, too.
  func connect() -> Bool {
    inputs.forEach { input, index in
      inputs.values[index] = input.current
      let place = input.edges.append(self, index)
      inputs.edges[index].place = place ?? NodeInputs.nowhere
      if place != nil { input.owner.countDerived(1) }
      if isDoomed { return }
      if input.hasEnded {
        isDoomed = true
        endError = input.endError?.retained()
      } else if place == nil {
        isDoomed = true
        endError = .error("rac", Status.noMemory, "not enough memory for a derived property")
      }
    }
    isConnected = true
    return !isDoomed
  }

  override func disconnect() {
    if isConnected {
      isConnected = false
      inputs.forEach { input, index in
        let place = inputs.edges[index].place
        if place == NodeInputs.nowhere { return }
        input.edges.remove(place)
        input.owner.countDerived(-1)
      }
    }
    inputs.letGo()
  }

  override func edgeMoved(_ position: Int, to place: Int32) { inputs.edges[position].place = place }

  override func visitLasting(_ visitor: inout Visitor) { visitor.reference(context) }
  override func visitInputs(_ visitor: inout Visitor) { inputs.visit(&visitor) }
}

/// The callback that a derived property makes its value with.
enum Derivation {
  case map(rac_map_fn)
  case reduce(rac_reduce_each_fn)

  /// Calls the callback; `out` is owned if it does not fail.
  @inline(__always)
  func run(
    _ context: Context, _ values: UnsafeMutablePointer<Value>, _ count: Int, _ out: inout Value
  ) -> rac_status {
    var made = Value.null
    let status: rac_status
    switch self {
    case .map(let transform): status = transform(context.pointer, values[0], &made)
    case .reduce(let reduce): status = reduce(context.pointer, values, count, &made)
    }
    if !Callback.hasFailed(status), made.kind <= Value.Kind.double {
      out = made.scalar
      return status
    }
    return Value.admit(made, status, &out)
  }
}
