import BinnacleBasics
import BinnaclePosix
import Devices
import LocationEngine
import StateLog

/// The state log on its disk: opens it, sets a damaged log aside, and creates a new log if there is none.
///
/// Each operation may wait for the disk.
struct StateStore: Sendable {
  /// The log of all records except tracks.
  static let stateName = "state.log"

  let directory: String
  /// The raw partition of the log; nil: the log is a file in the directory.
  let partition: String?
  /// The name of the file in the directory.
  let name: String
  let owner: UInt64
  let geometry: LogGeometry
  /// The directory, which the store claims before it opens the log; nil in a test without other programs.
  let claimed: StateDirectory?
  var log: StateLog<LogFile>?
  /// The commit mark; nil before there is a log, and for tracks.
  var mark: CommitMarkFile<LogFile>?
  /// The loss that is not stored yet; nil if there is none.
  ///
  /// The mark then stays unchanged, because the next start sees the loss by it, and each commit has the loss, too.
  var pendingLoss: StateReading?
  /// The reason why the mark could not be written; nil after a success.
  var markFault: BlockFault?
  /// The fault of the mark that was reported last.
  var reportedMarkFault: BlockFault?
  /// Makes the file of a new log.
  var makeFile: @Sendable (String, LogGeometry) throws(BlockFault) -> LogFile = {
    (path: String, geometry: LogGeometry) throws(BlockFault) -> LogFile in
    try LogFile.make(path, geometry: geometry)
  }

  init(
    directory: String, partition: String? = nil, owner: UInt64, geometry: LogGeometry = .ofFile,
    name: String = StateStore.stateName, claimed: StateDirectory? = nil
  ) {
    self.directory = directory
    self.partition = partition
    self.name = name
    self.owner = owner
    self.geometry = geometry
    self.claimed = claimed
  }

  /// The path of the log.
  var path: String { partition ?? directory + "/" + name }

  /// Reads the log, or creates one.
  mutating func open(at utc: UTCTime) -> StateReading {
    log = nil
    mark = nil
    var reading = StateReading(geometry: geometry)
    if partition == nil, let medium = StateMedium.warning(about: directory) {
      reading.notes.append(.init(.warning, medium))
    }
    closeToOthers(reading: &reading)
    do throws(StateObstacle) {
      try claim()
      log = try find(at: utc, reading: &reading)
    } catch {
      // An open mark keeps the partition open, and `binnacle state prepare` needs the partition.
      mark = nil
      reading.obstacle = error.fault
      if error.hidesState { reading.damage = error.fault.text }
      return reading
    }
    storeLoss(reading)
    if !isLossPending { renewMark() }
    if name == StateStore.stateName { takeOverSpeedFile(into: &reading) }
    reading.records = log?.records ?? RecordSet()
    return reading
  }

  /// Restricts the directory and the log to the daemon's user, whichever user has created them.
  private func closeToOthers(reading: inout StateReading) {
    for place in [directory] + (partition == nil ? [path] : []) {
      guard let status = try? Files.status(of: place, followingLinks: false),
        status.kind == .directory || status.kind == .file, status.mode & 0o077 != 0
      else { continue }
      do throws(SystemError) {
        // Shared directories, such as /tmp, and directories of other users stay unchanged.
        guard status.mode & 0o1000 == 0, status.userID == Environment.userID else {
          throw SystemError(.notPermitted, place)
        }
        try Files.restrictMode(place)
        reading.notes.append(.init(.warning, "\(place) was open to other users; it is closed now"))
      } catch {
        reading.notes.append(
          .init(.warning, "\(place) is open to other users and cannot be closed: \(error)"))
      }
    }
  }

  mutating func commit(
    _ changes: [Change], at now: Instant = Clock.now
  ) throws(CommitFailure) -> CommitReceipt {
    let isReplaced = try replaceRemovedLog()
    let written = withPendingLoss(changes)
    guard var receipt = try log?.commit(written) else {
      throw .closed("the log of state is not open")
    }
    acknowledge(&receipt, of: written, inNewLog: isReplaced, at: now)
    return receipt
  }

  /// Makes a new log with all records if the file was removed.
  ///
  /// The records are in memory. The next commit tries again after a failure.
  ///
  /// - Returns: whether the log is new.
  /// - Throws: the reason why no log can be made.
  private mutating func replaceRemovedLog() throws(CommitFailure) -> Bool {
    guard partition == nil, let removed = log, !removed.file.isNamed(path) else { return false }
    makeRoom()
    let records = recordsWithPendingLoss(removed.records)
    let new: StateLog<LogFile>
    do throws(CommitFailure) {
      new = try draft(holding: records, after: removed.sequenceMax)
    } catch {
      // The removed file takes its space as long as it is open, and nothing reads it any more.
      guard error == .fault(.noSpace), removed.file.releaseSpace() else { throw error }
      new = try draft(holding: records, after: removed.sequenceMax)
    }
    try install()
    log = new
    return true
  }

