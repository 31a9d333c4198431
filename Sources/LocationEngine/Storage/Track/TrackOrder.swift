public import StateLog

/// An order for the log of tracks; answered by ``TrackNews``.
public enum TrackOrder: Equatable, Codable, Sendable {
  /// Open it, or make it.
  case open
  /// Write these changes, as one commit.
  case commit(number: UInt32, [Change])
  /// Forget everything, overwrite it, and begin anew where tracks are kept at all.
  case erase(number: UInt32)
}

/// The outcome of an order for the log of tracks.
public enum TrackNews: Equatable, Codable, Sendable {
  case opened(TrackReading)
  case committed(number: UInt32, CommitReceipt)
  case commitFailed(number: UInt32, CommitFailure)
  /// Everything is erased, or why not.
  case erased(number: UInt32, CommitFailure?)
}

/// The content of the log of tracks: sizes and times, and no places.
public struct TrackReading: Equatable, Codable, Sendable {
  /// A stretch that is kept.
  public struct Stretch: Equatable, Codable, Sendable {
    public var number: UInt32
    /// The size of its record, in bytes.
    public var size: Int
    /// Its last point, in milliseconds since 1970; 0 for one that this program cannot read.
    public var lastMilliseconds: Int64

    public init(number: UInt32, size: Int, lastMilliseconds: Int64) {
      self.number = number
      self.size = size
      self.lastMilliseconds = lastMilliseconds
    }
  }

  /// By number.
  public var stretches: [Stretch]
  /// How many bytes of records the log may hold.
  public var sizeMax: Int
  /// Why there is no log; nil when all is well.
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
