/// The log of the daemon's state: acknowledged commits survive every power cut.
///
/// Commits are appended to one of two segments. Each commit has its own blocks, so a block with acknowledged data is
/// never written again. When the segment is full, or its end is doubtful, all records and the changes of the commit are
/// copied to the other segment. `Docs/DESIGN-state.md` has the reasons, `Docs/SPEC-state.md` has every byte.
public struct StateLog<File: BlockFile> {
  /// The storage of the log.
  ///
  /// No other program may write it while the log is in use.
  public var file: File
  public let geometry: LogGeometry
  public let owner: UInt64
  /// The acknowledged records, which survive a power cut.
  public private(set) var records: RecordSet
  /// The number of the last acknowledged commit; 0 if there is none.
  public private(set) var sequence: UInt64 = 0
  /// Whether the next commit begins the other segment, because the end of this segment is doubtful.
  public private(set) var mustMove: Bool

  /// The segment and the block for the next commit; nil while there is no segment yet.
  private var place: (segment: Int, block: Int)?
  private var epochMax: UInt32
  /// Illegible blocks of each segment: the remains of unfinished commits.
  private var illegible: [[Int]]
  /// The highest commit number used, acknowledged or not.
  public private(set) var sequenceMax: UInt64

  /// Continues a recovered log.
  ///
  /// - Returns: nil if the log is blank or was refused, or if the file is too short to be written. In that case create
  ///   a new log with ``create(on:owner:geometry:holding:)`` that holds the recovered records.
  public init?(continuing recovery: Recovery, on file: File) {
    switch recovery.verdict {
    case .blank, .refused: return nil
    case .sound, .damaged: if !recovery.isWhole { return nil }
    }
    self.file = file
    geometry = recovery.geometry
    owner = recovery.owner
    records = recovery.records
    place = recovery.place
    epochMax = recovery.epochMax
    sequenceMax = recovery.sequenceMax
    sequence = recovery.lastCommit ?? 0
    mustMove = recovery.mustMove
    illegible = recovery.illegible
  }

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - file: zeros, at least as many as the layout needs; see ``prewrite(_:geometry:)``.
  ///   - owner: the number of the board that the state belongs to.
  ///   - geometry: the layout.
  ///   - records: the initial records, which are on the disk when this method returns.
  ///   - sequence: the last commit number of the previous log, so that numbers continue.
  /// - Returns: the log.
  /// - Throws: the disk's fault; the file then counts as blank, or as an empty log that is older than the previous log.
  public static func create(
    on file: File, owner: UInt64, geometry: LogGeometry, holding records: RecordSet = RecordSet(),
    after sequence: UInt64 = 0
  ) throws(CommitFailure) -> StateLog {
    guard file.byteCount >= geometry.byteCount else { throw .fault(.noSpace) }
    guard records.encodedSize <= geometry.liveSizeMax else {
      throw .full(size: records.encodedSize, sizeMax: geometry.liveSizeMax)
    }
    var log = StateLog(blank: file, owner: owner, geometry: geometry)
    // The number of an empty snapshot before records is 1. The mark of the previous log names a later commit, so a
    // power cut between the two snapshots does not hide the loss of the previous log.
    if records.isEmpty { log.sequenceMax = sequence }
    do throws(BlockFault) {
      // An empty snapshot of one block is written first, so that recovery can distinguish the remains of a power cut
      // from a file that is no log.
      _ = try log.copy(RecordSet())
      log.sequenceMax = max(log.sequenceMax, sequence)
      if !records.isEmpty { _ = try log.copy(records) }
    } catch {
      throw .fault(error)
    }
    return log
  }

  private init(blank file: File, owner: UInt64, geometry: LogGeometry) {
    self.file = file
    self.owner = owner
    self.geometry = geometry
    records = RecordSet()
    mustMove = false
    place = nil
    epochMax = 0
    sequenceMax = 0
    illegible = [[], []]
  }

  /// Fills the file with zeros, so that later writes need no space and change no metadata of the file system.
  public static func prewrite(_ file: inout File, geometry: LogGeometry) throws(BlockFault) {
    let piece = [UInt8](repeating: 0, count: min(65_536, geometry.segmentSize))
    var offset = 0
    while offset < geometry.byteCount {
      let size = min(piece.count, geometry.byteCount - offset)
      try file.write(Array(piece.prefix(size)), at: offset)
      offset += size
    }
    try file.flush()
  }

  /// The bytes of the file that hold acknowledged commits.
  ///
  /// These bytes are not written until the other segment has replaced them.
  public var acknowledgedBytes: Range<Int> {
    guard let place else { return 0..<0 }
    let start = place.segment * geometry.segmentSize
    return start..<start + place.block * geometry.blockSize
  }

