/// The log that state is kept in: what it has acknowledged is there after every power cut.
///
/// Commits are appended to one of two segments, each in blocks of its own, so that no block that holds something
/// acknowledged is ever written again. When the segment is full, or anything about its end is doubtful, everything is
/// copied to the other segment together with the changes of the commit. `Docs/DESIGN-state.md` says why,
/// `Docs/SPEC-state.md` has every byte.
public struct StateLog<File: BlockFile> {
  /// Where the log is.
  ///
  /// Nobody else writes it while the log is in use.
  public var file: File
  public let geometry: LogGeometry
  public let owner: UInt64
  /// What has been acknowledged and is there after a power cut.
  public private(set) var records: RecordSet
  /// The number of the last commit that was acknowledged; 0 when none was.
  public private(set) var sequence: UInt64 = 0
  /// Whether the next commit begins the other segment because this one's end is doubtful.
  public private(set) var mustMove: Bool

  /// Where the next commit goes; nil while there is no segment yet.
  private var place: (segment: Int, block: Int)?
  private var epochMax: UInt32
  /// Blocks of each segment that nothing can be made of: what unfinished commits have left.
  private var illegible: [[Int]]
  /// The highest number that a commit has had, acknowledged or not.
  public private(set) var sequenceMax: UInt64

  /// Goes on with a log that was read.
  ///
  /// - Returns: nil when it is blank or was refused, or when the file is too short to be written: then make a new one
  ///   with ``create(on:owner:geometry:holding:)`` that holds what was saved.
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

  /// Begins a log.
  ///
  /// - Parameters:
  ///   - file: bytes that are all zero, as many as the layout has or more; see ``prewrite(_:geometry:)``.
  ///   - owner: whose state it is.
  ///   - geometry: its layout.
  ///   - records: what it holds from the start, on the disk when this returns.
  ///   - sequence: the last number of a commit of the log before, so that the numbers go on.
  /// - Returns: the log.
  /// - Throws: why there is none; the place is as good as blank then.
  public static func create(
    on file: File, owner: UInt64, geometry: LogGeometry, holding records: RecordSet = RecordSet(),
    after sequence: UInt64 = 0
  ) throws(CommitFailure) -> StateLog {
    guard file.byteCount >= geometry.byteCount else { throw .fault(.noSpace) }
    guard records.encodedSize <= geometry.liveSizeMax else {
      throw .full(size: records.encodedSize, sizeMax: geometry.liveSizeMax)
    }
    var log = StateLog(blank: file, owner: owner, geometry: geometry)
    log.sequenceMax = sequence
    do throws(BlockFault) {
      // An empty copy of one block comes first, so that what a power cut leaves of it can be told from a file that
      // is no log at all.
      _ = try log.copy(RecordSet())
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

  /// Writes zeros over everything, so that no later write needs space or changes what the file system keeps.
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

  /// Which bytes of the file hold what is acknowledged: they are not written before the other segment has replaced
  /// them.
  public var acknowledgedBytes: Range<Int> {
    guard let place else { return 0..<0 }
    let start = place.segment * geometry.segmentSize
    return start..<start + place.block * geometry.blockSize
  }

  /// Writes changes and waits until they are on the disk: all of them or, when this throws, none.
  ///
  /// A change that changes nothing is not written; of several changes of one name only the last is. Without any change
  /// everything is written anew when the end of the log is doubtful: that shows whether the disk works again.
  public mutating func commit(_ changes: [Change]) throws(CommitFailure) -> CommitReceipt {
    let wanted = effective(changes)
    if wanted.isEmpty, !changes.isEmpty || !mustMove {
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

  /// Changes that make a difference, the last of each name.
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
    // Until the flush has returned nobody knows what is on the disk, so that nothing may follow it here.
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

  /// Begins the other segment with everything there is.
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

  /// Writes zeros over what unfinished commits have left in a segment: behind a new copy it would look like rot.
  ///
  /// That is flushed before the copy is written, because a power cut may leave the copy whole and the zeros unwritten.
  private mutating func clear(_ remains: [Int], at position: Int) throws(BlockFault) {
    if remains.isEmpty { return }
    let zeros = [UInt8](repeating: 0, count: geometry.blockSize)
    for block in remains { try file.write(zeros, at: (position + block) * geometry.blockSize) }
    try file.flush()
  }
}

extension StateLog: Sendable where File: Sendable {}
