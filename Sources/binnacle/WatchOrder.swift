import BinnacleModel
import BinnaclePosix

/// The options of `binnacle watch`.
struct WatchOrder: Equatable {
  var configuration = LiveConfiguration.default
  var isJSON = false
  var countMax: Int?
  var role = ClientRole.app
  /// The session objects that the program holds as long as it runs.
  var sessions: [AppSession] = []
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
    if let identifier = arguments.value("app") {
      guard !identifier.isEmpty else { throw .init("option '--app' needs the name of an app") }
      guard !arguments.has("operator") else {
        throw .init("--operator and --app exclude each other: a tool of an operator is no app")
      }
      role = .script(identifier)
    } else if arguments.has("operator") {
      role = .operator
    }
    sessions = try WatchOrder.sessions(arguments, role)
    countMax = try arguments.integer("count", in: 1...Int.max)
    timeoutSeconds = try arguments.number("timeout", in: 0...1e9)
    // The connection takes time even while a daemon runs.
    if timeoutSeconds == 0 {
      throw .init("option '--timeout': the number of seconds must be more than 0")
    }
  }

  private static func sessions(
    _ arguments: Arguments, _ role: ClientRole
  ) throws(Arguments.UsageError) -> [AppSession] {
    var sessions: [AppSession] = []
    if let name = arguments.value("service") {
      guard let requirement = requirement(name) else {
        throw .init("option '--service': '\(name)' is not one of whenInUse, always")
      }
      sessions.append(.service(requirement, fullAccuracyPurpose: nil))
    }
    if arguments.has("background") { sessions.append(.backgroundActivity) }
    guard sessions.isEmpty || role != .app, sessions.isEmpty || role != .operator else {
      throw .init(
        "--background and --service are for an app with a manifest: name it with --app ID")
    }
    return sessions
  }

  private static func requirement(_ name: String) -> AppSession.Requirement? {
    switch name {
    case "whenInUse": .whenInUse
    case "always": .always
    default: nil
    }
  }
}
