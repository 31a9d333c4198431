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
  /// `--config`: the directory that contains `apps.d`.
  public let configurationDirectory: String

  /// Reads the arguments after the program's name.
  public init(_ words: [String]) throws(Arguments.UsageError) {
    let arguments = try LauncherArguments.table.arguments(words)
    runtimeDirectory = arguments.value("runtime")
    if let runtimeDirectory, runtimeDirectory.isEmpty {
      throw .init("option '--runtime' needs a value")
    }
    configurationDirectory = arguments.value("config") ?? "/etc/binnacle"
    if configurationDirectory.isEmpty { throw .init("option '--config' needs a value") }
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
    program: "binnacle-launch",
    summary: "start, suspend, end and identify apps for the daemon",
    options: [
      .value(
        "runtime", "DIR",
        "the directory of the daemon's socket; by default /run/binnacle for root, for others "
          + "$XDG_RUNTIME_DIR/binnacle, else /tmp/binnacle-UID"),
      .value("config", "DIR", "the directory that contains apps.d; by default /etc/binnacle"),
    ],
    closing: [
      "The daemon orders through DIR/launch.sock; processes of other users are refused. An order names an app; the launcher reads "
        + "the app's manifest itself, and refuses a manifest that other users than root can change. Without the capabilities "
        + "CAP_SETUID and CAP_SETGID it starts only apps of its own user, whose files are trusted then, too. CAP_KILL ends apps of "
        + "other users, and CAP_SYS_PTRACE shows the programs of other users. It uses no other capability.",
      "Apps are frozen and killed by control groups (cgroup v2) below the launcher's own group, if it can write there, else by "
        + "signals to their sessions. Apps run on when the launcher ends; none stays frozen. DIR/launched has a record and the output "
        + "pipe of each app that runs.",
      "Exit status: 0 after SIGTERM, SIGINT or SIGHUP, 64 usage, 73 the socket or the folder cannot be made, 75 another launcher listens there.",
    ])
}
