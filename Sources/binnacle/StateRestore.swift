import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import Glibc
import LocationEngine
import StateLog

/// `binnacle state restore`: replaces the daemon's log while the daemon does not run.
struct StateRestore: Equatable {
  let path: String
  let kept: KeptRecords
  /// Whether a log of another board, or a damaged log, is accepted.
  let isForced: Bool

  /// Replaces the log in the named directory, else in the default one of this user.
  ///
  /// The command only prints the place that a daemon reports. The daemon's process chose this place, so root writes
  /// there only if an operator has read and repeated it.
  func run(_ commands: Commands) throws(Errno) -> ExitStatus {
    guard kept.stateDirectory == nil else { return replace() }
    let status = try commands.fetch(.status, program: "binnacle state restore") { action in
      if case .status(let report) = action { report } else { nil }
    }
    switch status {
    case .success(let report):
      return refuse("the daemon runs", at: report[.statePartition] ?? report[.stateDirectory])
    case .failure(let missing):
      if missing.isInterrupted { return .interrupted }
      guard missing.isAbsence else {
        return refuse("the daemon runs (\(missing.reason))", at: nil)
      }
      complain("replacing \(kept.directory): \(missing.reason)")
      return replace()
    }
  }

  /// Prints the commands that restore the backup after the daemon's end.
  ///
  /// - Parameters:
  ///   - reason: the sentence that the daemon runs.
  ///   - place: the daemon's directory or partition of state; nil if it is unknown.
  /// - Returns: the exit status.
  private func refuse(_ reason: String, at place: String?) -> ExitStatus {
    var words = ["binnacle", "state", "restore", AppID.shellWord(path)]
    if isForced { words.append("--force") }
    words += ["--state", place.map { AppID.shellWord($0) } ?? "DIR"]
    let hint = place == nil ? ", where DIR is the daemon's directory or partition of state" : ""
    complain("\(reason); \(StateRestore.stop); then: \(words.joined(separator: " "))\(hint)")
    return .temporaryFailure
  }

  private static let stop = "stop it first: sudo systemctl stop binnacled"

  private func replace() -> ExitStatus {
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
      // The command takes the rights of the directory's owner: with root's rights, links of the owner could redirect
      // writes.
      try EffectiveUser.enterAsOwner(directory)
      // A running daemon holds this lock.
      let lock = try FileLock(path: "lock")
      let status = try install(records)
      _ = consume lock
      return status
    } catch {
      switch error.errno {
      case .wouldBlock:
        complain("the daemon runs (\(error)); \(StateRestore.stop)")
        return .temporaryFailure
      case .accessDenied, .notPermitted:
        complain(StateRestore.text(of: error, in: directory))
        return .notPermitted
      default:
        complain(StateRestore.text(of: error, in: directory))
        return .cannotCreate
      }
    }
  }

  /// The sentence of an error, which names the directory once.
  private static func text(of error: SystemError, in directory: String) -> String {
    error.description.hasPrefix(directory) ? "\(error)" : "\(directory): \(error)"
  }

  /// The records of the backup, if the backup is acceptable.
  private func readable() -> Result<RecordSet, KeptRecords.Failure> {
    switch StateCheck(path: path).read() {
    case .failure(let failure): return .failure(failure)
    case .success(let recovery):
      let refuse = { (why: String) -> Result<RecordSet, KeptRecords.Failure> in
        complain("\(path): \(why); --force restores it anyway")
        return .failure(.init(status: .dataDamaged))
      }
      if recovery.owner != BoardNumber.read(), !isForced { return refuse("it is another board's") }
      if recovery.verdict != .sound, !isForced {
        return refuse("it is damaged, 'binnacle state check' says how")
      }
      if StateRestore.hasNoLegibleRecord(recovery), !isForced {
        return refuse("no record in it is legible")
      }
      return .success(StateRestore.marked(recovery))
    }
  }

  /// Whether the only copy of the records is damaged.
  ///
  /// A backup is saved as a whole. Without its copy of the records it reads like a new log whose first copy a power cut
  /// has interrupted.
  private static func hasNoLegibleRecord(_ recovery: Recovery) -> Bool {
    recovery.hasUnfinishedCompaction && recovery.records.isEmpty
  }

  /// The records, with a note about losses, if there are any: a restore must not undo a lost decision.
  private static func marked(_ recovery: Recovery) -> RecordSet {
    var records = recovery.records
    let text =
      hasNoLegibleRecord(recovery)
      ? "all records" : recovery.losses.map { "\($0)" }.joined(separator: ", ")
    if !text.isEmpty,
      let change = try? RecordTable.damage.change(to: [1] + Array("restored, \(text)".utf8))
    {
      records.apply(change)
    }
    return records
  }

  /// Installs a log with these records in the working directory, which is the daemon's state directory.
  private func install(_ records: RecordSet) throws(SystemError) -> ExitStatus {
    let place = "state.log"
    let draft = place + ".new"
    try Files.remove(draft)
    let geometry = LogGeometry.holding(records)
    let owner = BoardNumber.read()
    var mark = StateMark.open(in: ".", owner: owner, protecting: RecordTable.protecting)
    let marked = StateMark.inspect(&mark, at: StateMark.path(in: "."))
    let log: StateLog<LogFile>
    do throws(CommitFailure) {
      let file: LogFile
      do throws(BlockFault) {
        file = try LogFile.make(draft, geometry: geometry)
      } catch {
        throw CommitFailure.fault(error)
      }
      // Commit numbers continue, so that the log is not older than its mark.
      log = try StateLog.create(
        on: file, owner: owner, geometry: geometry, holding: records,
        after: marked.mark?.sequence ?? 0)
    } catch {
      complain("\(kept.directory)/\(draft): \(error)")
      try? Files.remove(draft)
      return .cannotCreate
    }
    let isFirst = (try? Files.status(of: place, followingLinks: false)) == nil
    // The mark is there before the first log. An old log without a mark keeps this fault until the
    // new log has replaced it.
    if isFirst, marked.mark == nil, !makeMark(sequence: 0, RecordSet(), owner: owner) {
      try Files.remove(draft)
      return .cannotCreate
    }
    if !isFirst {
      let aside = "\(place).replaced-\(Clock.utc.compactStamp)"
      // The old log first gets a second name, so that a log exists at each moment.
      do throws(SystemError) {
        try Files.link(aside, of: place)
      } catch {
        try Files.rename(place, to: aside)
      }
      complain("\(kept.path): the one before is kept as \(kept.directory)/\(aside)")
    }
    try Files.rename(draft, to: place)
    return makeMark(sequence: log.sequence, log.records, owner: owner) ? .success : .cannotCreate
  }

  /// Makes the mark of the restored log: without a mark the daemon reports a loss.
  private func makeMark(sequence: UInt64, _ records: RecordSet, owner: UInt64) -> Bool {
    let path = StateMark.path(in: ".")
    do throws(BlockFault) {
      _ = try StateMark.make(
        path, sequence: sequence, records: records, owner: owner,
        protecting: RecordTable.protecting)
      return true
    } catch {
      complain("\(kept.directory)/state.mark: \(error); without it the daemon reports a loss")
      return false
    }
  }
}
