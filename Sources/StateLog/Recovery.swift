/// What a log holds after whatever happened to it, and what is known to be missing.
///
/// Reading is all that it does, after one flush: what a killed program left in the page cache would be read as if it were
/// on the disk, and be gone after the next power cut.
public struct Recovery: Sendable {
  public enum Verdict: Equatable, Sendable {
    /// Nothing but zeros, or the remains of an attempt to begin: a log may be made here.
    case blank
    /// Everything that was acknowledged is there.
    case sound
    /// Something is lost; ``Recovery/losses`` says what, ``Recovery/records`` is what could be saved.
    case damaged
    /// This is nothing that this program may go on with; it is left as it is.
    case refused(Refusal)
  }

  public enum Refusal: Equatable, Sendable {
    /// There is not even one byte.
    case empty
    /// A newer program wrote it, in a format with this number.
    case newerFormat(UInt8)
    /// It is of another board.
    case foreign(owner: UInt64)
    /// No block of it is one of a log.
    case unrecognized
    /// The disk does not let it be read.
    case unreadable(BlockFault)
  }

  public internal(set) var verdict = Verdict.blank
  /// What is promised and there.
  public internal(set) var records = RecordSet()
  public internal(set) var losses: [Loss] = []
  /// Records that were forgotten because a later change of them may be among the losses.
  public internal(set) var withheld: [RecordName] = []
  /// Whether the end of the log is the remains of a commit that nobody was told of.
  public internal(set) var hasUnfinishedCommit = false
  /// Whether copying into the other segment was under way.
  public internal(set) var hasUnfinishedCompaction = false
  /// Whether the file is as long as it must be; when it is not, it can be read but not be gone on with.
  public internal(set) var isWhole = true
  /// The number of the last commit that is there; nil when none is.
  public internal(set) var lastCommit: UInt64?
  /// What the flush at the start answered, when it failed.
  public internal(set) var flushFault: BlockFault?
  public let geometry: LogGeometry
  public let owner: UInt64

  /// Where the log goes on: a segment and the block in it; nil when no segment is whole.
  var place: (segment: Int, block: Int)?
  var epochMax: UInt32 = 0
  /// The highest number of a commit that is known of.
  public internal(set) var sequenceMax: UInt64 = 0
  /// Blocks of each segment that nothing can be made of, by their number in it.
  var illegible: [[Int]] = [[], []]
  /// Whether the next commit must begin the other segment, so that nothing is ever written behind doubtful bytes.
  var mustMove = false

  /// The types of the records that protect a person.
  private let protecting: [UInt16]

  /// Reads a log without a mark that holds no record that protects a person.
  ///
  /// - Parameters:
  ///   - file: the place of the log. It is flushed and read, not written.
  ///   - owner: the number of the board that the log must be of.
  ///   - expected: the layout of a new log; that of an old one stands in its blocks.
  public init<File: BlockFile>(
    of file: inout File, owner: UInt64, expecting expected: LogGeometry
  ) {
    self.init(of: &file, owner: owner, expecting: expected, mark: nil, protecting: [])
  }

  /// Reads a log that has a mark.
  ///
  /// - Parameters:
  ///   - file: the place of the log. It is flushed and read, not written.
  ///   - owner: the number of the board that the log must be of.
  ///   - expected: the layout of a new log; that of an old one stands in its blocks.
  ///   - mark: the content of the second place; nil when there is none, or it cannot be read.
  ///   - protecting: the numbers of the types that protect a person; see ``CommitMark/Protection``.
  public init<File: BlockFile>(
    of file: inout File, owner: UInt64, expecting expected: LogGeometry, mark: CommitMark?,
    protecting: [UInt16]
  ) {
    self.owner = owner
    self.protecting = protecting
    sequenceMax = mark?.sequence ?? 0
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
      case .blank where mark == nil: break
      case .blank, .refused(.empty), .refused(.unrecognized):
        loseEverything(mark)
      case .sound, .damaged, .refused: break
      }
      return
    }
    let scans = segments.map { SegmentScan($0, owner: owner) }
    illegible = scans.map(\.illegible)
    judge(scans, mark)
  }

  /// The recovery of a missing log: its records come from the mark alone, if there is a mark.
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

  /// The layout that the first whole header at the start of a segment tells.
  private static func geometry<File: BlockFile>(of file: inout File) -> LogGeometry? {
    // The second segment starts in the middle, if the file has its length.
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

  /// Why there is nothing to judge, if so.
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
        // The first block of all is the only one that is written before anything is promised.
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

  /// Decides between the two segments and takes their records.
  private mutating func judge(_ scans: [SegmentScan], _ mark: CommitMark?) {
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
      // The copy was cut short, so the segment before it still counts, and nothing was told of the rest.
      hasUnfinishedCompaction = true
      take(old)
      if old.epoch > 0 { place = (1 - newer, old.next) }
      hasUnfinishedCommit = old.hasRemains
      findRot(behind: old, mark)
      mustMove = true
    } else {
      // Each segment may hold what the other has lost; the newer one has the last word.
      take(old)
      take(new)
      if losses.isEmpty { losses.append(Loss(after: nil, before: sequenceMax + 1)) }
      place = (newer, new.next)
      mustMove = true
    }
    if let mark, mark.sequence > max(lastCommit ?? 0, (losses.map(\.before).max() ?? 1) - 1) {
      // Acknowledged, and not there: no power cut does that.
      losses.append(Loss(after: lastCommit, before: mark.sequence + 1))
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

  /// Forgets cautious records that a lost commit may have changed.
  private mutating func withholdDoubtful() {
    guard let doubtful = losses.map(\.before).max() else { return }
    let entries = records.entries.filter { $0.isCautious && $0.sequence < doubtful }
    for entry in entries {
      withheld.append(entry.name)
      records.apply(Change(entry.name, .remove), sequence: 0)
    }
  }

  /// Counts damage that no torn commit explains as a loss.
  ///
  /// A torn commit leaves damage right behind the last one, and is no longer than a commit may be. Damage farther behind
  /// was not torn: more commits may have stood before it, unless the mark says otherwise.
  private mutating func findRot(behind scan: SegmentScan, _ mark: CommitMark?) {
    guard scan.hasRotBeyondCommit, mark?.sequence != lastCommit else { return }
    let last = scan.commits.last?.header.sequence
    losses.append(Loss(after: last, before: (last ?? 0) + 2))
  }

  /// Takes the records that protect a person from the mark where the log has lost the last word on them.
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
    // The mark knows them all: one that it does not name was never written.
    withheld.removeAll { protecting.contains($0.kind) }
  }
}
