/// The content of a segment: its commits, the losses between them, and the state of its end.
///
/// In a segment a commit begins only after the previous commit was flushed. A damaged commit before another one was
/// therefore complete once and was corrupted later. A damaged end of at most one commit's length may be an interrupted
/// write: ``CommitMark`` distinguishes the two cases. Only the snapshot at the start of a segment is flushed as a
/// whole.
struct SegmentScan {
  struct Commit {
    var header: BlockHeader
    /// The number of the commit's first block in the segment.
    var index: Int
    var changes: [Change]
  }

  /// The newest epoch of the segment's blocks; 0 if no block belongs to this log.
  let epoch: UInt32
  private(set) var commits: [Commit] = []
  private(set) var losses: [Loss] = []
  /// The highest commit number in any block.
  private(set) var sequenceMax: UInt64 = 0
  /// Whether the snapshot is complete.
  private(set) var isComplete = false
  /// Whether the snapshot was complete at some time, or may have been complete.
  private(set) var wasComplete = false
  /// The block after the last commit.
  private(set) var next = 0
  /// Whether parts of a commit follow the last complete commit.
  private(set) var hasParts = false
  /// Whether illegible data follows the last commit.
  private(set) var hasRemains = false
  /// Whether illegible data lies farther behind the last commit than an interrupted commit reaches.
  private(set) var hasRotBeyondCommit = false
  /// Blocks that are neither blank nor valid blocks of this log at their position.
  let illegible: [Int]

  init(_ segment: Segment, owner: UInt64) {
    let count = segment.geometry.blocksPerSegment
    let headers = (0..<count).map { segment.header($0, owner: owner) }
    epoch = headers.reduce(0) { max($0, $1?.epoch ?? 0) }
    sequenceMax = headers.reduce(0) { max($0, $1?.sequence ?? 0) }
    illegible = (0..<count).filter {
      headers[$0] == nil && segment.headers[$0] != .blank && !segment.unreadable[$0]
    }
    guard epoch > 0 else { return }
    let epoch = epoch
    let own = headers.map { $0?.epoch == epoch ? $0 : nil }
    findCommits(in: segment, own: own)
    isComplete = hasWholeSnapshot
    wasComplete = own.contains { $0?.isSnapshot == false } || segment.unreadable.contains(true)
    findLosses(between: own, in: segment)
  }

  private mutating func findCommits(in segment: Segment, own: [BlockHeader?]) {
    var index = 0
    while index < own.count {
      if let header = own[index], header.sequence > commits.last?.header.sequence ?? 0,
        let changes = segment.commit(at: index, header: header)
      {
        commits.append(Commit(header: header, index: index, changes: changes))
        index += header.partCount
        next = index
      } else {
        index += 1
      }
    }
  }

  private var hasWholeSnapshot: Bool {
    var index = 0
    var sequence = commits.first?.header.sequence ?? 0
    for commit in commits {
      guard commit.index == index, commit.header.isSnapshot, commit.header.sequence == sequence
      else { return false }
      if commit.header.endsSnapshot { return true }
      index += commit.header.partCount
      sequence += 1
    }
    return false
  }

  private mutating func findLosses(between own: [BlockHeader?], in segment: Segment) {
    var last: UInt64?
    for commit in commits {
      let sequence = commit.header.sequence
      let isGap = last.map { sequence > $0 + 1 } ?? (commit.index > 0)
      if isGap { losses.append(Loss(after: last, before: sequence)) }
      last = sequence
    }
    let tail = own[next...].compactMap { $0?.sequence }
    hasParts = !tail.isEmpty
    if let last, let later = tail.first(where: { $0 > last + 1 }) {
      losses.append(Loss(after: last, before: later))
    } else if last == nil, let first = tail.first {
      losses.append(Loss(after: nil, before: first + 1))
    }
    guard next < own.count else { return }
    if segment.unreadable[next] {
      // The block after the last known commit is unreadable, so the segment may have held more commits.
      losses.append(Loss(after: last, before: (last ?? 0) + 2))
      hasParts = true
    } else {
      hasRemains = hasParts || segment.headers[next] == .damaged
    }
    hasRotBeyondCommit = illegible.contains { $0 >= next + segment.geometry.commitBlocksMax }
  }
}
