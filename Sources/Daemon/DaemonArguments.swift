public import BinnacleModel
public import BinnaclePosix

/// The parsed command line of `binnacled`.
public struct DaemonArguments: Equatable, Sendable {
  public enum Order: Equatable, Sendable {
    case run
    /// Validate the profile and the configuration, and open no device.
    case check
    case help
    case version
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
    let words = words.map { $0 == "-h" ? "--help" : $0 }
    let arguments = try Arguments(
      words,
      options: [
        .value("board"), .value("receiver"), .value("config"), .value("runtime"), .value("state"),
        .value("log-level"), .flag("check"), .flag("help"), .flag("version"),
      ])
    order =
      arguments.has("help")
      ? .help : arguments.has("version") ? .version : arguments.has("check") ? .check : .run
    board = try DaemonArguments.path("board", in: arguments)
    receiver = try DaemonArguments.path("receiver", in: arguments)
    configurationDirectory = try DaemonArguments.path("config", in: arguments)
    runtimeDirectory = try DaemonArguments.path("runtime", in: arguments)
    stateDirectory = try DaemonArguments.path("state", in: arguments)
    logLevel = try DaemonArguments.level(in: arguments)
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

  public static let help = """
    binnacled: give the programs of this board their location

      binnacled [options]
        --board FILE|NAME    the board's profile: a file, or the name of an installed one;
                             auto goes by the device tree
        --receiver DEVICE    the receiver's device, whatever the board says
        --config DIR         configuration (default /etc/binnacle)
        --runtime DIR        where the socket is (default: /run/binnacle for root, for others
                             $XDG_RUNTIME_DIR/binnacle, else /tmp/binnacle-UID)
        --state DIR          what is kept between runs (default: /var/lib/binnacle for root, for
                             others $XDG_STATE_HOME/binnacle, else ~/.local/state/binnacle)
        --log-level LEVEL    error, warning, notice, info (default), debug
        --check              validate profile and configuration, show what they come to, and end;
                             touches no device
        --help, --version

    Exit status: 0 clean stop, 64 usage, 73 state or runtime directory unusable,
    75 another daemon has the runtime or the state directory, 77 not permitted, 78 bad profile.
    """
}
