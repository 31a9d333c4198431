import BinnacleBasics
import LocationEngine
public import StateLog

/// A track log after months of use: as full as possible, moved more than once, and about to move again.
public struct FullTrackLog {
  public private(set) var disk: SimulatedDisk
  /// The number of stretches in the log.
  public private(set) var stretchCount = 0
  /// The number of all stretches ever added.
  public private(set) var addedCount = 0
  public private(set) var compactionCount = 0

  public static let owner: UInt64 = 1
  public static let geometry = LogGeometry.ofTracks

  /// Adds stretches of 60 points in motion until the log has moved three times and its segment is full again.
  ///
  /// - Throws: the failure that prevented a stretch from being added; no failure is expected.
  public init(seed: UInt64) throws(CommitFailure) {
    var random = Random(seed: seed)
    let geometry = FullTrackLog.geometry
    var log = try StateLog.create(
      on: SimulatedDisk(byteCount: geometry.byteCount), owner: FullTrackLog.owner,
      geometry: geometry)
    var kept: [(name: RecordName, size: Int)] = []
    var oldest = 0
    var number: UInt32 = 0
    var sinceMove = 0
    while compactionCount < 3 || sinceMove < geometry.blocksPerSegment / 2 {
      number += 1
      let value = (0..<Int.random(in: 600...760, using: &random)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
      guard let name = RecordTable.track.named(TrackKey.bytes(number)) else { continue }
      let put = Change(name, .put(value, isCautious: false))
      var changes: [Change] = []
      var size = log.records.encodedSize
      while size + put.encodedSize > geometry.liveSizeMax, oldest < kept.count {
        changes.append(Change(kept[oldest].name, .remove))
        size -= kept[oldest].size
        oldest += 1
      }
      let receipt = try log.commit(changes + [put])
      log.file.expect(.nothing)
      kept.append((name, put.encodedSize))
      sinceMove = receipt.isCompaction ? 0 : sinceMove + 1
      if receipt.isCompaction { compactionCount += 1 }
    }
    addedCount = kept.count
    stretchCount = log.records.entries.count
    disk = log.file
  }
}
