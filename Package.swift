// swift-tools-version: 6.0
import PackageDescription

/// Settings of every Swift target: imports are internal and existentials are spelled out.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// `make toolset` sets this: the client library is then built as a shared library that links itself into
/// whatever imports it, so that packages that do not know of this one can say `import CoreLocation`.
let isToolsetBuild = Context.environment["BINNACLE_TOOLSET"] == "1"

/// `make fuzz` sets this: the fuzzer has no `main` of its own and cannot be built with the rest.
let isFuzzBuild = Context.environment["BINNACLE_FUZZ"] == "1"

/// `make` sets this: debug builds then optimize the modules that calculate, and keep every assertion.
///
/// Most tests are simulated journeys, which take a fraction of the time then.
let isQuickDebugBuild = Context.environment["BINNACLE_QUICK"] == "1"

/// Settings of the modules that only calculate.
let pure: [SwiftSetting] =
  strict
  + (isQuickDebugBuild
    ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : [])

/// Settings of the engine and of the simulation, which are more than half of the optimized code.
///
/// The fuzzer has them without optimization: with AddressSanitizer, optimizing them takes longer than a slice of fuzzing.
let engine: [SwiftSetting] = isFuzzBuild ? strict : pure

/// Settings of the modules that apps import.
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

/// The modules that the fuzz targets use.
let fuzzed: [Target.Dependency] = [
  "BinnacleBasics", "BinnacleModel", "UBX", "BinnacleWire", "VirtualWire", "StateLog", "Board",
  "LaunchWire", "Motion", "Accelerometers", "LocationEngine", "Gzip", "Simulation", "BinnaclePosix",
  "Verbs", "Console",
]

/// The fuzz targets are a program in the fuzzer's build.
///
/// In every other build they are tests with a few inputs, so that `make test` compiles them.
let fuzzTargets: Target =
  isFuzzBuild
  ? .executableTarget(
    name: "binnacle-fuzz", dependencies: fuzzed, path: "Fuzz", exclude: ["FuzzTargetTests.swift"],
    swiftSettings: strict)
  : .testTarget(
    name: "FuzzTests", dependencies: fuzzed, path: "Fuzz", exclude: ["EntryPoint.swift"],
    swiftSettings: strict)

