import NIOCore
import Reactive

extension Scheduler {
  /// Runs its things on an event loop.
  convenience init(_ loop: any EventLoop) { self.init { loop.execute($0) } }
}

/// Makes a signal of the lines that a connection sends, and writes what a function makes of it.
///
/// Everything of it runs on the connection's event loop.
final class Lines: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let lines = Subject<String>()
  private let answer: @Sendable (Signal<String>) -> Signal<String>
  private var unread = ByteBuffer()
  private var writing: Disposable?

  init(answer: @escaping @Sendable (Signal<String>) -> Signal<String>) { self.answer = answer }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    // The answers may come from anywhere; they are written where the channel lives.
    writing = answer(lines.signal).deliver(on: Scheduler(channel.eventLoop)).observe { text in
      channel.eventLoop.preconditionInEventLoop()
      channel.writeAndFlush(ByteBuffer(string: text + "\n"), promise: nil)
    } completion: { _ in
      channel.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    unread.writeBuffer(&bytes)
    while let end = unread.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
      let line = unread.readString(length: end - unread.readerIndex) ?? ""
      unread.moveReaderIndex(forwardBy: 1)
      lines.send(line)
    }
    unread.discardReadBytes()
  }

  /// The other side writes no more: the rest is answered, and then the answers complete.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { lines.complete() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    lines.complete()
    writing?.dispose()
    context.fireChannelInactive()
  }
}
