import BinnacleModel
import BinnaclePosix

/// The folder of the stored state, for commands without `--state`.
extension Commands {
  /// The folder in which the daemon of this runtime directory keeps its state.
  ///
  /// - Parameters:
  ///   - program: the name that the daemon shows for this client.
  ///   - verb: the use of the folder, for the line about a folder that no daemon has reported.
  /// - Returns: the folder; without an answer of the daemon the default one of this user.
  /// - Throws: the error of a system call.
  func stateFolder(program: String, verb: String = "reading") throws(Errno) -> String {
    let status = try fetch(.status, program: program) { action in
      if case .status(let report) = action { report } else { nil }
    }
    return Commands.stateFolder(by: status, verb: verb)
  }

  /// The folder by an answer to the request for the report.
  static func stateFolder(
    by status: Result<Report, MissingAnswer>, verb: String = "reading"
  ) -> String {
    let usual = RuntimeDirectory.stateOfDaemon(option: nil, userID: Environment.userID)
    switch status {
    case .success(let report):
      if let directory = report[.stateDirectory] { return directory }
      complain("\(verb) \(usual): an older daemon does not report where it keeps its state")
    case .failure(let absence): complain("\(verb) \(usual): \(absence.reason)")
    }
    return usual
  }
}
