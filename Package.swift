// swift-tools-version: 6.0
import PackageDescription

/// What every Swift target is compiled with: imports are internal and existentials are spelled out.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// `make toolset` sets this: the client library is then built as a shared library that links itself into
/// whatever imports it, so that packages that do not know of this one can say `import CoreLocation`.
let isToolsetBuild = Context.environment["BINNACLE_TOOLSET"] == "1"

/// `make fuzz` sets this: the fuzzer has no `main` of its own and cannot be built with the rest.
let isFuzzBuild = Context.environment["BINNACLE_FUZZ"] == "1"

/// What a module is compiled with that apps import.
///
/// Library evolution hides the modules below, whose plain names others use, too. That Foundation itself has none, as on
/// every Linux, is a warning, but an error to Swift 6.0 when imports are internal by themselves: so every import of these
/// modules says whether it is.
let shared: [SwiftSetting] =
  isToolsetBuild
  ? [
    .enableUpcomingFeature("ExistentialAny"),
    .unsafeFlags([
      "-module-link-name", "CoreLocation", "-enable-library-evolution", "-suppress-warnings",
    ]),
  ] : strict

let fuzzer: [Target] = [
  .executableTarget(
    name: "binnacle-fuzz",
    dependencies: [
      "Basics", "Model", "UBX", "Wire", "VirtualWire", "StateLog", "Board", "Motion", "Simulation",
    ],
    path: "Fuzz",
    swiftSettings: strict)
]

