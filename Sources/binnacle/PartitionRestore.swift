import BinnaclePosix
import Devices
import LocationEngine
import StateLog

/// Replaces the records of the log on a raw partition.
///
/// The records are one commit to the existing log, so a power cut leaves either the old records or the new ones. Data
/// on the partition that is not a log is not overwritten.
///
/// A partition without room for the mark has its mark in the daemon's state directory. The command
/// does not know that directory, and the mark stays older than the log.
struct PartitionRestore {
  let device: String
  let records: RecordSet

  func run() -> ExitStatus {
    var file: LogFile
    do throws(Errno) {
      file = try LogFile(path: device)
    } catch {
      if error == .busy {
        complain("\(device): it is in use; stop the daemon first: sudo systemctl stop binnacled")
        return .temporaryFailure
      }
      complain("\(device): \(error)")
      return error == .accessDenied || error == .notPermitted ? .notPermitted : .inputMissing
    }
    // A link in a directory that all users write to could lead to a file of any user.
    if file.isRegularFile {
      complain("\(device): it is not a partition such as /dev/mmcblk0p3")
      return .usage
    }
    let owner = BoardNumber.read()
    var mark =
      StateMark.hasRoom(file)
      ? StateMark.open(behind: file, in: "", owner: owner, protecting: RecordTable.protecting) : nil
    let recovery = Recovery(
      of: &file, owner: owner, expecting: .ofFile, mark: mark?.inspect() ?? .unused,
      protecting: RecordTable.protecting)
    do throws(CommitFailure) {
      switch recovery.verdict {
      case .sound, .damaged:
        guard let log = StateLog(continuing: recovery, on: file) else { break }
        return try name(in: &mark, replace(log))
      case .blank, .refused(.unrecognized), .refused(.empty):
        guard try isVacant(&file) else { break }
        // A power cut then leaves no log without a mark.
        if recovery.losses.isEmpty { mark?.renew(sequence: 0, records: RecordSet()) }
        let log = try StateLog.create(
          on: file, owner: owner, geometry: .ofFile, holding: records,
          after: recovery.sequenceMax)
        if mark == nil {
          complain(
            "\(device): it has no room for the mark of the log, so the daemon may report a loss, "
              + "until: binnacle state accept")
        }
        return try name(in: &mark, log)
      case .refused: break
      }
    } catch {
      var advice = ""
      if case .tooLarge = error {
        advice = "; restore it after: binnacle state prepare \(device) --force"
      }
      complain("\(device): \(error)\(advice)")
      return .cannotCreate
    }
    complain(
      "\(device): it has no log of this board to be replaced; first, which destroys what is on it: "
        + "binnacle state prepare \(device) --force")
    return .cannotCreate
  }

  private func isVacant(_ file: inout LogFile) throws(CommitFailure) -> Bool {
    do throws(BlockFault) {
      return try StatePartition.isVacant(&file, geometry: .ofFile)
    } catch {
      throw .fault(error)
    }
  }

  private func replace(_ log: StateLog<LogFile>) throws(CommitFailure) -> StateLog<LogFile> {
    var log = log
    let wanted = Set(records.entries.map(\.name))
    let removals = log.records.entries.map(\.name).filter { !wanted.contains($0) }
    _ = try log.commit(removals.map { Change($0, .remove) } + records.entries.map(\.change))
    return log
  }

  /// Writes the last commit of the log to its mark: without a mark the daemon reports a loss.
  private func name(
    in mark: inout CommitMarkFile<LogFile>?, _ log: StateLog<LogFile>
  ) throws(CommitFailure) -> ExitStatus {
    mark?.renew(sequence: log.sequence, records: log.records)
    if let fault = mark?.fault { throw .fault(fault) }
    return .success
  }
}
