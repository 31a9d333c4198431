// swift-tools-version: 6.0
import PackageDescription

// A foreign package: it says `import CoreLocation` and does not list Binnacle. Its
// module `Model` has the name of a module of Binnacle, as a module of any package may.
let package = Package(
  name: "waymarks",
  targets: [
    .target(name: "Model"),
    .target(name: "Waymarks", dependencies: ["Model"]),
    .executableTarget(name: "follow", dependencies: ["Waymarks"]),
    .testTarget(name: "WaymarksTests", dependencies: ["Model", "Waymarks"]),
  ]
)