  /// Writes changes and waits until they are on the disk: all changes, or none if this method throws.
  ///
  /// Changes without an effect are not written; of several changes of one name only the last is written. If the end of
  /// the log is doubtful, each call copies all records: a change that failed may be on the disk.
  public mutating func commit(_ changes: [Change]) throws(CommitFailure) -> CommitReceipt {
    let wanted = effective(changes)
    if wanted.isEmpty, !mustMove {
      return CommitReceipt(sequence: nil, bytesWritten: 0, flushCount: 0, isCompaction: false)
    }
    let size = wanted.reduce(0) { $0 + $1.encodedSize }
    guard size <= geometry.commitSizeMax else {
      throw .tooLarge(size: size, sizeMax: geometry.commitSizeMax)
    }
    let growth = wanted.reduce(0) { $0 + records.growth(by: $1) }
    let live = records.encodedSize + growth
    guard live <= geometry.liveSizeMax || growth <= 0 else {
      throw .full(size: live, sizeMax: geometry.liveSizeMax)
    }
    do throws(BlockFault) {
      return try write(wanted, size: size)
    } catch {
      throw .fault(error)
    }
  }

  /// The changes with an effect, at most one for each name.
  private func effective(_ changes: [Change]) -> [Change] {
    var seen: Set<RecordName> = []
    var last: [Change] = []
    for change in changes.reversed() where seen.insert(change.name).inserted {
      if !records.isUnchanged(by: change) { last.append(change) }
    }
    return last.reversed()
  }

  private mutating func write(_ changes: [Change], size: Int) throws(BlockFault) -> CommitReceipt {
    let blockCount = geometry.blockCount(ofPayload: size)
    if let place, !mustMove, place.block + blockCount <= geometry.blocksPerSegment {
      return try append(changes, to: place, blockCount: blockCount)
    }
    var next = records
    for change in changes { next.apply(change, sequence: sequenceMax) }
    return try copy(next)
  }

  private mutating func append(
    _ changes: [Change], to place: (segment: Int, block: Int), blockCount: Int
  ) throws(BlockFault) -> CommitReceipt {
    let sequence = sequenceMax + 1
    let position = place.segment * geometry.blocksPerSegment + place.block
    let encoder = CommitEncoder(geometry: geometry, owner: owner, epoch: epochMax)
    let bytes = encoder.blocks(of: changes, sequence: sequence, position: position)
    sequenceMax = sequence
    // Until the flush has returned, the state of the disk is unknown, so no commit may follow in this segment.
    mustMove = true
    try file.write(bytes, at: position * geometry.blockSize)
    try file.flush()
    mustMove = false
    self.place = (place.segment, place.block + blockCount)
    self.sequence = sequence
    for change in changes { records.apply(change, sequence: sequence) }
    return CommitReceipt(
      sequence: sequence, bytesWritten: bytes.count, flushCount: 1, isCompaction: false)
  }

  /// Copies all records to the other segment.
  private mutating func copy(_ next: RecordSet) throws(BlockFault) -> CommitReceipt {
    let segment = place.map { 1 - $0.segment } ?? 0
    let first = sequenceMax + 1
    let position = segment * geometry.blocksPerSegment
    epochMax += 1
    let encoder = CommitEncoder(geometry: geometry, owner: owner, epoch: epochMax)
    let snapshot = encoder.snapshot(of: next.entries, sequence: first, position: position)
    sequenceMax += UInt64(snapshot.commitCount)
    mustMove = true
    let blockCount = snapshot.bytes.count / geometry.blockSize
    let remains = illegible[segment].filter { $0 >= blockCount }
    try clear(remains, at: position)
    try file.write(snapshot.bytes, at: position * geometry.blockSize)
    try file.flush()
    mustMove = false
    illegible[segment] = []
    place = (segment, blockCount)
    sequence = sequenceMax
    records = next
    return CommitReceipt(
      sequence: sequenceMax,
      bytesWritten: snapshot.bytes.count + remains.count * geometry.blockSize,
      flushCount: remains.isEmpty ? 1 : 2, isCompaction: true)
  }

  /// Overwrites the remains of unfinished commits in a segment with zeros.
  ///
  /// After a new copy these remains would look like corruption. The zeros are flushed before the copy is written,
  /// because a power cut may keep the copy and lose the zeros.
  private mutating func clear(_ remains: [Int], at position: Int) throws(BlockFault) {
    if remains.isEmpty { return }
    let zeros = [UInt8](repeating: 0, count: geometry.blockSize)
    for block in remains { try file.write(zeros, at: (position + block) * geometry.blockSize) }
    try file.flush()
  }
}

extension StateLog: Sendable where File: Sendable {}
