import LocationEngine
import StateLog

/// The log of tracks of a test: it takes everything, unless it is told to fail.
struct TrackDisk {
  private(set) var records = RecordSet()
  /// The changes of each commit, oldest first.
  private(set) var commits: [[Change]] = []
  private(set) var erasures = 0
  var failure: CommitFailure?
  var obstacle: StateFault?
  var geometry = LogGeometry.ofTracks

  init(_ records: RecordSet = RecordSet()) { self.records = records }

  /// The points on it, oldest first.
  var points: [TrackPoint] {
    records.entries.sorted {
      (TrackKey.number($0.name.key) ?? 0) < (TrackKey.number($1.name.key) ?? 0)
    }
    .flatMap { TrackStretch($0.value)?.points ?? [] }
  }

  mutating func carryOut(_ order: TrackOrder) -> TrackNews {
    switch order {
    case .open:
      var reading = TrackReading(records, geometry: geometry)
      reading.obstacle = obstacle
      return .opened(reading)
    case .commit(let number, let changes):
      commits.append(changes)
      if let failure { return .commitFailed(number: number, failure) }
      for change in changes { records.apply(change) }
      return .committed(
        number: number,
        CommitReceipt(sequence: 1, bytesWritten: 4_096, flushCount: 1, isCompaction: false))
    case .erase(let number):
      if let failure { return .erased(number: number, failure) }
      erasures += 1
      records = RecordSet()
      return .erased(number: number, nil)
    }
  }
}
