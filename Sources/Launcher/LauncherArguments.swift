public import BinnaclePosix
public import Verbs

/// The parsed command line of `binnacle-launch`.
public struct LauncherArguments: Equatable, Sendable {
  public enum Order: Equatable, Sendable {
    case run
    case help
    case version
    case completion(Shell)
  }

  public let order: Order
  /// `--runtime`; nil selects the default directory.
  public let runtimeDirectory: String?

  /// Reads the arguments after the program's name.
  public init(_ words: [String]) throws(Arguments.UsageError) {
    let arguments = try LauncherArguments.table.arguments(words)
    runtimeDirectory = arguments.value("runtime")
    if let runtimeDirectory, runtimeDirectory.isEmpty {
      throw .init("option '--runtime' needs a value")
    }
    if arguments.has("help") {
      order = .help
    } else if arguments.has("version") {
      order = .version
    } else {
      order = try LauncherArguments.table.shell(in: arguments).map { .completion($0) } ?? .run
    }
  }

  /// The options, their help and their completion.
  public static let table = OptionTable(
    program: "binnacle-launch", summary: "tell the daemon which program a process runs",
    options: [
      .value(
        "runtime", "DIR",
        "the directory of the daemon's socket; by default /run/binnacle for root, for others "
          + "$XDG_RUNTIME_DIR/binnacle, else /tmp/binnacle-UID")
    ],
    closing: [
      "The daemon asks through DIR/launch.sock; processes of other users are refused. The launcher needs the capability "
        + "CAP_SYS_PTRACE for the programs of other users, and uses no other.",
      "Exit status: 0 after SIGTERM or SIGINT, 64 usage, 73 the socket cannot be made, 75 another launcher listens there.",
    ])
}
