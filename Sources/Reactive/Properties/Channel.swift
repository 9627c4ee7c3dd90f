import CRAC

/// Two ends of a line: what is sent to one is heard at the other.
///
/// Who observes the leading end hears what is sent to the following one from then on; who observes
/// the following one first hears what was sent to the leading one last. An end that is sent to
/// either is heard at both.
///
/// RAC: RACChannel.
public struct Channel<Value: Sendable>: Sendable {
  /// For the side that has the value.
  public let leading: Subject<Value>
  /// For the side that shows it.
  public let following: Subject<Value>

  /// A channel through which nothing was sent yet.
  public init() {
    let channel = rac_channel_create()
    defer { rac_release(UnsafeMutableRawPointer(channel)) }
    leading = Channel.end(rac_channel_get_leading(channel))
    following = Channel.end(rac_channel_get_following(channel))
  }

  private static func end(_ lent: OpaquePointer?) -> Subject<Value> {
    Subject(adopting: OpaquePointer(rac_retain(UnsafeMutableRawPointer(lent))))
  }
}
