public import BinnacleBasics

/// Reads and writes the mark of a log; see ``CommitMark``.
///
/// The number of the last commit is written to the first page without a flush, and not after each
/// commit: see ``MarkSchedule``. Protection records, and the numbers of commits with a person's
/// decision, are rare. Both pages get the number, and each page is flushed before the next page.
///
/// At most one page is not flushed at any time. A power cut therefore leaves at least one page
/// readable, and a mark without a readable page was damaged.
public struct CommitMarkFile<File: BlockFile> {
  /// The bytes of the mark, and of other data, if `offset` is not 0.
  public var file: File
  private let offset: Int
  private let owner: UInt64
  /// The types of the protection records.
  private let kinds: [UInt16]
  /// The content of the second page; nil when it is unknown.
  private var protecting: [Change]?
  /// Whether both pages are on the disk.
  private var isFlushed = false
  private var schedule = MarkSchedule()
  /// The failure of the last write; nil after a success.
  ///
  /// A failure of the second page stays until that page is written.
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

  /// Reads the mark.
  public mutating func inspect() -> MarkReading {
    // A page that the disk cannot read is like a damaged page; the other page may be readable.
    let size = CommitMark.pageSize
    let first = try? file.read(size, at: offset)
    let second = try? file.read(size, at: offset + size)
    let damaged = [UInt8](repeating: 0xFF, count: size)
    if let mark = CommitMark((first ?? damaged) + (second ?? damaged), owner: owner) {
      return .readable(mark)
    }
    guard let first, second != nil else { return .unreadable }
    return first.allSatisfy { $0 == 0 } ? .missing : .unreadable
  }

  /// The content of the mark; nil when the mark is blank or cannot be read.
  public mutating func read() -> CommitMark? { inspect().mark }

  /// Writes and flushes both pages after a log was opened or created, unless they are up to date.
  ///
  /// - Parameters:
  ///   - sequence: the last commit; 0 before a log is created.
  ///   - records: the records of the log.
  public mutating func renew(sequence: UInt64, records: RecordSet) {
    schedule.written()
    let wanted = protection(in: records)
    attempt { (mark) throws(BlockFault) in
      // A killed program may have left an unflushed page behind.
      mark.isFlushed = false
      mark.protecting = nil
      try mark.flush()
      let current = mark.read()
      mark.protecting = current?.protection?.records
      let isNamed = current?.latest == sequence && current?.protection?.sequence == sequence
      if !isNamed || mark.protecting != wanted { try mark.name(sequence, protecting: wanted) }
    }
  }

  /// Updates the mark after a commit is on the disk.
  ///
  /// - Parameters:
  ///   - receipt: the cost of the commit; the cost of the mark is added.
  ///   - records: the records of the log after the commit.
  ///   - isNamedAtOnce: whether both pages name the commit now.
  ///   - now: the time.
  public mutating func acknowledge(
    _ receipt: inout CommitReceipt, records: RecordSet, isNamedAtOnce: Bool = false, at now: Instant
  ) {
    guard let sequence = receipt.sequence else { return }
    let wanted = protection(in: records)
    schedule.committed(sequence, at: now)
    if isNamedAtOnce || wanted != protecting {
      let flushCount = isFlushed ? 2 : 3
      attempt { (mark) throws(BlockFault) in
        try mark.name(sequence, protecting: wanted)
        mark.schedule.written()
      }
      guard fault == nil else { return }
      receipt.flushCount += flushCount
      receipt.bytesWritten += CommitMark.byteCount
    } else if let due = schedule.nextDeadline, due <= now {
      receipt.bytesWritten += writeLatest(sequence)
    }
  }

  /// Writes the number of the last commit if the deadline has passed.
  public mutating func deadlineReached(at now: Instant) {
    guard let due = schedule.nextDeadline, due <= now else { return }
    settle()
  }

  /// Writes the number of the last commit before the log is closed.
  public mutating func settle() {
    if let sequence = schedule.sequence { _ = writeLatest(sequence) }
  }

  /// Writes the number of a commit to the first page; returns the number of bytes written to the disk.
  private mutating func writeLatest(_ sequence: UInt64) -> Int {
    schedule.written()
    let faultBefore = fault
    attempt { (mark) throws(BlockFault) in
      mark.isFlushed = false
      try mark.file.write(CommitMark.latest(sequence, owner: mark.owner), at: mark.offset)
    }
    if fault != nil { return 0 }
    // The next commit writes the unknown second page.
    if protecting == nil { fault = faultBefore }
    return CommitMark.pageSize
  }

  /// Writes the number of a commit and the protection records, one page after the other.
  private mutating func name(
    _ sequence: UInt64, protecting records: [Change]
  ) throws(BlockFault) {
    if !isFlushed { try flush() }
    isFlushed = false
    if let page = CommitMark.protection(records, sequence: sequence, owner: owner) {
      protecting = nil
      try file.write(page, at: offset + CommitMark.pageSize)
      try file.flush()
      protecting = records
    }
    try file.write(CommitMark.latest(sequence, owner: owner), at: offset)
    try flush()
  }

  private mutating func flush() throws(BlockFault) {
    try file.flush()
    isFlushed = true
  }

  /// The protection records, in the order of their names.
  private func protection(in records: RecordSet) -> [Change] {
    records.entries.filter { kinds.contains($0.name.kind) }.map(\.change)
      .sorted { $0.name < $1.name }
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
