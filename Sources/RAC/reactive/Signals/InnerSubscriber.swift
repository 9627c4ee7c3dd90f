import CRACShims
import Synchronization

/// The subscription of an operator to a `create` signal that is one of many which it subscribes to
/// while it runs. The callback sends into this; it stands in the place of an input, its scope and a
/// subscriber.
///
/// To a `DirectSubscriber` it makes no difference whose its callbacks are: these hand what comes to
/// the operator's core, and the last of them lets go of that. But somebody may dispose of what is
/// below while the callback runs. So an `InnerLink` is there meanwhile, which the core has at hand:
/// most are over when the callback returns, and it is used for the next one. With one that goes on
/// it moves to the scope below.
///
/// `Tests/model/emitter.pml` is this, too.
final class InnerSubscriber: DirectSubscriber {
  /// Kept until it is over.
  private let core: Unmanaged<DynamicCore>
  /// The one that is in the scope below, retained: set before `place` says so.
  @exclusivity(unchecked) private var link: Unmanaged<InnerLink>?
  private static let linked: UInt32 = 1
  private static let over: UInt32 = 2
  private let place = Atomic<UInt32>(0)

  @inline(__always)
  fileprivate init(_ core: DynamicCore) {
    self.core = .passUnretained(core)
    self.core.keep()
    super.init(
      calling: { context, value in
        InnerSubscriber.core(of: context)._withUnsafeGuaranteedRef { $0.hear(value) }
      },
      rac_observer(
        size: 0, context: nil, next: nil,
        error: { context, error in
          InnerSubscriber.core(of: context)._withUnsafeGuaranteedRef {
            _ = $0.submitRarely(.error, nil, error)
          }
        },
        completed: { context in
          InnerSubscriber.core(of: context)._withUnsafeGuaranteedRef { _ = $0.submit(.completed) }
        },
        destroy: { InnerSubscriber.from($0)._withUnsafeGuaranteedRef { $0.leaveCore() } }))
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Unmanaged<InnerSubscriber> {
    .fromOpaque(context.unsafelyUnwrapped)
  }

  private static func core(of context: UnsafeMutableRawPointer?) -> Unmanaged<DynamicCore> {
    from(context)._withUnsafeGuaranteedRef { $0.core }
  }

  /// Inside the gate.
  private func leaveCore() {
    let before = place.exchange(InnerSubscriber.over, ordering: .acquiringAndReleasing)
    if before == InnerSubscriber.linked { unlink() }
    core.drop()
  }

  @inline(never)
  private func unlink() {
    guard let mine = link.take() else { return }
    core._withUnsafeGuaranteedRef { core in
      mine._withUnsafeGuaranteedRef { core.downstream.scope.remove($0) }
    }
    mine.drop()
  }

  /// It goes on. Takes over the link, and with that a reference to this.
  fileprivate func join(_ link: Unmanaged<InnerLink>, _ scope: Scope) {
    self.link = link.retain()
    scope.add(owned: .fromOpaque(link.retain().toOpaque()))
    let (isLinked, _) = place.replace(0, with: InnerSubscriber.linked)
    if !isLinked {
      // It was over before.
      link._withUnsafeGuaranteedRef { scope.remove($0) }
      link.drop()
    }
    link.drop()
  }

  override func holdsBelow(_ question: Question) -> Bool {
    !drained.isDone && core._withUnsafeGuaranteedRef { $0.holds(question, at: nil) }
  }

  override func visitCallbacks(_ visitor: inout Visitor) {
    if !drained.isDone { visitor.reference(core.toOpaque()) }
    visitor.reference(signal?.toOpaque())
  }
}

/// By what an `InnerSubscriber` is disposed of with what is below it.
final class InnerLink: Link {
  /// Retained. nil: it waits for the next one.
  @exclusivity(unchecked) fileprivate var subscriber: Unmanaged<InnerSubscriber>?

  override func dispose() { subscriber?._withUnsafeGuaranteedRef { $0.dispose() } }
  override func assist(silently: Bool) {
    if !silently { return dispose() }
    subscriber?._withUnsafeGuaranteedRef { $0.hush() }
  }

  deinit { subscriber?.drop() }
}

extension InnerLink {
  /// Subscribes the core to the signal. The link is in the scope `beginning`, alone, while the
  /// callback runs. nil: it is used; else it is there for the next one.
  @inline(__always)
  static func subscribe(
    _ core: DynamicCore, to signal: CreatedSignal, _ thread: Thread,
    by link: Unmanaged<InnerLink>, in beginning: Scope
  ) -> Unmanaged<InnerLink>? {
    let subscriber = Unmanaged.passRetained(InnerSubscriber(core))
    // The link's reference.
    subscriber.keepNew()
    link._withUnsafeGuaranteedRef { $0.subscriber = subscriber }
    let handle = subscriber._withUnsafeGuaranteedRef {
      Handles.makeFirst(owned: .fromOpaque(subscriber.toOpaque()), .subscriber, at: $0.gate)
    }
    beginning.add(owned: .fromOpaque(link.toOpaque()))
    thread.pointee.subscribing = thread.pointee.subscribing &+ 1
    let status = signal.call(handle)
    thread.pointee.subscribing = thread.pointee.subscribing &- 1
    if Callback.hasFailed(status) { Subscriber.fail(handle, status) }
    // Mostly nobody has retained it, and nobody is using it.
    let redeemed = Handles.redeem(handle).map {
      Unmanaged<InnerSubscriber>.fromOpaque($0.toOpaque())
    }
    if let redeemed {
      if !redeemed._withUnsafeGuaranteedRef({ $0.drained.isDone }) { abandon(redeemed) }
    } else {
      _ = Handles.release(handle: handle)
    }
    // Disposed of meanwhile: the disposing thread has the link, and with it the subscriber.
    guard beginning.takeOnly(.fromOpaque(link.toOpaque())) else {
      redeemed?.drop()
      return nil
    }
    redeemed?.dropOneOfTwo()
    guard subscriber._withUnsafeGuaranteedRef({ $0.drained.isDone }) else {
      subscriber._withUnsafeGuaranteedRef { _ = $0.submitRarely(.add, signal) }
      goOn(subscriber, link, core)
      return nil
    }
    link._withUnsafeGuaranteedRef { $0.subscriber = nil }
    subscriber.drop()
    return link
  }

  /// Nobody can send any more.
  @inline(never)
  private static func abandon(_ subscriber: Unmanaged<InnerSubscriber>) {
    subscriber._withUnsafeGuaranteedRef { $0.lastHandleReleased() }
  }

  @inline(never)
  private static func goOn(
    _ subscriber: Unmanaged<InnerSubscriber>, _ link: Unmanaged<InnerLink>, _ core: DynamicCore
  ) {
    subscriber._withUnsafeGuaranteedRef { $0.join(link, core.downstream.scope) }
  }
}
