// swift-tools-version: 6.2
//
// A package of its own, so that librac needs no other:
//
//   swift run --package-path examples-swift/nio
//
// NIO is a folder with a clone of swift-nio, in place of the one that SwiftPM fetches.
import PackageDescription

let nio: Package.Dependency =
  if let folder = Context.environment["NIO"] {
    .package(name: "swift-nio", path: folder)
  } else {
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0")
  }

let package = Package(
  name: "nio",
  dependencies: [.package(name: "librac", path: "../.."), nio],
  targets: [
    .executableTarget(
      name: "word_server",
      dependencies: [
        .product(name: "Reactive", package: "librac"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ])
  ])
