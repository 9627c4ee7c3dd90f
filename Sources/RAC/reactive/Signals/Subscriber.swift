import Synchronization

/// The subscriber that a `create` callback sends into, from any thread. RACPassthroughSubscriber.
///
/// Holding its handle is what keeps the subscription alive: when the last reference goes before an
/// end was sent, nobody can send any more, and the subscription ends silently.
class Subscriber: Core {
  /// Inside the gate. Kept by its scope: a thread that takes it from there to dispose it sends
  /// `remove` through the gate before it lets go.
  @exclusivity(unchecked) private final var sink: Unmanaged<Sink>?
  /// The call for a value while there is a sink, if that is near. Inside the gate this alone says
  /// whether a value goes on: a disposal sends `remove` before it returns, and a sender that finds
  /// the gate free after that finds no leaf.
  @exclusivity(unchecked) final var leaf: Leaf?
  static let open: UInt32 = 0
  static let closed: UInt32 = 1
  /// There is something to clean up.
  static let laden: UInt32 = 2
  /// Somebody has disposed of it: a DirectSubscriber's.
  static let disposed: UInt32 = 4
  /// Its last handle has gone, after that.
  private static let released: UInt32 = 8
  final let state = Atomic<UInt32>(Subscriber.open)
  /// Guards the cleanup.
  private final let lock = Lock()
  /// nil: nothing was ever added.
  @exclusivity(unchecked) private final var cleanup: Dependents?
  /// The `create` signal, whose context is the callback's, where the subscription goes on after
  /// that has returned. Inside the gate; no signal of this kind keeps anything else.
  @exclusivity(unchecked) fileprivate(set) final var signal: Unmanaged<Signal>?

  /// False once nothing that is sent can arrive.
  final var isActive: Bool {
    state.load(ordering: .relaxed) & (Subscriber.closed | Subscriber.disposed) == 0
  }

  @inline(__always)
  init(_ sink: Sink) {
    self.sink = .passUnretained(sink)
    farthest = sink.height
    if farthest <= Stack.few { leaf = Leaf(to: sink) }
  }

  /// For one that has its callbacks itself.
  @inline(__always)
  init(to leaf: Leaf) {
    self.leaf = leaf
    farthest = 0
  }

  /// The sink that hears what is sent, inside the gate: as long as there is a leaf.
  final var listener: Unmanaged<Sink>? { leaf == nil ? nil : sink }

  private final let farthest: Int32
  override final var reach: Int32 { farthest }

  /// One value, inside the gate.
  final func send(_ value: Value) {
    if let leaf { leaf.function(leaf.context, value) } else { sendFar(value) }
  }

  /// Where it pays to look at the stack.
  @inline(never)
  private final func sendFar(_ value: Value) {
    // From here inside: it is applied when this thread leaves, or parked.
    if isCramped { return _ = gate.post(self, .next, nil, value) }
    sink?._withUnsafeGuaranteedRef { $0.next(value) }
  }

  /// An end, inside the gate.
  @inline(__always)
  final func end(_ operation: Operation, _ value: Value) {
    if isCramped {
      _ = gate.post(self, operation, nil, value)
    } else {
      apply(operation, nil, value)
    }
  }

  /// See `Sink.holds`. While somebody is sending the asker waits for that: its own values may be in
  /// the queue.
  final func holds(_ question: Question) -> Bool {
    guard let hold = gate.enter() else {
      guard case .job(let job) = question else { return true }
      job.ask()
      submitRarely(.resume, job)
      return true
    }
    let isHeld = isActive && holdsBelow(question)
    hold.leave(self)
    return isHeld
  }

