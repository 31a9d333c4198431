public import BinnacleModel
public import BinnaclePosix
public import Verbs

/// The parsed command line of `binnacled`.
public struct DaemonArguments: Equatable, Sendable {
  public enum Order: Equatable, Sendable {
    case run
    /// Validate the profile and the configuration, and open no device.
    case check
    case help
    case version
    case completion(Shell)
  }

  public let order: Order
  /// `--board`: a file, or the name of an installed profile.
  public let board: String?
  /// `--receiver`: the device, which replaces the board's receiver.
  public let receiver: String?
  /// `--config`; nil selects the default directory.
  public let configurationDirectory: String?
  public let runtimeDirectory: String?
  public let stateDirectory: String?
  public let logLevel: LogLevel

  /// Reads the arguments after the program's name.
  public init(_ words: [String]) throws(Arguments.UsageError) {
    let arguments = try DaemonArguments.table.arguments(words)
    order = try DaemonArguments.order(in: arguments)
    board = try DaemonArguments.path("board", in: arguments)
    receiver = try DaemonArguments.path("receiver", in: arguments)
    configurationDirectory = try DaemonArguments.path("config", in: arguments)
    runtimeDirectory = try DaemonArguments.path("runtime", in: arguments)
    stateDirectory = try DaemonArguments.path("state", in: arguments)
    logLevel = try DaemonArguments.level(in: arguments)
  }

  private static func order(in arguments: Arguments) throws(Arguments.UsageError) -> Order {
    if arguments.has("help") { return .help }
    if arguments.has("version") { return .version }
    if let shell = try table.shell(in: arguments) { return .completion(shell) }
    return arguments.has("check") ? .check : .run
  }

  private static func path(
    _ name: String, in arguments: Arguments
  ) throws(Arguments.UsageError) -> String? {
    guard let path = arguments.value(name) else { return nil }
    guard !path.isEmpty else { throw .init("option '--\(name)' needs a value") }
    return path
  }

  private static func level(in arguments: Arguments) throws(Arguments.UsageError) -> LogLevel {
    guard let name = arguments.value("log-level") else { return .info }
    guard let level = LogLevel(name: name) else {
      let names = LogLevel.allCases.map { "\($0)" }.joined(separator: ", ")
      throw .init("option '--log-level': '\(name)' is not one of \(names)")
    }
    return level
  }

  /// The options, their help and their completion.
  public static let table = OptionTable(
    program: "binnacled", summary: "give the programs of this board their location",
    options: [
      .value(
        "board", "FILE|NAME",
        "the board's profile: a file, or the name of an installed one; auto goes by the device tree"
      ),
      .value("receiver", "DEVICE", "the receiver's device, whatever the board says"),
      .value("config", "DIR", "configuration; /etc/binnacle by default"),
      .value(
        "runtime", "DIR",
        "the directory of the socket; by default /run/binnacle for root, for others "
          + "$XDG_RUNTIME_DIR/binnacle, else /tmp/binnacle-UID"),
      .value(
        "state", "DIR",
        "the directory of stored records; by default /var/lib/binnacle for root, for others "
          + "$XDG_STATE_HOME/binnacle, else ~/.local/state/binnacle"),
      .value(
        "log-level", "LEVEL", among: LogLevel.allCases.map { "\($0)" },
        "error, warning, notice, info (default), debug"),
      .flag(
        "check",
        "validate profile and configuration, print the result, and end; touches no device"),
    ],
    closing: [
      "Exit status: 0 clean stop, 64 usage, 73 state or runtime directory unusable, 75 another daemon "
        + "has the runtime or the state directory, 77 not permitted, 78 bad profile.",
      "SIGHUP from a service manager (systemctl reload) makes the daemon read the manifests and [Location] of the profile again. "
        + "A file with a mistake changes nothing. All other settings need a restart.",
    ])
}
