// swift-tools-version: 6.0
import PackageDescription

// A package as an app's author writes it: it lists Binnacle by path, or by URL where `BINNACLE_URL` names one. Some of its
// targets have the names of folders in Binnacle's Sources.
let binnacle: Package.Dependency =
  if let url = Context.environment["BINNACLE_URL"] {
    .package(url: url, from: "1.0.0")
  } else {
    .package(name: "binnacle", path: "../..")
  }

let ownNames = ["Basics", "Board", "Daemon", "Geodesy", "Model", "Posix", "Sun", "Wire"]

let package = Package(
  name: "route",
  dependencies: [binnacle],
  targets: ownNames.map { .target(name: $0) } + [
    .executableTarget(
      name: "route",
      dependencies: [
        .product(name: "CoreLocation", package: "binnacle"),
        .product(name: "AppRuntime", package: "binnacle"),
      ] + ownNames.map { .target(name: $0) })
  ]
)
