// swift-tools-version: 6.3

// The Swift module RAC, the C examples as executables, and the XCTest suite:
//
//     swift run quickstart
//     swift test
//
// librac.so for C programs, with its soname and nothing but rac_* exported, is
// built by CMakeLists.txt. The dynamic product here has neither, on purpose:
// both would need unsafeFlags, which SwiftPM refuses in a dependency.

import PackageDescription

/// Each is a folder of examples-swift, run as `swift run NAME`.
let swiftExamples = ["line_server", "pictures", "search", "sensors", "settings", "undo"]

/// Each is one file of examples-c, run as `swift run NAME`.
let examples = [
  "quickstart", "pull",
  "scenario1_cold",
  "scenario2_connection",
  "scenario3_replay",
  "scenario4_hot",
  "scenario5_operators",
  "scenario6_group_by",
  "scenario7_subjects",
  "fetch_once",
  "event_loop",
  "form",
  "log_watcher",
]

let package = Package(
  name: "librac",
  products: [
    .library(name: "Reactive", targets: ["Reactive"]),
    .library(name: "ReactiveTesting", targets: ["ReactiveTesting"]),
    .library(name: "RAC", targets: ["RAC"]),
    .library(name: "RACDynamic", type: .dynamic, targets: ["RAC"]),
  ],
  traits: [
    .trait(name: "Engine", description: "Reactive brings the engine along, statically linked."),
    .trait(
      name: "SharedLibrary", description: "Reactive uses an installed librac.so: instead of Engine."
    ),
    .default(enabledTraits: ["Engine"]),
  ],
  targets: [
    // rac_types.h and rac.h as the C modules CRACTypes and CRAC.
    .systemLibrary(name: "CRACTypes", path: "include"),
    .target(name: "CRACShims"),
    .target(name: "RAC", dependencies: ["CRACTypes", "CRACShims"]),
    // The typed face. It is written against rac.h alone, and so linked with either.
    .target(name: "CReactive"),
    .target(
      name: "Reactive",
      dependencies: [
        "CRACTypes", "CReactive", .target(name: "RAC", condition: .when(traits: ["Engine"])),
      ],
      linkerSettings: [.linkedLibrary("rac", .when(traits: ["SharedLibrary"]))]),
    .target(name: "ReactiveTesting", dependencies: ["Reactive"]),
    // Its threads share the engine's own objects, which guard themselves where no compiler sees it.
    .testTarget(
      name: "RACTests", dependencies: ["RAC", "CRACTypes"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "ReactiveTests",
      dependencies: ["Reactive", "ReactiveTesting", "CRACTypes", "main_actor", "sensors"]),
    .executableTarget(
      name: "main_actor", dependencies: ["Reactive", "CRACTypes"], path: "Tests/main_actor"),
  ]
    + swiftExamples.map { name in
      .executableTarget(name: name, dependencies: ["Reactive"], path: "examples-swift/\(name)")
    }
    + examples.map { name in
      .executableTarget(
        name: name,
        dependencies: ["RAC"],
        path: "examples-c",
        sources: ["\(name).c"],
        cSettings: [.headerSearchPath("../include")]
      )
    },
  swiftLanguageModes: [.v6]
)
