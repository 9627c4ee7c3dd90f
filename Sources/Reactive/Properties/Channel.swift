import CRAC

/// Two ends of a line: values sent to one come out at the other.
///
/// An observer of the leading end hears later values of the following one; an observer of the
/// following end first hears the latest value sent to the leading one. An error or a completion
/// that is sent to either ends both.
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
