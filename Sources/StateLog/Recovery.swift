/// The content of a log after a restart, and the known losses.
///
/// Recovery flushes the file once and then only reads. Without the flush, data that a killed program left in the page
/// cache would be read as if it were on the disk, and the next power cut would lose it.
public struct Recovery: Sendable {
  public enum Verdict: Equatable, Sendable {
    /// All zeros, or the remains of an interrupted creation: a new log may be created here.
    case blank
    /// All acknowledged commits are present.
    case sound
    /// Data is lost: ``Recovery/losses`` lists the losses, ``Recovery/records`` has the remaining records.
    case damaged
    /// The program cannot continue this log; the file stays unchanged.
    case refused(Refusal)
  }

  public enum Refusal: Equatable, Sendable {
    /// The file has no bytes.
    case empty
    /// A newer program wrote the log in a format with this number.
    case newerFormat(UInt8)
    /// The log belongs to another board.
    case foreign(owner: UInt64)
    /// No block of the file belongs to a log.
    case unrecognized
    /// The disk fails to read the file.
    case unreadable(BlockFault)
  }

  public internal(set) var verdict = Verdict.blank
  /// The acknowledged records that are present.
  public internal(set) var records = RecordSet()
  public internal(set) var losses: [Loss] = []
  /// Records that were dropped, because a later change of them may be among the losses.
  public internal(set) var withheld: [RecordName] = []
  /// Whether the log ends with the remains of a commit that was never acknowledged.
  public internal(set) var hasUnfinishedCommit = false
  /// Whether a power cut interrupted the copying to the other segment.
  public internal(set) var hasUnfinishedCompaction = false
  /// Whether the file has its full length; a shorter log can be read but not continued.
  public internal(set) var isWhole = true
  /// The number of the last present commit; nil if there is none.
  public internal(set) var lastCommit: UInt64?
  /// The failure of the flush at the start; nil if the flush succeeded.
  public internal(set) var flushFault: BlockFault?
  public let geometry: LogGeometry
  public let owner: UInt64

  /// The segment and the block at which the log continues; nil if no segment is valid.
  var place: (segment: Int, block: Int)?
  var epochMax: UInt32 = 0
  /// The highest known commit number.
  public internal(set) var sequenceMax: UInt64 = 0
  /// Illegible blocks of each segment, by their number in the segment.
  var illegible: [[Int]] = [[], []]
  /// Whether the next commit must begin the other segment, so that no commit follows doubtful bytes.
  var mustMove = false

  /// The types of the protection records.
  private let protecting: [UInt16]

  /// Reads a log that has neither a mark nor protection records.
  ///
  /// - Parameters:
  ///   - file: the storage of the log. Recovery flushes and reads the file and does not write to it.
  ///   - owner: the number of the expected board.
  ///   - expected: the layout of a new log; an existing log has its layout in its blocks.
  public init<File: BlockFile>(
    of file: inout File, owner: UInt64, expecting expected: LogGeometry
  ) {
    self.init(of: &file, owner: owner, expecting: expected, mark: .unused, protecting: [])
  }

  /// Reads a log with a mark.
  ///
  /// - Parameters:
  ///   - file: the storage of the log. Recovery flushes and reads the file and does not write to it.
  ///   - owner: the number of the expected board.
  ///   - expected: the layout of a new log; an existing log has its layout in its blocks.
  ///   - mark: the mark. A log with commits and without a readable mark counts as damaged at its
  ///     end, because no second place names its last commit.
  ///   - protecting: the types of the protection records; see ``CommitMark/Protection``.
  public init<File: BlockFile>(
    of file: inout File, owner: UInt64, expecting expected: LogGeometry, mark: MarkReading,
    protecting: [UInt16]
  ) {
    self.owner = owner
    self.protecting = protecting
    sequenceMax = mark.mark?.sequence ?? 0
    do throws(BlockFault) {
      try file.flush()
    } catch {
      flushFault = error
      mustMove = true
    }
    let found = Recovery.geometry(of: &file)
    geometry = found ?? expected
    isWhole = file.byteCount >= geometry.byteCount
    let geometry = geometry
    let segments = (0..<2).map { Segment($0, of: &file, geometry: geometry) }
    if let obstacle = obstacle(in: segments, of: &file) {
      verdict = obstacle
      switch obstacle {
      case .blank where mark.mayBeNew: break
      case .blank, .refused(.empty), .refused(.unrecognized):
        loseEverything(mark.mark)
      // The board's own mark shows that the log of the board was here. A log that was moved with its mark is not lost.
      case .refused(.foreign) where mark.mark != nil && !mark.mayBeNew: loseEverything(mark.mark)
      case .sound, .damaged, .refused: break
      }
      return
    }
    let scans = segments.map { SegmentScan($0, owner: owner) }
    illegible = scans.map(\.illegible)
    judge(scans, mark)
  }

  /// The recovery of a missing log: its records come from the mark alone, if there is one.
  public init(
    ofMissingLog mark: CommitMark?, owner: UInt64, geometry: LogGeometry, protecting: [UInt16]
  ) {
    self.owner = owner
    self.protecting = protecting
    self.geometry = geometry
    loseEverything(mark)
  }

  private mutating func loseEverything(_ mark: CommitMark?) {
    sequenceMax = mark?.sequence ?? 0
    losses = [Loss(after: nil, before: sequenceMax + 1)]
    recallProtection(from: mark)
  }