let package = Package(
  name: "binnacle",
  products: [
    .library(
      name: "CoreLocation", type: isToolsetBuild ? .dynamic : nil,
      // In one library, so that both share the process's one connection.
      targets: isToolsetBuild ? ["CoreLocation", "AppRuntime"] : ["CoreLocation"]),
    .library(name: "AppRuntime", targets: ["AppRuntime"]),
    .executable(name: "binnacled", targets: ["binnacled"]),
    .executable(name: "binnacle", targets: ["binnacle"]),
    .executable(name: "binnacle-sim", targets: ["binnacle-sim"]),
    .executable(name: "LiveUpdates", targets: ["LiveUpdates"]),
  ],
  targets: [
    // Pure: the standard library and each other only.
    // The standard library's `rounded()` becomes a call of libm where the processor has no such order.
    .target(
      name: "Basics", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Model", dependencies: ["Basics"], swiftSettings: strict),
    .target(name: "UBX", dependencies: ["Basics"], swiftSettings: strict),
    .target(name: "Geodesy", dependencies: ["Basics"], swiftSettings: strict),
    .target(name: "Wire", dependencies: ["Basics", "Model"], swiftSettings: strict),
    .target(name: "Accelerometers", dependencies: ["Basics", "I2C"], swiftSettings: strict),
    .target(name: "Motion", dependencies: ["Basics"], swiftSettings: strict),
    .target(name: "VirtualWire", dependencies: ["Basics", "I2C"], swiftSettings: strict),
    .target(name: "Board", dependencies: ["Basics"], swiftSettings: strict),
    .target(name: "I2C", dependencies: ["Basics"], swiftSettings: strict),
    .target(name: "Diagnosis", dependencies: ["Basics", "Model", "Board"], swiftSettings: strict),
    .target(name: "StateLog", dependencies: ["Basics"], swiftSettings: strict),
    .target(
      name: "LocationEngine",
      dependencies: ["Basics", "Model", "UBX", "Accelerometers", "Motion", "StateLog"],
      swiftSettings: strict),

    // Linux, thin.
    .target(name: "CPosix"),
    .target(name: "Posix", dependencies: ["Basics", "CPosix"], swiftSettings: strict),
    .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
    .target(name: "CI2C", linkerSettings: [.linkedLibrary("i2c")]),
    // For recordings that are kept compressed; only the simulator's program and tests link it.
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: strict),
    .target(
      name: "Devices",
      dependencies: [
        "Basics", "Board", "I2C", "Accelerometers", "VirtualWire", "StateLog", "Posix", "CGPIO",
        "CI2C",
      ],
      swiftSettings: strict),

    // The ends that meet users.
    .target(
      name: "Daemon",
      dependencies: [
        "Basics", "Model", "Wire", "VirtualWire", "Board", "I2C", "Accelerometers", "StateLog",
        "LocationEngine", "Posix", "Devices",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "binnacled", dependencies: ["Daemon", "Model", "Posix"],
      swiftSettings: strict),
    .executableTarget(
      name: "binnacle",
      dependencies: [
        "Basics", "Model", "UBX", "Wire", "VirtualWire", "Board", "I2C", "Accelerometers",
        "StateLog", "LocationEngine", "Diagnosis", "Posix", "Devices",
      ],
      swiftSettings: strict),
    .target(
      name: "CoreLocation", dependencies: ["Basics", "Model", "Geodesy", "Wire", "Posix"],
      swiftSettings: shared),
    .target(
      name: "AppRuntime", dependencies: ["Model", "CoreLocation"],
      // The library that it would ask the linker for is the one that it is being linked into.
      swiftSettings: shared
        + (isToolsetBuild ? [.unsafeFlags(["-Xfrontend", "-disable-all-autolinking"])] : [])),
    .target(
      name: "Simulation",
      dependencies: [
        "Basics", "Model", "UBX", "I2C", "Accelerometers", "Motion", "VirtualWire", "StateLog",
        "LocationEngine",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "binnacle-sim",
      dependencies: [
        "Basics", "Model", "UBX", "I2C", "Accelerometers", "Motion", "VirtualWire", "StateLog",
        "LocationEngine", "Posix", "Gzip", "Simulation",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "LiveUpdates", dependencies: ["CoreLocation", "AppRuntime"],
      path: "Examples/LiveUpdates",
      swiftSettings: strict),

    // What "make perf" measures the parser and the way to an app's loop with.
    .executableTarget(
      name: "binnacle-perf", dependencies: ["Basics", "UBX", "Motion"], path: "Perf/binnacle-perf",
      swiftSettings: strict),
    .executableTarget(
      name: "latency-probe", dependencies: ["CoreLocation"], path: "Perf/latency-probe",
      swiftSettings: strict),

    // What "make perf-state" counts the disk's work of: the log of state, and the way it is usually done.
    .executableTarget(
      name: "state-cost", dependencies: ["Basics", "StateLog", "Posix", "Devices"],
      path: "Perf/state-cost", swiftSettings: strict),
    .executableTarget(name: "defaults-cost", path: "Perf/defaults-cost", swiftSettings: strict),

    // Tests, beside what they test.
    .target(
      name: "TestSupport", dependencies: ["Basics", "Posix"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(name: "BasicsTests", dependencies: ["Basics"], swiftSettings: strict),
    .testTarget(
      name: "UBXTests", dependencies: ["Basics", "UBX", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "GeodesyTests", dependencies: ["Basics", "Geodesy"], swiftSettings: strict),
    .testTarget(
      name: "WireTests", dependencies: ["Basics", "Model", "Wire", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "VirtualWireTests", dependencies: ["Basics", "I2C", "VirtualWire", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BoardTests", dependencies: ["Basics", "Board", "Posix", "Simulation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DiagnosisTests",
      dependencies: ["Basics", "Model", "Board", "Diagnosis", "Posix", "TestSupport"],
      exclude: ["Machines"], swiftSettings: strict),
    .testTarget(
      name: "StateLogTests", dependencies: ["Basics", "StateLog", "Simulation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LocationEngineTests",
      dependencies: [
        "Basics", "I2C", "Model", "UBX", "Accelerometers", "StateLog", "LocationEngine",
        "Simulation", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AccelerometersTests",
      dependencies: ["Basics", "I2C", "Accelerometers", "Motion", "Simulation"],
      swiftSettings: strict),
    .testTarget(
      name: "MotionTests",
      dependencies: ["Basics", "Accelerometers", "Motion", "Gzip", "Simulation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "I2CTests", dependencies: ["Basics", "I2C"], swiftSettings: strict),
    .testTarget(
      name: "PosixTests", dependencies: ["Basics", "Posix", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DevicesTests",
      dependencies: [
        "Basics", "VirtualWire", "Board", "I2C", "Accelerometers", "StateLog", "Posix", "Devices",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "Basics", "Model", "Wire", "VirtualWire", "Board", "StateLog", "LocationEngine", "Posix",
        "Devices", "Daemon", "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: ["Basics", "Model", "Wire", "Posix", "CoreLocation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AppRuntimeTests",
      dependencies: ["Basics", "Model", "Posix", "CoreLocation", "AppRuntime", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Basics", "Model", "UBX", "I2C", "VirtualWire", "StateLog", "LocationEngine", "Posix",
        "Simulation", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Basics", "Model", "Wire", "VirtualWire", "StateLog", "LocationEngine", "Posix", "Devices",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(name: "TidyTests", dependencies: ["TestSupport"], swiftSettings: strict),
  ] + (isFuzzBuild ? fuzzer : []),
  swiftLanguageModes: [.v6]
)
