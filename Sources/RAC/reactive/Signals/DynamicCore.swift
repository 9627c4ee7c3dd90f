import CRACShims
import Synchronization

/// The inside of an operator that subscribes to signals while it runs.
///
/// Subscribing calls user code, so it happens outside the gate: `start` only notes it. The thread
/// that leaves the gate then makes the noted subscriptions one after another in a loop (a
/// trampoline), so that a million inner signals that complete at once cost no stack.
class DynamicCore: CombiningCore {
  /// The input that was noted last, retained, which knows the one before it; and the first bit
  /// while somebody subscribes what was noted before. With the second bit it is a signal that was
  /// noted without an input, before all others.
  private final let noted = Atomic<UInt>(0)
  private static let starting: UInt = 1
  private static let bare: UInt = 2
  /// In the scope below, and has the input that was subscribed last, if that came by
  /// `start(_:position:)`: so one that ends before the next begins, as many do, comes and goes as
  /// the only link of a scope. Made inside the gate, for the first. `Tests/model/inputs.pml` is
  /// this.
  private final var beginning: Unmanaged<Scope>?
  /// For the next subscription that is one object. Of who subscribes.
  @exclusivity(unchecked) private final var link: Unmanaged<InnerLink>?

  /// Inside the gate: subscribes the input to the signal as soon as the gate is left.
  ///
  /// `replaced` is closed after that, so that what both signals share is not given up in between.
  /// But it is closed at once while a signal is being subscribed to or waits for it: it may be that
  /// one, and not come to an end before it is told to.
  @inline(__always)
  final func start(_ signal: Signal, _ input: Input, replacing replaced: Scope? = nil) {
    note(signal, .passRetained(input), replaced)
  }

  /// The same for one of many that are alike: its subscription has no input, or one without a
  /// position of the operator's.
  @inline(__always)
  final func startInner(_ signal: Signal) {
    if beginning == nil { makeBeginning() }
    if signal.beginsDirectly, noteBare(signal) { return }
    note(signal, .passRetained(Input(self, beginningAt: DynamicCore.innerPosition)), nil)
  }
  private static var innerPosition: Int { -1 }

  /// False: something else is noted.
  @inline(__always)
  private final func noteBare(_ signal: Signal) -> Bool {
    let before = noted.load(ordering: .relaxed)
    guard before & ~DynamicCore.starting == 0 else { return false }
    let mine = Unmanaged.passUnretained(signal)
    mine.keep()
    let (done, _) = noted.compareExchange(
      expected: before, desired: UInt(bitPattern: mine.toOpaque()) | DynamicCore.bare | before,
      successOrdering: .releasing, failureOrdering: .relaxed)
    if !done { mine.drop() }
    return done
  }

  /// The same with a new input.
  final func start(_ signal: Signal, position: Int) {
    if beginning == nil { makeBeginning() }
    note(signal, .passRetained(Input(self, beginningAt: position)), nil)
  }

  /// The signal that the user's callback gives for a value; nil: it failed, and with it the stream.
  @inline(never)
  final func ask(_ callback: Closure<rac_signal_fn>, _ value: Value) -> Signal? {
    switch SignalCallback.call({ callback.function(callback.pointer, value, $0) }) {
    case .signal(let signal): return signal
    case .failure(let failure):
      error(nil, failure)
      failure.release()
      return nil
    }
  }

  /// Takes a value of an inner signal.
  @inline(__always)
  final func hear(_ value: Value) { submit(.next, nil, value) }

  /// Takes over the reference.
  @inline(__always)
  private final func note(_ signal: Signal, _ input: Unmanaged<Input>, _ replaced: Scope?) {
    var before = noted.load(ordering: .acquiring)
    if let replaced {
      if before != 0 {
        replaced.close()
      } else {
        input._withUnsafeGuaranteedRef { $0.replaced = .passRetained(replaced) }
      }
    }
    input._withUnsafeGuaranteedRef { $0.signal = .passRetained(signal) }
    let mine = UInt(bitPattern: input.toOpaque())
    while true {
      input._withUnsafeGuaranteedRef { $0.previous = before & ~DynamicCore.starting }
      let (done, now) = noted.weakCompareExchange(
        expected: before, desired: mine | before & DynamicCore.starting,
        successOrdering: .releasing, failureOrdering: .acquiring)
      if done { return }
      before = now
    }
  }

  override final func afterLeaving() {
    // A thread that finds another at it has noted its own before, so the other will see it.
    let now = noted.load(ordering: .relaxed)
    if now != 0, now & DynamicCore.starting == 0 { startWhatIsNoted(now) }
  }

