public import StateLog

/// An order for the log of tracks; answered by ``TrackNews``.
public enum TrackOrder: Equatable, Codable, Sendable {
  /// Open the log, or create it.
  case open
  /// Write these changes, as one commit.
  case commit(number: UInt32, [Change])
  /// Delete and overwrite all points; create an empty log if tracks are enabled.
  case erase(number: UInt32)
}

/// The outcome of an order for the log of tracks.
public enum TrackNews: Equatable, Codable, Sendable {
  case opened(TrackReading)
  case committed(number: UInt32, CommitReceipt)
  case commitFailed(number: UInt32, CommitFailure)
  /// The outcome of an erasure; the failure is nil if everything is erased.
  case erased(number: UInt32, CommitFailure?)
}

/// The content of the log of tracks: sizes and times, and no positions.
public struct TrackReading: Equatable, Codable, Sendable {
  /// A stretch in the log.
  public struct Stretch: Equatable, Codable, Sendable {
    public var number: UInt32
    /// The size of its record, in bytes.
    public var size: Int
    /// The time of its last point in milliseconds since 1970; 0 for a stretch that this program cannot read.
    public var lastMilliseconds: Int64

    public init(number: UInt32, size: Int, lastMilliseconds: Int64) {
      self.number = number
      self.size = size
      self.lastMilliseconds = lastMilliseconds
    }
  }

  /// Sorted by number.
  public var stretches: [Stretch]
  /// How many bytes of records the log may hold.
  public var sizeMax: Int
  /// Why there is no log; nil without an obstacle.
  public var obstacle: StateFault?
  /// Events at the place of the log, for a person.
  public var notes: [StateReading.Note]

  public init(
    stretches: [Stretch] = [], sizeMax: Int = LogGeometry.ofTracks.liveSizeMax,
    obstacle: StateFault? = nil, notes: [StateReading.Note] = []
  ) {
    self.stretches = stretches
    self.sizeMax = sizeMax
    self.obstacle = obstacle
    self.notes = notes
  }

  /// The content of a log.
  public init(_ records: RecordSet, geometry: LogGeometry) {
    self.init(sizeMax: geometry.liveSizeMax)
    for entry in records.entries where entry.name.kind == RecordTable.track.number {
      guard let number = TrackKey.number(entry.name.key) else { continue }
      let last = TrackStretch.Head(entry.value)?.lastMilliseconds ?? 0
      stretches.append(
        Stretch(number: number, size: entry.change.encodedSize, lastMilliseconds: last))
    }
    stretches.sort { $0.number < $1.number }
  }
}
