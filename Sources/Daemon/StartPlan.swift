import Basics
import Board
import Glibc
import LocationEngine
import Model
import Posix

/// What the arguments, the environment and the board's profile come to.
public struct StartPlan {
  public let settings: Settings
  /// What `--check` says when all is well.
  public let summary: String

  /// Reads the profile and the configuration; touches no device.
  public init(_ arguments: DaemonArguments) throws(StartFailure) {
    let userID = Environment.userID
    let runtime = RuntimeDirectory.ofDaemon(option: arguments.runtimeDirectory, userID: userID)
    let state = RuntimeDirectory.stateOfDaemon(option: arguments.stateDirectory, userID: userID)
    guard let receiver = arguments.receiver else {
      throw StartFailure(
        .usage, "no receiver: --receiver DEVICE or --board FILE|NAME says where it is")
    }
    var settings = Settings(
      receiverPath: receiver, runtimeDirectory: runtime, stateDirectory: state,
      notifier: ServiceNotifier(), engine: Configuration(daemonUserID: userID),
      seed: StartPlan.seed())
    settings.isForEveryUser = userID == 0 || runtime == RuntimeDirectory.ofSystem
    settings.logLevel = arguments.logLevel
    settings.isJournal = StartPlan.isJournal
    self.settings = settings
    summary = "receiver at \(receiver)"
  }

  /// Whether the journal reads standard error: `JOURNAL_STREAM` names its device and inode (systemd.exec(5)).
  public static var isJournal: Bool {
    guard let stream = Environment.value("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  private static func seed() -> UInt64 {
    var random = SystemRandomNumberGenerator()
    return random.next()
  }
}