  /// Inside the gate.
  func holdsBelow(_ question: Question) -> Bool {
    sink?._withUnsafeGuaranteedRef { $0.holds(question) } ?? false
  }

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    switch operation {
    case .next:
      // Cut for good: having missed this value it must not hear a later one, although the removal
      // may still be on its way.
      guard isActive else { return leaf = nil }
      // As one that found the gate free. The sink would ask its scope, which is closed before this
      // is: then a value that waited would be left out, and one that did not would still arrive
      // after it.
      if let leaf {
        leaf.function(leaf.context, value)
      } else {
        sink?._withUnsafeGuaranteedRef { $0.next(value) }
      }
    case .error:
      end { $0.error(value) }
    case .completed:
      end { $0.completed() }
    case .add: goOn(object)
    case .resume: (object as? PausableJob)?.resume()
    case .close:
      guard isActive else { return }
      StageRecorder.senderGone(self.sink)
      letGo()
    default:
      letGo()
    }
  }

  /// The bottom of the subscription keeps the signal, or else this does, which the sink keeps.
  private final func goOn(_ object: Object?) {
    guard let object, let sink else { return }
    if !sink._withUnsafeGuaranteedRef({ $0.keeps(object, toTheEnd: true) }) { keep(object) }
  }

  /// Once.
  final func keep(_ object: Object) {
    signal = .fromOpaque(Unmanaged.passRetained(object).toOpaque())
  }

  @inline(never)
  final func dropSignal() { signal.take()?.drop() }

  private final func letGo() {
    let sink = sink.take()
    leaf = nil
    let owned = sink?._withUnsafeGuaranteedRef { $0.scope.take($0) }
    close()
    owned?.drop()
  }

  /// The producer's cleanup comes before the subscriber's end callback.
  private final func end(_ deliver: (Sink) -> Void) {
    guard let sink = sink.take() else { return }
    leaf = nil
    // None of ours when it is being disposed.
    let owned = sink._withUnsafeGuaranteedRef { $0.scope.take($0) }
    if close(), owned != nil { sink._withUnsafeGuaranteedRef { deliver($0) } }
    owned?.drop()
  }

  override final func detach(_ object: Object) {
    close()
    submit(.remove, object)
  }

  /// In line with what was sent before: that still arrives.
  override final func lastHandleReleased() {
    // The bit shows ThreadSanitizer, which does not see reference counts, that the freeing thread
    // comes after the thread that released the handle.
    if isActive { return _ = submit(.close) }
    state.bitwiseOr(Subscriber.released, ordering: .releasing)
  }

  deinit {
    _ = state.load(ordering: .acquiring)
    signal?.drop()
  }

  /// The last handle ends it, even while others hold it.
  final func visitWhatEnds(_ visitor: inout Visitor) {
    guard isActive, visitor.enter(self) else { return }
    visitCallbacks(&visitor)
    // The handle's. The sink that it feeds has the other one.
    visitor.reference(Unmanaged.passUnretained(self).toOpaque())
    if visitor.enter(lock), let cleanup { visitor.references(cleanup.members) }
  }

  /// Visits what is below, inside the gate.
  func visitCallbacks(_ visitor: inout Visitor) { visitor.reference(sink?.toOpaque()) }

  override func visit(_ visitor: inout Visitor) { visitor.reference(signal?.toOpaque()) }

  /// Disposed with the subscription; at once if that is over.
  final func add(_ disposable: Disposable) {
    var spent: [Disposable] = []
    lock.lock()
    // A thread that closes after this waits for the lock, and finds the disposable.
    var before = state.load(ordering: .relaxed)
    while before & (Subscriber.closed | Subscriber.laden) == 0 {
      let (done, now) = state.weakCompareExchange(
        expected: before, desired: before | Subscriber.laden,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if done { break }
      before = now
    }
    let isLate = before & Subscriber.closed != 0
    if !isLate {
      var members = cleanup.take() ?? Dependents()
      spent = members.append(disposable)
      cleanup = members
    }
    lock.unlock()
    spent.removeAll()
    if isLate { disposable.dispose() }
  }

  /// Nothing arrives from here on. True for the one who closed it, after the cleanup.
  @discardableResult
  private final func close() -> Bool {
    let before = state.exchange(Subscriber.closed, ordering: .acquiringAndReleasing)
    if before == Subscriber.laden { cleanUp() }
    return before & Subscriber.closed == 0
  }

  final func cleanUp() {
    let mine = lock.locked { cleanup.take() }
    for disposable in mine?.members ?? [] { disposable.dispose() }
  }
}

extension Subscriber {
  /// Runs a callback with a subscriber for the sink, lent: stale afterwards unless it was retained.
  /// A failing status ends the stream with an error.
  @inline(__always)
  static func lend(
    to sink: Sink, keeping signal: Signal? = nil, _ callback: (OpaquePointer) -> rac_status
  ) {
    guard sink.scope.runsSource else { return }
    let subscriber = Unmanaged.passRetained(Subscriber(sink))
    lend(subscriber, .subscriber, to: sink, callback)
    // The sink keeps the subscriber.
    if let signal, subscriber._withUnsafeGuaranteedRef({ $0.isActive }) {
      subscriber._withUnsafeGuaranteedRef { _ = $0.submitRarely(.add, signal) }
    }
  }

  /// The subscriber's reference becomes the handle's own: code that wants the subscriber when the
  /// callback has returned asks by the handle, which the callback may have released, though it
  /// should not.
  @inline(__always)
  static func lend(
    _ subscriber: Unmanaged<Subscriber>, _ kind: HandleKind, to sink: Sink,
    _ callback: (OpaquePointer) -> rac_status
  ) {
    let handle = subscriber._withUnsafeGuaranteedRef {
      // The sink's reference, before anybody else has one.
      subscriber.keepNew()
      sink.isFed(byOwned: .fromOpaque(subscriber.toOpaque()))
      return Handles.makeFirst(owned: .fromOpaque(subscriber.toOpaque()), kind, at: $0.gate)
    }
    sink.scope.add(sink)
    let status = callback(handle)
    if Callback.hasFailed(status) { fail(handle, status) }
    _ = Handles.release(handle: handle)
  }