  // MARK: Finding and making

  private mutating func find(
    at utc: UTCTime, reading: inout StateReading
  ) throws(StateObstacle) -> StateLog<LogFile> {
    if let partition { return try findOnPartition(partition, at: utc, reading: &reading) }
    let mark = readMark()
    var file: LogFile
    do throws(Errno) {
      file = try LogFile(path: path)
    } catch {
      let odd = StateObstacle.oddity(error)
      if error == .noSuchFile, mark.mayBeNew { return try begin() }
      guard error == .noSuchFile || odd != nil else { throw StateObstacle(path, error) }
      let gone = lost(mark)
      reportLosses(of: gone, in: &reading)
      if let odd { return try replace("it is \(odd)", gone, at: utc, reading: &reading) }
      // The mark shows that there was a log.
      let loss =
        mark.mark == nil
        ? "\(path) is missing, and its mark is unreadable: every decision is lost"
        : "\(path) is missing: every decision before commit \(gone.sequenceMax + 1) is lost"
      reading.damage = loss
      reading.notes.append(.init(.error, loss))
      return try begin(holding: gone, reading)
    }
    var recovery = Recovery(
      of: &file, owner: owner, expecting: geometry, mark: mark, protecting: protecting)
    // A log gets its name when it is complete, so a file of zeros is no new log.
    if recovery.verdict == .blank { recovery = lost(mark) }
    reportLosses(of: recovery, in: &reading)
    switch recovery.verdict {
    case .blank:
      return try replace("it has nothing but zeros", recovery, at: utc, reading: &reading)
    case .refused(.newerFormat(let major)):
      throw StateObstacle(
        "\(path): a newer version wrote it (format \(major)); install that version again, or move "
          + "the file away and start again", isPassing: false, hidesState: true)
    case .refused(.unreadable(let fault)):
      throw StateObstacle("\(path): \(fault)", isPassing: true, hidesState: true)
    case .refused(.empty): return try replace("it is empty", recovery, at: utc, reading: &reading)
    case .refused(.foreign):
      return try replace("it is another board's", recovery, at: utc, reading: &reading)
    case .refused(.unrecognized):
      return try replace("it has no block of a log", recovery, at: utc, reading: &reading)
    case .sound, .damaged:
      let log = StateLog(continuing: recovery, on: file)
      if recovery.verdict == .sound, let log { return log }
      do throws(StateObstacle) {
        return try replace(
          StateStore.fault(of: recovery), recovery, at: utc, reading: &reading)
      } catch {
        // There is no space for another log: the remains of this log are better than none.
        guard let log else { throw error }
        reading.notes.append(
          .init(.warning, "\(error.fault.text); the damaged log stays in use"))
        reading.geometry = log.geometry
        return log
      }
    }
  }

  /// The recovery of a log that is not there any more.
  private func lost(_ mark: MarkReading) -> Recovery {
    Recovery(ofMissingLog: mark.mark, owner: owner, geometry: geometry, protecting: protecting)
  }

  /// The fault of a damaged log, in words.
  static func fault(of recovery: Recovery) -> String {
    if !recovery.isWhole { return "it is cut off" }
    return recovery.losses.allSatisfy(\.isPossible) ? "its end may be lost" : "it is damaged"
  }

  func reportLosses(of recovery: Recovery, in reading: inout StateReading) {
    reading.withheld = recovery.withheld
    if recovery.verdict == .sound { reading.geometry = recovery.geometry }
    if let fault = recovery.flushFault {
      reading.notes.append(.init(.warning, "\(path): it could not be flushed: \(fault)"))
    }
    if !recovery.losses.isEmpty {
      let losses = recovery.losses.map { "\($0)" }.joined(separator: ", ")
      reading.damage = "\(path): \(losses)"
    }
    // If nothing is left, the note about the damaged file reports so.
    for loss in recovery.verdict == .damaged ? recovery.losses : [] {
      reading.notes.append(.init(.error, "\(path): \(loss); \(loss.consequence)"))
    }
    for name in recovery.withheld {
      let kind = RecordTable.kind(name.kind)?.name ?? "type \(name.kind)"
      reading.notes.append(
        .init(.error, "\(path): a record (\(kind)) is not trusted, a later one of it may be lost"))
    }
  }

