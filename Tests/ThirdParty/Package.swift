// swift-tools-version: 6.0
import PackageDescription

// A package as somebody else would write it: it says `import CoreLocation` and does not list Binnacle. Its
// module `Model` has the name of one of Binnacle's own, as a stranger's may.
let package = Package(
  name: "waymarks",
  targets: [
    .target(name: "Model"),
    .target(name: "Waymarks", dependencies: ["Model"]),
    .executableTarget(name: "follow", dependencies: ["Waymarks"]),
    .testTarget(name: "WaymarksTests", dependencies: ["Model", "Waymarks"]),
  ]
)