let package = Package(
  name: "binnacle",
  // Programs are not listed: SwiftPM builds them here all the same, and a package that lists this one sees the targets
  // of its libraries only, so that its own may have any other name.
  products: [
    .library(
      name: "CoreLocation", type: isToolsetBuild ? .dynamic : nil,
      // In one library, so that both share the process's one connection.
      targets: isToolsetBuild ? ["CoreLocation", "AppRuntime"] : ["CoreLocation"]),
    .library(name: "AppRuntime", targets: ["AppRuntime"]),
  ],
  targets: [
    // Modules that a dependent package compiles have a prefix: two modules of one name cannot be in one build.
    // Pure: the standard library and each other only.
    // The standard library's `rounded()` becomes a call of libm where the processor has no such order.
    .target(
      name: "BinnacleBasics", path: "Sources/Basics", swiftSettings: pure,
      linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "BinnacleModel", dependencies: ["BinnacleBasics"], path: "Sources/Model",
      swiftSettings: pure),
    .target(
      name: "UBX", dependencies: ["BinnacleBasics", "BinnacleModel"], swiftSettings: pure),
    .target(
      name: "BinnacleGeodesy", dependencies: ["BinnacleBasics"], path: "Sources/Geodesy",
      swiftSettings: strict),
    .target(
      name: "BinnacleWire", dependencies: ["BinnacleBasics", "BinnacleModel"], path: "Sources/Wire",
      swiftSettings: strict),
    .target(
      name: "Accelerometers", dependencies: ["BinnacleBasics", "I2C"], swiftSettings: pure),
    .target(name: "Motion", dependencies: ["BinnacleBasics"], swiftSettings: pure),
    .target(name: "VirtualWire", dependencies: ["BinnacleBasics", "I2C"], swiftSettings: pure),
    .target(
      name: "Board", dependencies: ["BinnacleBasics", "BinnacleModel"], swiftSettings: strict),
    .target(name: "I2C", dependencies: ["BinnacleBasics"], swiftSettings: pure),
    .target(
      name: "Diagnosis", dependencies: ["BinnacleBasics", "BinnacleModel", "Board"],
      swiftSettings: strict),
    .target(
      name: "BinnacleText", dependencies: ["BinnacleBasics", "BinnacleModel"],
      path: "Sources/Text", swiftSettings: strict),
    .target(
      name: "NMEA", dependencies: ["BinnacleBasics", "BinnacleModel"], swiftSettings: strict),
    .target(
      name: "Drawing",
      dependencies: ["BinnacleBasics", "BinnacleModel", "BinnacleGeodesy", "BinnacleText"],
      swiftSettings: strict),
    .target(
      name: "LiveView", dependencies: ["BinnacleBasics", "BinnacleModel", "BinnacleText"],
      swiftSettings: strict),
    .target(name: "StateLog", dependencies: ["BinnacleBasics"], swiftSettings: pure),
    .target(
      name: "LocationEngine",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "UBX", "Accelerometers", "Motion", "StateLog",
      ],
      swiftSettings: engine),

    // Linux, thin.
    .target(name: "CBinnaclePosix", path: "Sources/CPosix"),
    .target(
      name: "BinnaclePosix", dependencies: ["BinnacleBasics", "CBinnaclePosix"],
      path: "Sources/Posix", swiftSettings: strict),
    .target(
      name: "Verbs", dependencies: ["BinnacleBasics", "BinnaclePosix"], swiftSettings: strict),
    .target(
      name: "BinnacleClient",
      dependencies: ["BinnacleBasics", "BinnacleWire", "BinnaclePosix"],
      path: "Sources/Client", swiftSettings: strict),
    // Line editing on a terminal; only the command line links it.
    .target(name: "CEdit", linkerSettings: [.linkedLibrary("edit")]),
    .target(
      name: "Console",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnacleWire", "BinnaclePosix", "BinnacleClient",
        "BinnacleText", "LiveView", "Verbs", "CEdit",
      ],
      swiftSettings: strict),
    // Hashes of PINs; the daemon and the command line link it.
    .target(name: "CCrypt", linkerSettings: [.linkedLibrary("crypt")]),
    .target(
      name: "PINHash", dependencies: ["BinnacleModel", "CCrypt"],
      swiftSettings: strict),
    .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
    .target(name: "CI2C", linkerSettings: [.linkedLibrary("i2c")]),
    // For recordings that are kept compressed; only the simulator's program and tests link it.
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: pure),
    .target(
      name: "Devices",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "Board", "I2C", "Accelerometers", "VirtualWire",
        "StateLog",
        "BinnaclePosix", "CGPIO",
        "CI2C",
      ],
      swiftSettings: strict),

    // Files of manifests, for the programs that know apps.
    .target(
      name: "Manifests", dependencies: ["Board", "BinnaclePosix"], swiftSettings: strict),

    // The ends that meet users.
    .target(
      name: "Daemon",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnacleWire", "VirtualWire", "Board", "I2C",
        "Accelerometers", "StateLog",
        "LocationEngine", "NMEA", "BinnaclePosix", "Devices", "Manifests", "Verbs", "LaunchWire",
        "PINHash",
      ],
      swiftSettings: strict),
    // The daemon's requests to the launcher, which has capabilities that the daemon must not have.
    .target(name: "LaunchWire", dependencies: ["BinnacleBasics"], swiftSettings: strict),
    .target(
      name: "Launcher",
      dependencies: [
        "BinnacleBasics", "Board", "LaunchWire", "Manifests", "BinnaclePosix", "Verbs",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "binnacle-launch",
      dependencies: ["BinnacleBasics", "BinnacleModel", "BinnaclePosix", "Launcher"],
      swiftSettings: strict),
    .executableTarget(
      name: "binnacled",
      dependencies: ["BinnacleBasics", "Daemon", "BinnacleModel", "BinnaclePosix"],
      swiftSettings: strict),
    .executableTarget(
      name: "binnacle",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "UBX", "BinnacleWire", "VirtualWire", "Board", "I2C",
        "Accelerometers",
        "StateLog", "LocationEngine", "Diagnosis", "BinnacleText", "Drawing", "BinnaclePosix",
        "BinnacleClient", "Verbs", "Gzip", "Console",
        "Devices", "PINHash",
      ],
      swiftSettings: strict),
    // It refuses a second copy of the client library in one process.
    .target(name: "CBinnacle"),
    .target(
      name: "CoreLocation",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnacleGeodesy", "BinnacleWire", "BinnaclePosix",
        "BinnacleClient", "CBinnacle",
      ],
      swiftSettings: shared),
    .target(
      name: "AppRuntime", dependencies: ["BinnacleModel", "CoreLocation"],
      // The library that it would ask the linker for is the one that it is being linked into.
      swiftSettings: shared
        + (isToolsetBuild ? [.unsafeFlags(["-Xfrontend", "-disable-all-autolinking"])] : [])),
    .target(
      name: "Simulation",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "UBX", "I2C", "Accelerometers", "Motion", "VirtualWire",
        "StateLog",
        "LocationEngine", "LaunchWire",
      ],
      swiftSettings: engine),
    .executableTarget(
      name: "binnacle-sim",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "UBX", "I2C", "Accelerometers", "Motion", "VirtualWire",
        "StateLog",
        "LocationEngine", "BinnaclePosix", "Verbs", "Gzip", "Simulation",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "DelegateUpdates", dependencies: ["CoreLocation"], path: "Examples/DelegateUpdates",
      swiftSettings: strict),
    .executableTarget(
      name: "LiveUpdates", dependencies: ["CoreLocation", "AppRuntime"],
      path: "Examples/LiveUpdates",
      swiftSettings: strict),

    // The programs of "make perf", which measure the parser and the way to an app's loop.
    .executableTarget(
      name: "binnacle-perf", dependencies: ["BinnacleBasics", "UBX", "Motion"],
      path: "Perf/binnacle-perf",
      swiftSettings: strict),
    .executableTarget(
      name: "latency-probe", dependencies: ["CoreLocation"], path: "Perf/latency-probe",
      swiftSettings: strict),

    // The programs of "make perf-state", which counts the disk's work: the log of state, and the usual method.
    .executableTarget(
      name: "state-cost", dependencies: ["BinnacleBasics", "StateLog", "BinnaclePosix", "Devices"],
      path: "Perf/state-cost", swiftSettings: strict),
    .executableTarget(name: "defaults-cost", path: "Perf/defaults-cost", swiftSettings: strict),

    // Tests, beside what they test.
    .target(
      name: "TestSupport", dependencies: ["BinnacleBasics", "BinnaclePosix"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "BasicsTests", dependencies: ["BinnacleBasics", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "UBXTests", dependencies: ["BinnacleBasics", "BinnacleModel", "UBX", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "GeodesyTests", dependencies: ["BinnacleBasics", "BinnacleGeodesy"],
      swiftSettings: strict),
    .testTarget(
      name: "WireTests",
      dependencies: ["BinnacleBasics", "BinnacleModel", "BinnacleWire", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "VirtualWireTests",
      dependencies: ["BinnacleBasics", "I2C", "VirtualWire", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BoardTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "Board", "BinnaclePosix", "Simulation", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DiagnosisTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "Board", "Diagnosis", "BinnaclePosix", "TestSupport",
      ],
      exclude: ["Machines"], swiftSettings: strict),
    .testTarget(
      name: "StateLogTests",
      dependencies: ["BinnacleBasics", "StateLog", "Simulation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LocationEngineTests",
      dependencies: [
        "BinnacleBasics", "I2C", "BinnacleModel", "UBX", "Accelerometers", "StateLog",
        "LocationEngine",
        "Simulation", "TestSupport",
      ],
      swiftSettings: strict),
    // The rights and the life of apps; a module of its own, so that two compilers share the engine's tests.
    .testTarget(
      name: "EngineAppsTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "StateLog", "LocationEngine", "Simulation",
        "TestSupport",
      ],
      swiftSettings: strict),
    // Walks through millions of states, so it is optimized like the modules that calculate.
    .testTarget(
      name: "WalkTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "StateLog", "LocationEngine", "Simulation",
        "BinnaclePosix", "TestSupport",
      ],
      swiftSettings: pure),
    .testTarget(
      name: "AccelerometersTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "I2C", "Accelerometers", "Motion", "Simulation",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MotionTests",
      dependencies: [
        "BinnacleBasics", "Accelerometers", "Motion", "Gzip", "Simulation", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TextTests",
      dependencies: ["BinnacleModel", "BinnaclePosix", "BinnacleText", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DrawingTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnacleGeodesy", "BinnacleText", "Drawing",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LiveViewTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnacleText", "LiveView", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ClientTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnacleWire", "BinnaclePosix", "BinnacleClient",
        "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "ConsoleTests",
      dependencies: ["BinnacleBasics", "BinnacleModel", "BinnaclePosix", "Console", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "VerbsTests",
      dependencies: ["BinnacleBasics", "BinnaclePosix", "Verbs", "binnacle", "binnacle-sim"],
      swiftSettings: strict),
    .testTarget(
      name: "NMEATests", dependencies: ["BinnacleBasics", "BinnacleModel", "NMEA"],
      swiftSettings: strict),
    .testTarget(name: "I2CTests", dependencies: ["BinnacleBasics", "I2C"], swiftSettings: strict),
    .testTarget(
      name: "PosixTests", dependencies: ["BinnacleBasics", "BinnaclePosix", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DevicesTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "VirtualWire", "Board", "I2C", "Accelerometers",
        "StateLog",
        "BinnaclePosix", "Devices",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnacleWire", "VirtualWire", "Board", "Accelerometers",
        "StateLog",
        "LocationEngine", "NMEA", "BinnaclePosix",
        "Devices", "Daemon", "PINHash", "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "LauncherTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnaclePosix", "Board", "LaunchWire", "Launcher",
        "LocationEngine", "Daemon",
        "TestSupport",
      ],
      swiftSettings: strict),
    // An app with a delegate and views, which tests run as a program.
    .executableTarget(
      name: "TripApp", dependencies: ["CoreLocation", "AppRuntime"], path: "Tests/TripApp",
      swiftSettings: strict),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnacleWire", "BinnaclePosix", "CoreLocation",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AppRuntimeTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnaclePosix", "CoreLocation", "AppRuntime",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "UBX", "I2C", "VirtualWire", "StateLog",
        "LocationEngine", "BinnaclePosix",
        "Simulation", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "BinnacleBasics", "BinnacleModel", "BinnacleWire", "VirtualWire", "StateLog",
        "LocationEngine", "BinnaclePosix", "Devices",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(name: "TidyTests", dependencies: ["TestSupport"], swiftSettings: strict),
    fuzzTargets,
  ],
  swiftLanguageModes: [.v6]
)
