import BinnacleModel
import BinnaclePosix

/// The folder of the stored tracks, for commands without `--state` that only read.
///
/// The log of state may be on a partition, which the daemon reports as `state.partition`; tracks are always in the
/// folder.
extension Commands {
  /// The folder in which the daemon of this runtime directory keeps its state.
  ///
  /// - Parameter program: the name that the daemon shows for this client.
  /// - Returns: the folder; without an answer of the daemon the default one of this user; nil if a signal came before the answer.
  /// - Throws: the error of a system call.
  func stateFolder(program: String) throws(Errno) -> String? {
    let status = try fetch(.status, program: program) { action in
      if case .status(let report) = action { report } else { nil }
    }
    if case .failure(let absence) = status, absence.isInterrupted { return nil }
    return Commands.stateFolder(by: status)
  }

  /// The folder by an answer to the request for the report.
  static func stateFolder(by status: Result<Report, MissingAnswer>) -> String {
    let usual = RuntimeDirectory.stateOfDaemon(option: nil, userID: Environment.userID)
    switch status {
    case .success(let report):
      if let directory = report[.stateDirectory] { return directory }
      complain("reading \(usual): an older daemon does not report where it keeps its state")
    case .failure(let absence): complain("reading \(usual): \(absence.reason)")
    }
    return usual
  }
}
