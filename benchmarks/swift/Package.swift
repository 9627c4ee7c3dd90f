// swift-tools-version: 6.1

// Reactive beside the C names; `benchmarks/swift/run` builds and runs it both ways.

import PackageDescription

let overSharedLibrary = Context.environment["RAC_SHARED_LIBRARY"] != nil

let package = Package(
  name: "swift-benchmarks",
  dependencies: [
    .package(
      name: "librac", path: "../..", traits: overSharedLibrary ? ["SharedLibrary"] : ["Engine"])
  ],
  targets: [
    .executableTarget(
      name: "face",
      dependencies: [.product(name: "Reactive", package: "librac")])
  ],
  swiftLanguageModes: [.v6]
)