  /// The layout in the first valid header at the start of a segment.
  private static func geometry<File: BlockFile>(of file: inout File) -> LogGeometry? {
    // The second segment starts in the middle of a file with the full length.
    for offset in [0, file.byteCount / 2] {
      let size = BlockHeader.size
      guard offset + size <= file.byteCount, let bytes = try? file.read(size, at: offset),
        case .header(let header) = BlockHeader.reading(bytes[...]),
        header.position * header.geometry.blockSize == offset
      else { continue }
      return header.geometry
    }
    return nil
  }

  /// The verdict if there is nothing to recover; nil otherwise.
  private func obstacle<File: BlockFile>(
    in segments: [Segment], of file: inout File
  ) -> Verdict? {
    if file.byteCount == 0 { return .refused(.empty) }
    var other: UInt64?
    var isOurs = false
    var isBlank = true
    for segment in segments {
      for (index, reading) in segment.headers.enumerated() {
        if case .newer(let major) = reading { return .refused(.newerFormat(major)) }
        // Only the very first block is written before any commit is acknowledged, so it may be damaged in a blank log.
        let isFirst = segment.number == 0 && index == 0
        if reading != .blank, !segment.unreadable[index], !isFirst { isBlank = false }
        guard case .header(let header) = reading else { continue }
        if header.owner == owner { isOurs = true } else { other = header.owner }
      }
    }
    if isOurs { return nil }
    if let other { return .refused(.foreign(owner: other)) }
    if !isBlank || !isWhole { return .refused(.unrecognized) }
    do throws(BlockFault) {
      _ = try file.read(geometry.byteCount, at: 0)
      return .blank
    } catch {
      return .refused(.unreadable(error))
    }
  }

  /// Chooses between the two segments and reads their records.
  private mutating func judge(_ scans: [SegmentScan], _ reading: MarkReading) {
    let mark = reading.mark
    let newer = scans[1].epoch > scans[0].epoch ? 1 : 0
    let (new, old) = (scans[newer], scans[1 - newer])
    epochMax = new.epoch
    sequenceMax = max(new.sequenceMax, old.sequenceMax, mark?.sequence ?? 0)
    if new.isComplete {
      take(new)
      place = (newer, new.next)
      hasUnfinishedCommit = new.hasRemains
      findRot(behind: new, mark)
      mustMove = mustMove || new.hasParts || !losses.isEmpty
    } else if !new.wasComplete, old.isComplete || (old.epoch == 0 && new.epoch == 1) {
      // The copy was interrupted, so the older segment is valid. No commit of the rest was acknowledged.
      hasUnfinishedCompaction = true
      take(old)
      if old.epoch > 0 { place = (1 - newer, old.next) }
      hasUnfinishedCommit = old.hasRemains
      findRot(behind: old, mark)
      mustMove = true
    } else {
      // Each segment may hold records that the other has lost; records of the newer segment take precedence.
      take(old)
      take(new)
      if losses.isEmpty { losses.append(Loss(after: nil, before: sequenceMax + 1)) }
      place = (newer, new.next)
      mustMove = true
    }
    if let mark, mark.sequence > max(lastCommit ?? 0, (losses.map(\.before).max() ?? 1) - 1) {
      // An acknowledged commit is missing. A power cut cannot cause such a loss.
      losses.append(Loss(after: lastCommit, before: mark.sequence + 1))
      mustMove = true
    }
    if let fault = reading.fault {
      // The mark is created before the log and stays readable in a power cut.
      losses.append(Loss(possibleAfter: lastCommit, markFault: fault))
      mustMove = true
    }
    withholdDoubtful()
    if !losses.isEmpty { recallProtection(from: mark) }
    verdict = losses.isEmpty && isWhole ? .sound : .damaged
  }

  private mutating func take(_ scan: SegmentScan) {
    for commit in scan.commits {
      for change in commit.changes { records.apply(change, sequence: commit.header.sequence) }
    }
    if let last = scan.commits.last?.header.sequence { lastCommit = max(last, lastCommit ?? 0) }
    losses += scan.losses
  }

  /// Drops cautious records that a lost commit may have changed.
  private mutating func withholdDoubtful() {
    guard let doubtful = losses.map(\.before).max() else { return }
    let entries = records.entries.filter { $0.isCautious && $0.sequence < doubtful }
    for entry in entries {
      withheld.append(entry.name)
      records.apply(Change(entry.name, .remove), sequence: 0)
    }
  }

  /// Counts damage as a loss if an interrupted commit cannot be the cause.
  ///
  /// An interrupted commit leaves damage directly after the last commit, and the damage is not longer than one commit.
  /// Damage farther behind has another cause: more commits may have been there before it, unless the mark has the last
  /// present commit.
  private mutating func findRot(behind scan: SegmentScan, _ mark: CommitMark?) {
    guard scan.hasRotBeyondCommit, mark?.sequence != lastCommit else { return }
    let last = scan.commits.last?.header.sequence
    losses.append(Loss(after: last, before: (last ?? 0) + 2))
  }

  /// Takes protection records from the mark where the log may have lost their last change.
  private mutating func recallProtection(from mark: CommitMark?) {
    for kind in protecting {
      let name = RecordName(kind: kind)
      if mark?.protection == nil, records[name] == nil, !withheld.contains(name) {
        withheld.append(name)
      }
    }
    for change in mark?.protection?.records ?? []
    where withheld.contains(change.name) || records[change.name] == nil {
      withheld.removeAll { $0 == change.name }
      records.apply(change, sequence: lastCommit ?? 0)
    }
    guard mark?.protection != nil else { return }
    // The mark has all protection records: a record that is not in the mark was never written.
    withheld.removeAll { protecting.contains($0.kind) }
  }
}