  /// Puts a new log at the path, where no file is.
  ///
  /// - Parameters:
  ///   - found: the recovery of the lost log; nil for the first log.
  ///   - reading: the reading with the loss.
  /// - Returns: the log.
  /// - Throws: the reason why no log can be made.
  private mutating func begin(
    holding found: Recovery? = nil, _ reading: StateReading = StateReading()
  ) throws(StateObstacle) -> StateLog<LogFile> {
    do throws(CommitFailure) {
      if found == nil { try prepareMark() }
      let log = try draft(
        holding: found.map { kept($0, reading) } ?? RecordSet(), after: found?.sequenceMax ?? 0)
      try install()
      return log
    } catch {
      let advice = error == .fault(.readOnly) ? readOnlyAdvice : ""
      throw StateObstacle(
        "\(path): no log can be made: \(error)\(advice)", isPassing: true,
        hidesState: found?.losses.isEmpty == false)
    }
  }

  /// Puts a log with these records at the path; the old file gets a name with the time.
  private mutating func replace(
    _ why: String, _ found: Recovery, at utc: UTCTime, reading: inout StateReading
  ) throws(StateObstacle) -> StateLog<LogFile> {
    do throws(CommitFailure) {
      // After a loss a missing mark stays missing until the loss is stored.
      if found.losses.isEmpty { try prepareMark() }
      let log = try draft(holding: kept(found, reading), after: found.sequenceMax)
      let name = asideName(at: utc)
      do throws(SystemError) {
        // The old file first gets a second name, then the new file replaces it in one step, so a log exists at each
        // moment. Directories, and some file systems, do not support second names.
        do throws(SystemError) {
          try Files.link(directory + "/" + name, of: path)
        } catch {
          try Files.rename(path, to: directory + "/" + name)
        }
      } catch {
        try? Files.remove(draftPath)
        throw .fault(LogFile.fault(error.errno))
      }
      try install()
      reading.notes.append(
        .init(
          .error, "\(path): \(why); it is kept as \(name), \(StateStore.remainder(found.records))"))
      removeOldest(reading: &reading)
      return log
    } catch {
      throw StateObstacle(
        "\(path): \(why), and no log can be made: \(error)", isPassing: true,
        hidesState: !found.losses.isEmpty)
    }
  }

  static func remainder(_ records: RecordSet) -> String {
    switch records.entries.count {
    case 0: "and everything it held is lost"
    case let count: "and \(CountText.words(count, "record was", "records were")) recovered from it"
    }
  }

  private var draftPath: String { path + ".new" }

  /// Creates a complete log under a temporary name.
  func draft(
    holding records: RecordSet, after sequence: UInt64
  ) throws(CommitFailure) -> StateLog<LogFile> {
    do throws(SystemError) {
      try Files.remove(draftPath)
    } catch {
      throw .fault(LogFile.fault(error.errno))
    }
    do throws(CommitFailure) {
      let file: LogFile
      do throws(BlockFault) {
        file = try makeFile(draftPath, geometry)
      } catch {
        throw CommitFailure.fault(error)
      }
      return try StateLog.create(
        on: file, owner: owner, geometry: geometry, holding: records, after: sequence)
    } catch {
      try? Files.remove(draftPath)
      throw error
    }
  }

  /// Renames the new log to its final name.
  func install() throws(CommitFailure) {
    do throws(SystemError) {
      try Files.rename(draftPath, to: path)
    } catch {
      try? Files.remove(draftPath)
      throw .fault(LogFile.fault(error.errno))
    }
  }

  // MARK: The speed file of older versions

  private mutating func takeOverSpeedFile(into reading: inout StateReading) {
    let old = directory + "/receiver-speed"
    guard Files.exists(old) else { return }
    let name = RecordName(kind: RecordTable.receiverSpeed.number)
    var note = StateReading.Note(.warning, "\(old): it has no speed of a receiver")
    do throws(SystemError) {
      if let speed = try StateStore.oldSpeed(old) {
        note = .init(.info, "\(old): not taken over, because the log has a newer speed")
        if log?.records[name] == nil {
          let value = ReceiverSpeedRecord(speed: speed).value
          guard (try? commit([Change(name, .put(value, isCautious: false))])) != nil else { return }
          note = .init(.info, "\(old): taken over")
        }
      }
    } catch {
      note = .init(.warning, error.description)
    }
    do throws(SystemError) {
      try Files.remove(old)
      note.text += "; it was removed"
    } catch {
      note = .init(.warning, "\(note.text); it cannot be removed: \(error.errno)")
    }
    reading.notes.append(note)
  }

  /// The speed in a file of an older version; nil if the file has no speed that a receiver may have.
  private static func oldSpeed(_ path: String) throws(SystemError) -> Int? {
    let bytes = try Files.read(path, sizeMax: 64)
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    guard let speed = Int(text), ReceiverSpeedRecord.speeds.contains(speed) else { return nil }
    return speed
  }
}
