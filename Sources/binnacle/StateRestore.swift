import Basics
import Devices
import Glibc
import Posix
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
      let place = try Files.status(of: directory)
      // The daemon has it for as long as it runs.
      let lock = try FileLock(path: directory + "/lock")
      let status = try install(records, owner: place.userID, group: place.groupID)
      _ = consume lock
      return status
    } catch {
      switch error.errno {
      case .wouldBlock:
        complain("the daemon runs (\(error)); stop it first: sudo systemctl stop binnacled")
        return .temporaryFailure
      case .accessDenied, .notPermitted:
        complain("\(error)")
        return .notPermitted
      default:
        complain("\(error)")
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
      return .success(recovery.records)
    }
  }

  private func install(
    _ records: RecordSet, owner: UInt32, group: UInt32
  ) throws(SystemError) -> ExitStatus {
    let place = kept.path
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
      _ = try StateLog.create(
        on: file, owner: BoardNumber.read(), geometry: geometry, holding: records)
    } catch {
      complain("\(draft): \(error)")
      try? Files.remove(draft)
      return .cannotCreate
    }
    // The files are the daemon's user's, whoever restores them.
    try Files.give(draft, toUser: owner, group: group)
    try Files.give(kept.directory + "/lock", toUser: owner, group: group)
    if (try? Files.status(of: place, followingLinks: false)) != nil {
      let aside = "\(place).replaced-\(Clock.utc.compactStamp)"
      // A second name first, so that there is no moment without a log.
      do throws(SystemError) {
        try Files.addName(aside, of: place)
      } catch {
        try Files.rename(place, to: aside)
      }
      complain("\(place): the one before is kept as \(aside)")
    }
    try Files.rename(draft, to: place)
    return .success
  }
}
