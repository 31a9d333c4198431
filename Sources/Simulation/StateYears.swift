import BinnacleBasics
import LocationEngine
public import StateLog

/// Years of a board's life in the state log.
///
/// The log gets trips, defaults of apps, a position and counters every ten minutes, a navigation database, and
/// occasional power cuts.
public struct StateYears {
  /// The layout of a board: blocks of a page, 1 MiB in all.
  public static let geometry = LogGeometry(blockSize: 4_096, blocksPerSegment: 128)

  public private(set) var disk: SimulatedDisk
  public private(set) var changeCount = 0
  public private(set) var commitCount = 0
  public private(set) var compactionCount = 0
  public private(set) var cutCount = 0
  /// The first failure; nil when there was none.
  public private(set) var complaint: String?
  /// The number of records at the end.
  public private(set) var recordCount = 0

  public static let owner: UInt64 = 1
  private var random: Random

  public init(seed: UInt64) {
    random = Random(seed: seed)
    disk = SimulatedDisk(byteCount: 0)
  }

  public mutating func run(years: Int) {
    guard let geometry = StateYears.geometry else { return }
    do throws(CommitFailure) {
      var log = try StateLog.create(
        on: SimulatedDisk(byteCount: geometry.byteCount), owner: StateYears.owner,
        geometry: geometry)
      for day in 0..<years * 365 {
        try live(day, log: &log)
        if random.chance(0.3) { cut(&log) }
        if complaint != nil { break }
      }
      recordCount = log.records.entries.count
      disk = log.file
    } catch {
      complaint = "\(error)"
    }
  }

  /// One day: 50 trips; in each trip a session begins and ends, and some defaults change.
  private mutating func live(
    _ day: Int, log: inout StateLog<SimulatedDisk>
  ) throws(CommitFailure) {
    for _ in 0..<50 {
      let app = UInt8(truncatingIfNeeded: random.next() % 8)
      try put(RecordTable.liveUpdates, [app], 40, in: &log)
      for _ in 0..<2 {
        let key = UInt8(truncatingIfNeeded: random.next() % 32)
        try put(RecordTable.appDefaults, [app, key], 64, in: &log)
      }
      try put(RecordTable.lastFix, [], 80, in: &log)
      try commit([Change(RecordName(kind: 2, key: [app]) ?? RecordName(kind: 2), .remove)], &log)
    }
    for _ in 0..<30 { try put(RecordTable.counters, [], 200, in: &log) }
    for _ in 0..<10 { try put(RecordTable.navigationDatabase, [1], 10_000, in: &log) }
  }

  private mutating func put(
    _ kind: RecordKind, _ key: [UInt8], _ size: Int, in log: inout StateLog<SimulatedDisk>
  ) throws(CommitFailure) {
    guard let name = kind.named(key) else { return }
    var value: [UInt8] = []
    while value.count < size { value.append(UInt8(truncatingIfNeeded: random.next())) }
    try commit([Change(name, .put(value, isCautious: kind.isCautious))], &log)
  }

  private mutating func commit(
    _ changes: [Change], _ log: inout StateLog<SimulatedDisk>
  ) throws(CommitFailure) {
    let receipt = try log.commit(changes)
    log.file.expect(.nothing)
    changeCount += changes.count
    if receipt.sequence != nil { commitCount += 1 }
    if receipt.isCompaction { compactionCount += 1 }
  }

  private mutating func cut(_ log: inout StateLog<SimulatedDisk>) {
    var choices = Choices(seed: random.next())
    var file = log.file
    file.cutPower(&choices)
    cutCount += 1
    let recovery = Recovery(of: &file, owner: StateYears.owner, expecting: log.geometry)
    if recovery.verdict != .sound || recovery.records != log.records {
      complaint = "after \(commitCount) commits a power cut lost something: \(recovery.verdict)"
    }
    if let again = StateLog(continuing: recovery, on: file) { log = again }
  }
}