  @inline(never)
  private final func startWhatIsNoted(_ seen: UInt) {
    var now = seen
    while now != 0, now & DynamicCore.starting == 0 {
      let (isMine, actual) = noted.weakCompareExchange(
        expected: now, desired: DynamicCore.starting,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if isMine { return startAll(now) }
      now = actual
    }
  }

  private final func startAll(_ first: UInt) {
    var latest = first
    while true {
      if latest & DynamicCore.bare != 0 { startBare(latest) } else { startInputs(latest) }
      let (isDone, _) = noted.compareExchange(
        expected: DynamicCore.starting, desired: 0, ordering: .acquiringAndReleasing)
      if isDone { return }
      if InterruptionHook.isSet { endWhenInterrupted() }
      latest =
        noted.exchange(DynamicCore.starting, ordering: .acquiringAndReleasing)
        & ~DynamicCore.starting
    }
  }

  /// Not inlined: `startAll` would have its stack frame for every value.
  @inline(never)
  private final func endWhenInterrupted() {
    guard let error = InterruptionHook.error else { return }
    submitRarely(.error, nil, error)
    error.release()
  }

  /// The inputs up to the latest, in the order they came.
  private final func startInputs(_ latest: UInt) {
    var next = latest
    var oldest: UInt = 0
    while next & DynamicCore.bare == 0, let input = DynamicCore.input(next) {
      input._withUnsafeGuaranteedRef {
        next = $0.previous
        $0.previous = oldest
      }
      oldest = UInt(bitPattern: input.toOpaque())
    }
    if next != 0 { startBare(next) }
    while let input = DynamicCore.input(oldest) {
      input._withUnsafeGuaranteedRef {
        oldest = $0.previous
        if let signal = $0.signal {
          if $0.beginsAlone {
            beginAlone(signal, $0)
          } else if $0.scope.isActive {
            begin(signal, $0)
          }
          signal.drop()
        }
        if let replaced = $0.replaced {
          $0.replaced = nil
          replaced._withUnsafeGuaranteedRef { _ = $0.close() }
          replaced.drop()
        }
      }
      input.drop()
    }
  }

  private final func startBare(_ address: UInt) {
    let signal = Unmanaged<Signal>.fromOpaque(
      UnsafeRawPointer(bitPattern: address & ~DynamicCore.bare).unsafelyUnwrapped)
    let thread = currentThread()
    let isShort = signal._withUnsafeGuaranteedRef {
      $0.isShort(for: thread, above: heightOfInputs)
    }
    if isShort, !rac_stages_are_watched(), SubscriptionScheduler.runsInline(on: thread) {
      beginDirectly(Unmanaged<CreatedSignal>.fromOpaque(signal.toOpaque()), thread)
    } else {
      beginWithInput(signal)
    }
    signal.drop()
  }

  @inline(__always)
  private final func beginDirectly(_ signal: Unmanaged<CreatedSignal>, _ thread: Thread) {
    let beginning = beginning.unsafelyUnwrapped
    if !beginning._withUnsafeGuaranteedRef({ $0.isEmpty }) {
      beginning._withUnsafeGuaranteedRef { makeWay($0) }
      guard beginning._withUnsafeGuaranteedRef({ $0.isActive }) else { return }
    }
    let mine = link ?? .passRetained(InnerLink())
    link = beginning._withUnsafeGuaranteedRef { beginning in
      signal._withUnsafeGuaranteedRef {
        InnerLink.subscribe(self, to: $0, thread, by: mine, in: beginning)
      }
    }
  }

  private final func beginWithInput(_ signal: Unmanaged<Signal>) {
    beginAlone(signal, Input(self, beginningAt: DynamicCore.innerPosition))
  }

  private final func begin(_ signal: Unmanaged<Signal>, _ input: Input) {
    signal._withUnsafeGuaranteedRef { $0.subscribe(input) }
  }

  /// A disposal below disposes the input, too.
  private final func beginAlone(_ signal: Unmanaged<Signal>, _ input: Input) {
    let mine = Unmanaged.passUnretained(input.scope)
    beginning.unsafelyUnwrapped._withUnsafeGuaranteedRef { beginning in
      if !beginning.isEmpty { makeWay(beginning) }
      // Nobody else knows of it yet.
      mine.keepNew()
      beginning.add(owned: .fromOpaque(mine.toOpaque()))
    }
    if mine._withUnsafeGuaranteedRef({ $0.isActive }) { begin(signal, input) }
  }

  /// The one that was subscribed last goes on, and joins the others in the scope below, in its
  /// place in their order.
  private final func makeWay(_ beginning: Scope) {
    Unmanaged.passUnretained(downstream.scope)._withUnsafeGuaranteedRef {
      beginning.moveOnly(to: $0)
    }
  }

  /// An input that is closed leaves, wherever it is. Any thread.
  final func leave(_ scope: Unmanaged<Scope>) {
    let link = Unmanaged<Link>.fromOpaque(scope.toOpaque())
    if beginning.unsafelyUnwrapped._withUnsafeGuaranteedRef({ $0.takeOnly(link) }) {
      link.dropOneOfTwo()
    } else if !link.isAlone {
      leaveBelow(link)
    }
  }

  private final func leaveBelow(_ link: Unmanaged<Link>) {
    Unmanaged.passUnretained(downstream.scope)._withUnsafeGuaranteedRef { below in
      link._withUnsafeGuaranteedRef { below.remove($0) }
    }
  }

  /// A value before the end may be what another subscription is begun for.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    !withValue && downstream.goesAtEnd(withValue: false, &visitor)
  }

  private final func makeBeginning() {
    let made = Scope()
    downstream.scope.add(made)
    beginning = .passRetained(made)
  }

  @inline(never)
  deinit {
    link?.drop()
    if let beginning {
      beginning._withUnsafeGuaranteedRef { downstream.scope.remove($0) }
      beginning.drop()
    }
  }

  private static func input(_ address: UInt) -> Unmanaged<Input>? {
    UnsafeRawPointer(bitPattern: address).map { .fromOpaque($0) }
  }

  /// Ends the stream: the value should have been a signal.
  final func failWithoutSignal(_ value: Value) {
    end(
      owned: .error(
        "rac", Status.kind, "a signal was expected, another value was sent", underlying: value))
  }
}
