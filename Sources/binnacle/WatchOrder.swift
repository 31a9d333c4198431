import BinnacleModel
import BinnaclePosix

/// The options of `binnacle watch`.
struct WatchOrder: Equatable {
  var configuration = LiveConfiguration.default
  var isJSON = false
  var countMax: Int?
  /// The longest wait for a daemon, in seconds; nil: no limit.
  var timeoutSeconds: Double?

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    isJSON = arguments.has("json")
    if let name = arguments.value("configuration") {
      guard let configuration = LiveConfiguration(name: name) else {
        let names = LiveConfiguration.allCases.map(\.name).joined(separator: ", ")
        throw .init("option '--configuration': '\(name)' is not one of \(names)")
      }
      self.configuration = configuration
    }
    countMax = try arguments.integer("count", in: 1...Int.max)
    timeoutSeconds = try arguments.number("timeout", in: 0...1e9)
  }
}