  @inline(never)
  static func fail(_ handle: OpaquePointer, _ status: rac_status) {
    let error = Callback.error(from: status)
    with(handle) { _ = $0.submitRarely(.error, nil, error) }
    error.release()
  }

  /// Calls with the subscriber of a handle. False: that was released.
  @discardableResult
  private static func with(_ handle: OpaquePointer, _ body: (Subscriber) -> Void) -> Bool {
    guard let slot = Handles.acquire(handle) else { return false }
    Unmanaged<Subscriber>.fromOpaque(slot.object)._withUnsafeGuaranteedRef(body)
    Handles.release(slot)
    return true
  }

  /// Takes over the disposable that a callback gave back for its subscription: its reference is
  /// ours to give back.
  @inline(never)
  fileprivate static func adopt(_ handle: OpaquePointer, _ subscriber: OpaquePointer) {
    guard let slot = Handles.acquire(handle) else { return }
    if HandleKind.disposables.includes(slot) {
      let object = Unmanaged<Disposable>.fromOpaque(slot.object).takeUnretainedValue()
      if !with(subscriber, { $0.add(object) }) { object.dispose() }
    }
    Handles.release(slot)
    _ = Handles.release(handle: handle)
  }
}

/// A signal whose subscriptions run a callback of the user's, of which it is the context.
class CallingSignal: ColdSignal {
  final let context: UnsafeMutableRawPointer?
  private final let destroy: rac_destroy_fn?
  /// See `Context.calledBack`.
  private final let hasReturned = Atomic<Bool>(false)

  @inline(__always)
  init(_ context: UnsafeMutableRawPointer?, _ destroy: rac_destroy_fn?) {
    self.context = context
    self.destroy = destroy
  }

  final func calledBack() { hasReturned.store(true, ordering: .releasing) }

  /// It has no more than that.
  override final var contexts: Object? { self }

  override final func visit(_ visitor: inout Visitor) { visitor.held(context, destroy) }

  @inline(__always)
  deinit {
    _ = hasReturned.load(ordering: .acquiring)
    if let destroy { currentThread().asAwaited { destroy(context) } }
  }
}

/// RACDynamicSignal.
class CreatedSignal: CallingSignal {
  private final let subscribe: rac_subscribe_fn?

  init(
    _ context: UnsafeMutableRawPointer?, _ subscribe: rac_subscribe_fn?, _ destroy: rac_destroy_fn?
  ) {
    self.subscribe = subscribe
    super.init(context, destroy)
    beginsDirectly = true
  }

  override func start(_ sink: Sink) {
    Subscriber.lend(to: sink, keeping: self) { call($0) }
  }

  /// A subscription of callbacks to this one alone: its handle. nil: nothing has happened.
  final func begin(_ observer: rac_observer, _ thread: Thread) -> OpaquePointer? {
    guard SubscriptionScheduler.runsInline(on: thread) else { return nil }
    return DirectSubscriber.lend(to: observer, keeping: self, thread) { call($0) }
  }

  @inline(__always)
  final func call(_ handle: OpaquePointer) -> rac_status {
    var out: OpaquePointer? = nil
    let status = subscribe?(context, handle, &out) ?? Status.ok
    calledBack()
    if let out { Subscriber.adopt(out, handle) }
    return status
  }
}

/// A signal whose subscriptions run a callback that only sends.
final class StartedSignal: CallingSignal {
  private let body: rac_start_fn?

  init(_ context: UnsafeMutableRawPointer?, _ body: rac_start_fn?, _ destroy: rac_destroy_fn?) {
    self.body = body
    super.init(context, destroy)
  }

  override func start(_ sink: Sink) {
    Subscriber.lend(to: sink) {
      let status = body?(context, $0) ?? Status.ok
      calledBack()
      return status
    }
  }
}

/// Sends everything it hears to a subscriber.
final class SubscriberSink: Sink {
  private let subscriber: Subscriber
  /// A reference of the subscriber's handle: while somebody feeds it, it is not without a sender.
  private let handle: OpaquePointer

  init(_ subscriber: Subscriber, _ handle: OpaquePointer, _ scope: Scope) {
    self.subscriber = subscriber
    self.handle = handle
    super.init(scope: scope)
    subscriber.add(scope)
    scope.isStillborn = !scope.isActive
  }

  deinit {
    scope.close()
    _ = Handles.release(handle: handle)
  }

  override func next(_ value: Value) {
    if scope.isActive { subscriber.submitRarely(.next, nil, value) }
  }
  override func error(_ error: Value) {
    if scope.close() { subscriber.submitRarely(.error, nil, error) }
  }
  override func completed() {
    if scope.close() { subscriber.submitRarely(.completed) }
  }
}
