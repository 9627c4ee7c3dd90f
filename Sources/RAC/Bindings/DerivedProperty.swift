import CRACShims

extension Property {
  /// What a derived property makes its value with.
  enum Derivation {
    case map(rac_map_fn)
    case reduce(rac_reduce_each_fn)
  }

  /// A property, read-only, whose value a callback makes of the values of others.
  ///
  /// ```
  /// a       1-----2------|
  /// b       x--------y---|
  /// derived 1x----2x-2y--|
  /// ```
  /// The callback runs once now and then once for each change, however many subscribe, and also when
  /// nobody does. nil, with the status of the callback, when it fails now; if it fails later, subscribers
  /// get the error and the value stays as it is.
  /// C: rac_property_map, rac_property_combine_latest. RAC: RAC(self, x) = [RACSignal combineLatest:reduce:]
  @inline(never)
  static func derived(
    _ sources: [PropertyCore], isDistinct: Bool, _ context: Context, _ derivation: Derivation,
    _ failure: (rac_status) -> Void
  ) -> PropertyCore? {
    var inputs = DerivedInputs(count: sources.count)
    var versions: [UInt64] = []
    versions.reserveCapacity(sources.count)
    for source in sources {
      guard let (value, version) = source.snapshot() else {
        inputs.deallocate()
        failure(Status.user)
        return nil
      }
      inputs.append(value)
      versions.append(version)
    }
    var initial = Value.null
    let status = Callback.inside {
      let status = inputs.derive(context, derivation, &initial)
      if status < 0 { Callback.discardRaised() }
      return status
    }
    if status < 0 {
      inputs.deallocate()
      failure(status)
      return nil
    }
    let core = DerivedCore(initial, isDistinct: isDistinct, inputs, context, derivation)
    var position = 0
    while position < sources.count {
      let input = DerivedInput(core, position, sources[position], versions[position])
      core.upstream.add(input.scope)
      if input.scope.isActive { sources[position].attach(input) }
      position &+= 1
    }
    return core
  }
}

/// The latest values of the sources. Owns them.
private struct DerivedInputs {
  private let values: UnsafeMutablePointer<Value>
  private var count = 0

  init(count: Int) {
    values = rac_shim_allocate(max(count, 1) &* MemoryLayout<Value>.stride).unsafelyUnwrapped
      .assumingMemoryBound(to: Value.self)
  }

  mutating func append(_ value: Value) {
    values[count] = value
    count &+= 1
  }

  func replace(_ position: Int, _ value: Value) {
    let old = values[position]
    values[position] = value.retained()
    old.release()
  }

  /// Calls the callback; `out` is owned if it does not fail.
  func derive(_ context: Context, _ derivation: Property.Derivation, _ out: inout Value)
    -> rac_status
  {
    var fresh = Value.null
    let status: rac_status
    switch derivation {
    case .map(let transform): status = transform(context.pointer, values[0], &fresh)
    case .reduce(let reduce): status = reduce(context.pointer, values, count, &fresh)
    }
    if Callback.hasFailed(status) {
      fresh.release()
      return status
    }
    switch fresh.admitted() {
    case .sound: out = fresh.isCounted ? fresh : fresh.retained()
    case .copied(let copy): out = copy
    case .refused(let refusal, _): return refusal
    }
    return status
  }

  func deallocate() {
    var index = 0
    while index < count {
      values[index].release()
      index &+= 1
    }
    rac_shim_free(values)
  }
}

private final class DerivedCore: PropertyCore {
  private let inputs: DerivedInputs
  private let context: Context
  private let derivation: Property.Derivation

  /// Takes the inputs and the initial value over.
  init(
    _ initial: Value, isDistinct: Bool, _ inputs: DerivedInputs, _ context: Context,
    _ derivation: Property.Derivation
  ) {
    self.inputs = inputs
    self.context = context
    self.derivation = derivation
    super.init(initial, isDistinct: isDistinct, isReadOnly: true)
  }

  deinit { inputs.deallocate() }

  /// One of the sources has changed. Inside the gate.
  override func receive(_ value: Value, from source: Object) {
    if hasEnded { return }
    let input = unsafeDowncast(source, to: DerivedInput.self)
    inputs.replace(input.position, value)
    var fresh = Value.null
    let status = inputs.derive(context, derivation, &fresh)
    if status < 0 {
      let error = Callback.error(from: status)
      apply(.error, nil, error)
      return error.release()
    }
    input.note(change(fresh))
    fresh.release()
  }
}

/// Listens to a source from the version on that the derived property was made of.
private final class DerivedInput: FollowingSink {
  private let core: DerivedCore
  let position: Int
  /// Kept, as what feeds a sink is: see Sink.
  private let source: Unmanaged<PropertyCore>
  private let known: UInt64

  init(_ core: DerivedCore, _ position: Int, _ source: PropertyCore, _ known: UInt64) {
    self.core = core
    self.position = position
    self.source = .passUnretained(source)
    self.known = known
    super.init(scope: Scope())
  }

  /// What came of telling the derived property. Called inside the source's delivery, if that is this
  /// thread's.
  func note(_ status: rac_status) {
    if status == Status.queued { source._withUnsafeGuaranteedRef { $0.noteLeftToOthers() } }
  }

  override func knows(_ version: UInt64) -> Bool { version == known }
  override func next(_ value: Value) {
    if scope.isActive { note(core.submitRarely(.next, self, value)) }
  }
  override func error(_ error: Value) {
    if scope.close() { core.submitRarely(.error, nil, error) }
  }
  override func completed() {
    if scope.close() { core.submitRarely(.completed) }
  }
}
