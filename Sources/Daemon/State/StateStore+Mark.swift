import BinnacleBasics
import BinnaclePosix
import Devices
import LocationEngine
import StateLog

/// The mark of the log of state, and the records that keep location services off after a loss.
///
/// A log without a readable mark counts as damaged at its end. The mark is therefore made before
/// the first log gets its name, and is made again when its file was removed.
extension StateStore {
  var nextDeadline: Instant? { mark?.nextDeadline }

  mutating func deadlineReached(at now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    mark?.deadlineReached(at: now)
    noteMarkFault()
  }

  /// Writes deferred data; no order follows.
  mutating func close() {
    if let log, !isLossPending, !isMarkInPlace, partition != nil || log.file.isNamed(path) {
      renewMark()
    }
    mark?.settle()
    noteMarkFault()
  }

  /// Notes the result of the last write to the open mark.
  ///
  /// A mark that was removed takes writes, too, and the next start does not see them.
  private mutating func noteMarkFault() {
    if isMarkInPlace { markFault = mark?.fault }
  }

  /// The news that the mark cannot be written, or was written again; empty if neither has changed.
  mutating func takeNews() -> [Event] {
    guard markFault != reportedMarkFault else { return [] }
    reportedMarkFault = markFault
    let place = markPlace
    let text = markFault.map { fault in
      "\(place): the mark of the log cannot be written (\(fault)), so the next start may report a loss"
    }
    return [.storage(.markChanged(fault: text))]
  }

  /// Whether the log has a mark; tracks contain no revocations and need none.
  private var isMarked: Bool { name == StateStore.stateName }

  /// The types of the protection records.
  var protecting: [UInt16] { isMarked ? RecordTable.protecting : [] }

  /// The path of the mark's file.
  private var markPath: String {
    StateMark.path(in: directory, isOfPartition: partition != nil)
  }

  /// The file or the partition of the mark.
  private var markPlace: String {
    if let partition, let log, StateMark.hasRoom(log.file) { return partition }
    return markPath
  }

  /// The mark of the log; nil when there is none yet.
  private func openMark(behind log: LogFile?) -> CommitMarkFile<LogFile>? {
    StateMark.open(behind: log, in: directory, owner: owner, protecting: protecting)
  }

  /// Reads the mark.
  ///
  /// - Parameter log: the log, if it is on a partition: the mark is located after it.
  /// - Returns: the content of the mark, or its fault.
  mutating func readMark(behind log: LogFile? = nil) -> MarkReading {
    guard isMarked else { return .unused }
    let place = markPath
    mark = openMark(behind: log)
    return StateMark.inspect(&mark, at: place)
  }

  /// Whether the open mark is on the partition, or has its name.
  private var isMarkInPlace: Bool {
    guard let mark, let log else { return false }
    if partition != nil, StateMark.hasRoom(log.file) { return true }
    return mark.file.isNamed(markPath)
  }

  // MARK: Writing

  /// Makes a mark that names no commit, unless there is a mark.
  ///
  /// The first log gets its name after its mark, so that a power cut leaves no log without a mark.
  ///
  /// - Parameter log: the place of the log, if it is on a partition.
  /// - Throws: the reason why no mark can be made.
  mutating func prepareMark(behind log: LogFile? = nil) throws(CommitFailure) {
    guard isMarked, readMark(behind: log).mark == nil else { return }
    do throws(BlockFault) {
      if let log, StateMark.hasRoom(log) {
        mark?.renew(sequence: 0, records: RecordSet())
        if let fault = mark?.fault { throw fault }
      } else {
        mark = try makeMark(sequence: 0, records: RecordSet())
      }
    } catch {
      throw .fault(error)
    }
  }

  /// Makes the file of the mark in place of another file.
  private func makeMark(
    sequence: UInt64, records: RecordSet
  ) throws(BlockFault) -> CommitMarkFile<LogFile> {
    let place = markPath
    if (try? Files.status(of: place, followingLinks: false))?.kind == .directory {
      try? Files.rename(place, to: "\(place).damaged-\(Clock.utc.compactStamp)")
    }
    return try StateMark.make(
      place, sequence: sequence, records: records, owner: owner, protecting: protecting)
  }

  /// Updates the mark after the log was opened or created.
  mutating func renewMark() {
    guard isMarked, let log else { return }
    do throws(BlockFault) {
      if !isMarkInPlace { mark = openMark(behind: partition == nil ? nil : log.file) }
      if mark == nil { mark = try makeMark(sequence: log.sequence, records: log.records) }
      mark?.renew(sequence: log.sequence, records: log.records)
      markFault = mark?.fault
    } catch {
      markFault = error
    }
  }

  /// Updates the mark after a commit is on the disk.
  ///
  /// A fault of the mark undoes no commit; ``takeNews()`` reports it.
  ///
  /// - Parameters:
  ///   - receipt: the cost of the commit; the cost of the mark is added.
  ///   - changes: the changes of the commit.
  ///   - isNew: whether the log was made with this commit.
  ///   - now: the time.
  mutating func acknowledge(
    _ receipt: inout CommitReceipt, of changes: [Change], inNewLog isNew: Bool, at now: Instant
  ) {
    guard isMarked, let log else { return }
    if let loss = pendingLoss {
      let isStored =
        carefulChanges(after: loss).isEmpty
        || changes.contains { $0.name.kind == RecordTable.damage.number }
      if isStored { pendingLoss = nil }
    }
    if isLossPending { return }
    if isNew || !isMarkInPlace { return renewMark() }
    mark?.acknowledge(
      &receipt, records: log.records, isNamedAtOnce: RecordTable.areNamedAtOnce(changes), at: now)
    markFault = mark?.fault
  }

  // MARK: Losses

  /// The records of a new log, and after a loss those that keep location services off.
  ///
  /// The engine stores the loss, too. A power cut before that must not hide the loss.
  func kept(_ found: Recovery, _ reading: StateReading) -> RecordSet {
    guard isMarked else { return found.records }
    var reading = reading
    reading.records = found.records
    var records = found.records
    for change in reading.carefulChanges { records.apply(change) }
    return records.encodedSize <= geometry.liveSizeMax ? records : found.records
  }

  /// Stores a loss in the log before the mark is renewed, which may be the only trace of the loss.
  mutating func storeLoss(_ found: StateReading) {
    pendingLoss = nil
    guard isMarked else { return }
    let changes = carefulChanges(after: found)
    if changes.isEmpty { return }
    if (try? log?.commit(changes)) == nil { pendingLoss = found }
  }

  var isLossPending: Bool { pendingLoss != nil }

  /// The changes that store a loss in the log; empty if the log has them.
  private func carefulChanges(after loss: StateReading) -> [Change] {
    guard let log else { return [] }
    var reading = loss
    reading.records = log.records
    return reading.carefulChanges
  }

  /// The changes of a commit, after those that store a pending loss.
  ///
  /// A commit without the loss is newer than the mark, and the next start then does not see the loss.
  func withPendingLoss(_ changes: [Change]) -> [Change] {
    guard let pendingLoss else { return changes }
    return carefulChanges(after: pendingLoss) + changes
  }

  /// Records of a new log with a pending loss, if there is space for it.
  func recordsWithPendingLoss(_ records: RecordSet) -> RecordSet {
    var all = records
    for change in withPendingLoss([]) { all.apply(change) }
    return all.encodedSize <= geometry.liveSizeMax ? all : records
  }
}
