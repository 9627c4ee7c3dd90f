// A server over swift-nio that answers each line with the number of its words, and with their sum
// when no line has come for a moment. Its client is an Endpoint of librac's.
import NIOCore
import NIOPosix
import Reactive

let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
  .childChannelOption(.allowRemoteHalfClosure, value: true)
  .childChannelInitializer { channel in
    let loop = Scheduler(channel.eventLoop)
    return channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(
        Lines { lines in
          let words = lines.map { $0.split(separator: " ").count }.share()
          let sum = words.scan(0) { $0 + $1 }.debounce(for: .milliseconds(50), on: loop)
          return merge(words.map { "\($0) words" }, sum.map { "\($0) in all" })
        })
    }
  }
  .bind(host: "127.0.0.1", port: 0).get()

let port = server.localAddress?.port ?? 0
let client = try await Endpoint.connect(to: "127.0.0.1:\(port)").first()
try await client.write("to be or not to be\nthat is the question\n")
for try await line in client.lines.values {
  print(line)
  if line.hasSuffix("in all") { try await client.finish() }
}
try await server.close().get()
