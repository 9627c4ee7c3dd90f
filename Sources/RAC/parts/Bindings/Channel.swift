import Synchronization

/// Two ends, each a signal and a subscriber: values sent to one come out at the other. RACChannel.
///
/// The leading end is for the side that knows, the model: it does not repeat old values to new
/// subscribers. The following end is for the side that shows, the view: it begins with the latest
/// value sent to the leading one. An end sent to either is heard at both, also by later
/// subscribers.
///
/// ```
/// sent to leading      1--2------|
/// heard at following   1--2------|
/// sent to following    ------7----
/// heard at leading     ------7---|
/// ```
/// C: rac_channel_create. RAC: RACChannel
final class Channel: Object {
  /// Lent to the user; they live as long as the channel, or as a user retains them.
  let leading: OpaquePointer
  let following: OpaquePointer

  override init() {
    let line = ChannelLine()
    let leading = Terminal(line, sendsTo: line.toFollowing, hears: line.toLeading)
    let following = Terminal(line, sendsTo: line.toLeading, hears: line.toFollowing)
    self.leading = leading.named("leadingTerminal").makeHandle()
    self.following = following.named("followingTerminal").makeHandle()
    super.init()
  }

  deinit {
    _ = Handles.release(handle: leading)
    _ = Handles.release(handle: following)
  }
}

/// One direction of a channel: the values that come out at one end.
private final class ChannelSide: Object {
  let core: ReplayCore
  /// Whether the end that sends is gone.
  let isMute = Atomic<Bool>(false)

  init(capacity: Int) { core = ReplayCore(capacity: capacity, initial: nil, replaysEnd: true) }
}

/// The state that the two ends of a channel share.
private final class ChannelLine: Object {
  let toLeading = ChannelSide(capacity: 0)
  let toFollowing = ChannelSide(capacity: 1)
  /// The subscriptions that feed either end, disposed by an end.
  let upstream = Scope()
  private let hasEnded = Atomic<Bool>(false)

  /// True for the first end that is sent: it counts for both sides.
  func finish() -> Bool { !hasEnded.exchange(true, ordering: .acquiringAndReleasing) }
}

/// One end. As a subject it sends to the other side; as a signal it is what comes from there.
private final class Terminal: Subject {
  private let line: ChannelLine
  private let sent: ChannelSide
  private let heard: ChannelSide

  init(_ line: ChannelLine, sendsTo sent: ChannelSide, hears heard: ChannelSide) {
    self.line = line
    self.sent = sent
    self.heard = heard
    super.init(core: sent.core)
    upstream.join(line.upstream)
  }

  /// The handle lies in the gate that is sent through.
  func makeHandle() -> OpaquePointer { Handles.make(self, .terminal, at: core.gate) }

  /// At once on every thread, as with subjects.
  override func attach(_ sink: Sink) {
    heard.core.attach(sink)
    if heard.isMute.load(ordering: .relaxed) { heard.core.submit(.close) }
  }

  // Before the superclass closes the core. Subscribing and closing follow one another, inside its
  // gate: the close lets go of a subscriber that comes first, and one that comes later sees this.
  deinit { sent.isMute.store(true, ordering: .relaxed) }

  override func sendError(_ error: Value) -> rac_status { end(.error, error) }
  override func sendCompleted() -> rac_status { end(.completed, .null) }

  private func end(_ operation: Operation, _ error: Value) -> rac_status {
    guard line.finish() else { return Status.ok }
    line.upstream.close()
    let status = core.submitRarely(operation, nil, error)
    let here = heard.core.submitRarely(operation, nil, error)
    return status == Status.ok ? here : status
  }
}
