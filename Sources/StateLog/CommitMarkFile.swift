public import BinnacleBasics

/// Reads and writes the mark of a log; see ``CommitMark``.
///
/// The number of the last commit is written without a flush, and not after each commit: see ``MarkSchedule``.
/// Protection records, and the numbers of commits with a person's decision, are flushed at once, because they are rare.
public struct CommitMarkFile<File: BlockFile> {
  /// The bytes of the mark, and of other data, if `offset` is not 0.
  public var file: File
  private let offset: Int
  private let owner: UInt64
  /// The types of the protection records.
  private let kinds: [UInt16]
  /// The content of the second page; nil when it is unknown.
  private var protecting: [Change]?
  private var schedule = MarkSchedule()
  /// The failure of the last write; nil after a success.
  public private(set) var fault: BlockFault?

  /// - Parameters:
  ///   - file: has ``CommitMark/byteCount`` bytes from the offset on.
  ///   - offset: the start of the mark.
  ///   - owner: the number of the board that the log belongs to.
  ///   - kinds: the types of the protection records; see ``CommitMark/Protection``.
  public init(on file: File, at offset: Int = 0, owner: UInt64, protecting kinds: [UInt16]) {
    self.file = file
    self.offset = offset
    self.owner = owner
    self.kinds = kinds
  }

  /// The next call time of ``deadlineReached(at:)``; nil when the mark has the last commit.
  public var nextDeadline: Instant? { schedule.nextDeadline }

  /// The content of the mark; nil when the mark is blank or cannot be read.
  public mutating func read() -> CommitMark? {
    guard let bytes = try? file.read(CommitMark.byteCount, at: offset) else { return nil }
    return CommitMark(bytes, owner: owner)
  }

  /// Writes and flushes both pages after a log was opened or created; does nothing if the mark is up to date.
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

  /// Updates the mark after a commit is on the disk.
  ///
  /// - Parameters:
  ///   - receipt: the cost of the commit; the cost of the mark is added.
  ///   - records: the records of the log after the commit.
  ///   - isNamedAtOnce: whether the number of the commit is written and flushed now.
  ///   - now: the time.
  public mutating func acknowledge(
    _ receipt: inout CommitReceipt, records: RecordSet, isNamedAtOnce: Bool = false, at now: Instant
  ) {
    guard let sequence = receipt.sequence else { return }
    let wanted = protection(in: records)
    let page =
      wanted == protecting
      ? nil : CommitMark.protection(wanted, sequence: sequence, owner: owner)
    guard page != nil else {
      schedule.committed(sequence, at: now)
      if isNamedAtOnce {
        receipt.bytesWritten += name(sequence, isFlushed: true)
        receipt.flushCount += 1
      } else if let due = schedule.nextDeadline, due <= now {
        receipt.bytesWritten += name(sequence)
      }
      return
    }
    attempt { (mark) throws(BlockFault) in
      try mark.protect(wanted, sequence: sequence)
      mark.schedule.written()
      receipt.flushCount += 1
      receipt.bytesWritten += CommitMark.pageSize
    }
  }

  /// Writes the number of the last commit if the deadline has passed.
  public mutating func deadlineReached(at now: Instant) {
    guard let due = schedule.nextDeadline, due <= now else { return }
    settle()
  }

  /// Writes the number of the last commit before the log is closed.
  public mutating func settle() {
    if let sequence = schedule.sequence { _ = name(sequence) }
  }

  /// Writes the number of a commit to the first page; returns the number of bytes written to the disk.
  private mutating func name(_ sequence: UInt64, isFlushed: Bool = false) -> Int {
    schedule.written()
    attempt { (mark) throws(BlockFault) in
      try mark.file.write(CommitMark.latest(sequence, owner: mark.owner), at: mark.offset)
      if isFlushed { try mark.file.flush() }
    }
    return fault == nil ? CommitMark.pageSize : 0
  }

  /// The protection records, in the order of their names.
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
