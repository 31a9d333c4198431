import BinnaclePosix
import Devices
import LocationEngine
import StateLog

/// Replaces the records of the log on a raw partition.
///
/// The records are one commit to the existing log, so a power cut leaves either the old records or the new ones. Data
/// on the partition that is not a log is not overwritten.
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
    let mark = StateMark.read(ofLogAt: device, file, owner: owner)
    let recovery = Recovery(
      of: &file, owner: owner, expecting: .ofFile, mark: mark, protecting: RecordTable.protecting)
    do throws(CommitFailure) {
      switch recovery.verdict {
      case .sound, .damaged:
        guard let log = StateLog(continuing: recovery, on: file) else { break }
        return try replace(log)
      case .blank, .refused(.unrecognized), .refused(.empty):
        guard try isVacant(&file) else { break }
        _ = try StateLog.create(
          on: file, owner: owner, geometry: .ofFile, holding: records,
          after: recovery.sequenceMax)
        return .success
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

  private func replace(_ log: StateLog<LogFile>) throws(CommitFailure) -> ExitStatus {
    var log = log
    let wanted = Set(records.entries.map(\.name))
    let removals = log.records.entries.map(\.name).filter { !wanted.contains($0) }
    _ = try log.commit(removals.map { Change($0, .remove) } + records.entries.map(\.change))
    return .success
  }
}
