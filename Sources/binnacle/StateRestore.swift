import BinnacleBasics
import BinnaclePosix
import Devices
import Glibc
import LocationEngine
import StateLog

/// `binnacle state restore`: puts a log in the place of the daemon's while the daemon does not run.
struct StateRestore: Equatable {
  let path: String
  let kept: KeptRecords
  /// Whether another board's, or what is left of a damaged one, will do.
  let isForced: Bool

  func run() -> ExitStatus {
    let directory = kept.directory
    let records: RecordSet
    switch readable() {
    case .failure(let failure): return failure.status
    case .success(let read): records = read
    }
    if StatePartition.isNamed(by: directory) {
      return PartitionRestore(device: directory, records: records).run()
    }
    do throws(SystemError) {
      // Root must not be led astray by what the directory's owner has put there, so the owner's rights do.
      try EffectiveUser.enterAsOwner(directory)
      // The daemon has it for as long as it runs.
      let lock = try FileLock(path: "lock")
      let status = try install(records)
      _ = consume lock
      return status
    } catch {
      switch error.errno {
      case .wouldBlock:
        complain("the daemon runs (\(error)); stop it first: sudo systemctl stop binnacled")
        return .temporaryFailure
      case .accessDenied, .notPermitted:
        complain("\(directory): \(error)")
        return .notPermitted
      default:
        complain("\(directory): \(error)")
        return .cannotCreate
      }
    }
  }

  /// The records of the backup, if it may be used.
  private func readable() -> Result<RecordSet, KeptRecords.Failure> {
    switch StateCheck(path: path).read() {
    case .failure(let failure): return .failure(failure)
    case .success(let recovery):
      let refuse = { (why: String) -> Result<RecordSet, KeptRecords.Failure> in
        complain("\(path): \(why); --force restores it all the same")
        return .failure(.init(status: .dataDamaged))
      }
      if recovery.owner != BoardNumber.read(), !isForced { return refuse("it is another board's") }
      if recovery.verdict != .sound, !isForced {
        return refuse("it is damaged, 'binnacle state check' says how")
      }
      return .success(StateRestore.marked(recovery))
    }
  }

  /// The records, with a word that some are lost where that is so: a restore must not undo a decision that is lost.
  private static func marked(_ recovery: Recovery) -> RecordSet {
    var records = recovery.records
    let text = recovery.losses.map { "\($0)" }.joined(separator: ", ")
    if !text.isEmpty,
      let change = try? RecordTable.damage.change(to: [1] + Array("restored, \(text)".utf8))
    {
      records.apply(change)
    }
    return records
  }

  /// Puts a log of these records into the working directory, which is the daemon's.
  private func install(_ records: RecordSet) throws(SystemError) -> ExitStatus {
    let place = "state.log"
    let draft = place + ".new"
    try Files.remove(draft)
    let geometry = LogGeometry.holding(records)
    do throws(CommitFailure) {
      let file: LogFile
      do throws(BlockFault) {
        file = try LogFile.make(draft, geometry: geometry)
      } catch {
        throw CommitFailure.fault(error)
      }
      let owner = BoardNumber.read()
      // The numbers of commits go on, so that the log is not behind its mark.
      var mark = StateMark.open(
        in: ".", owner: owner, protecting: RecordTable.protecting)
      _ = try StateLog.create(
        on: file, owner: owner, geometry: geometry, holding: records,
        after: mark?.read()?.sequence ?? 0)
    } catch {
      complain("\(kept.directory)/\(draft): \(error)")
      try? Files.remove(draft)
      return .cannotCreate
    }
    if (try? Files.status(of: place, followingLinks: false)) != nil {
      let aside = "\(place).replaced-\(Clock.utc.compactStamp)"
      // A second name first, so that there is no moment without a log.
      do throws(SystemError) {
        try Files.link(aside, of: place)
      } catch {
        try Files.rename(place, to: aside)
      }
      complain("\(kept.path): the one before is kept as \(kept.directory)/\(aside)")
    }
    try Files.rename(draft, to: place)
    return .success
  }
}
