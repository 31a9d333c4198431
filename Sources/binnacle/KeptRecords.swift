import BinnaclePosix
import Devices
import StateLog

/// The source of stored records: the daemon, or without a daemon its log.
struct KeptRecords: Equatable {
  /// `--state`; nil: the default state directory of this user.
  var stateDirectory: String?

  init(_ arguments: Arguments) {
    stateDirectory = arguments.value("state")
  }

  /// The command has failed, and the reason was printed.
  struct Failure: Error, Equatable {
    let status: ExitStatus
  }

  var directory: String {
    RuntimeDirectory.stateOfDaemon(option: stateDirectory, userID: Environment.userID)
  }

  /// The path of the log, for use without a daemon.
  var path: String {
    StatePartition.isNamed(by: directory) ? directory : directory + "/state.log"
  }

  func read(_ commands: Commands, program: String) throws(Errno) -> Result<RecordSet, Failure> {
    if let answer = try commands.keptRecords(program: program) { return answer }
    if stateDirectory == nil {
      let runtime = RuntimeDirectory.ofClient(option: commands.runtimeDirectory)
      complain("reading \(path): no daemon answers at \(RuntimeDirectory.socketPath(in: runtime))")
    }
    return readLog()
  }

  private func readLog() -> Result<RecordSet, Failure> {
    switch StateCheck(path: path).read() {
    case .failure(let failure): return .failure(failure)
    case .success(let recovery):
      if recovery.verdict != .sound {
        complain("\(path): it is damaged; 'binnacle state check' says what is lost")
      }
      return .success(recovery.records)
    }
  }
}
