public import BinnacleBasics

/// Where the mark of a log is kept, and what it says; see ``CommitMark``.
///
/// The number of the last commit is written without a flush and not after each commit: see ``MarkSchedule``. What protects a
/// person is flushed at once; such decisions are rare.
public struct CommitMarkFile<File: BlockFile> {
  /// The bytes of the mark, and what it may be behind.
  public var file: File
  private let offset: Int
  private let owner: UInt64
  /// The types of the records that the second page holds.
  private let kinds: [UInt16]
  /// The content of the second page; nil when it is unknown.
  private var protecting: [Change]?
  private var schedule = MarkSchedule()
  /// Why the last write failed; nil when it succeeded.
  public private(set) var fault: BlockFault?

  /// - Parameters:
  ///   - file: has ``CommitMark/byteCount`` bytes from the offset on.
  ///   - offset: where the mark begins.
  ///   - owner: the number of the board that the log is of.
  ///   - kinds: the numbers of the types that protect a person; see ``CommitMark/Protection``.
  public init(on file: File, at offset: Int = 0, owner: UInt64, protecting kinds: [UInt16]) {
    self.file = file
    self.offset = offset
    self.owner = owner
    self.kinds = kinds
  }

  /// When ``deadlineReached(at:)`` is due; nil when the mark names the last commit.
  public var nextDeadline: Instant? { schedule.nextDeadline }

  /// The content of the mark; nil when the mark is blank or cannot be read.
  public mutating func read() -> CommitMark? {
    guard let bytes = try? file.read(CommitMark.byteCount, at: offset) else { return nil }
    return CommitMark(bytes, owner: owner)
  }

  /// Writes both pages and flushes them, for a log that was opened or begun; nothing when they say so already.
  public mutating func renew(sequence: UInt64, records: RecordSet) {
    let current = read()
    protecting = current?.protection?.records
    schedule.written()
    let wanted = protection(in: records)
    if current?.sequence == sequence, protecting == wanted { return }
    attempt { (mark) throws(BlockFault) in
      try mark.protect(wanted, sequence: sequence)
      try mark.file.write(CommitMark.latest(sequence, owner: mark.owner), at: mark.offset)
      try mark.file.flush()
    }
  }

  /// A commit is on the disk.
  ///
  /// - Parameters:
  ///   - receipt: what it cost; what the mark costs is added.
  ///   - records: what the log holds now.
  ///   - now: the time.
  public mutating func acknowledge(
    _ receipt: inout CommitReceipt, records: RecordSet, at now: Instant
  ) {
    guard let sequence = receipt.sequence else { return }
    let wanted = protection(in: records)
    let page =
      wanted == protecting
      ? nil : CommitMark.protection(wanted, sequence: sequence, owner: owner)
    guard page != nil else {
      schedule.committed(sequence, at: now)
      if let due = schedule.nextDeadline, due <= now { receipt.bytesWritten += name(sequence) }
      return
    }
    attempt { (mark) throws(BlockFault) in
      try mark.protect(wanted, sequence: sequence)
      mark.schedule.written()
      receipt.flushCount += 1
      receipt.bytesWritten += CommitMark.pageSize
    }
  }

  /// Writes the number of the last commit if that is due.
  public mutating func deadlineReached(at now: Instant) {
    guard let due = schedule.nextDeadline, due <= now else { return }
    settle()
  }

  /// Writes the number of the last commit: nothing more comes.
  public mutating func settle() {
    if let sequence = schedule.sequence { _ = name(sequence) }
  }

  /// Writes the number of a commit to the first page; the answer is what the disk is given for it, in bytes.
  private mutating func name(_ sequence: UInt64) -> Int {
    schedule.written()
    attempt { (mark) throws(BlockFault) in
      try mark.file.write(CommitMark.latest(sequence, owner: mark.owner), at: mark.offset)
    }
    return fault == nil ? CommitMark.pageSize : 0
  }

  /// The records that protect a person, by name.
  private func protection(in records: RecordSet) -> [Change] {
    records.entries.filter { kinds.contains($0.name.kind) }.map(\.change)
      .sorted { $0.name < $1.name }
  }

  private mutating func protect(
    _ records: [Change], sequence: UInt64
  ) throws(BlockFault) {
    guard let page = CommitMark.protection(records, sequence: sequence, owner: owner) else {
      return
    }
    protecting = nil
    try file.write(page, at: offset + CommitMark.pageSize)
    try file.flush()
    protecting = records
  }

  private mutating func attempt(
    _ write: (inout CommitMarkFile) throws(BlockFault) -> Void
  ) {
    do throws(BlockFault) {
      try write(&self)
      fault = nil
    } catch {
      fault = error
    }
  }
}

extension CommitMarkFile: Sendable where File: Sendable {}
