public import BinnacleBasics

/// Samples of acceleration in a row, as they came out of a chip's FIFO.
public struct AccelerationBatch: Equatable, Codable, Sendable {
  /// When the first sample was taken.
  public let first: Instant
  /// The distance from one sample to the next.
  public let interval: Interval
  /// How many g one count is.
  public let gPerCount: Double
  /// X, Y and Z of each sample in turn.
  public let counts: [Int16]
  /// Samples of which an axis was at the end of its range.
  public let saturatedCount: Int
  /// Samples that were lost before the first one; an estimate by the time that had passed.
  public let lostCount: Int

  /// Samples in one batch at most.
  public static let samplesMax = 1_365

  public init(
    first: Instant, interval: Interval, gPerCount: Double, counts: [Int16], saturatedCount: Int = 0,
    lostCount: Int = 0
  ) {
    precondition(counts.count % 3 == 0, "a sample has three axes")
    precondition(counts.count <= AccelerationBatch.samplesMax * 3, "a batch of no size")
    self.first = first
    self.interval = interval
    self.gPerCount = gPerCount
    self.counts = counts
    self.saturatedCount = saturatedCount
    self.lostCount = lostCount
  }

  public var count: Int { counts.count / 3 }

  /// One sample in g.
  public subscript(index: Int) -> Acceleration {
    Acceleration(
      x: Double(counts[index * 3]) * gPerCount, y: Double(counts[index * 3 + 1]) * gPerCount,
      z: Double(counts[index * 3 + 2]) * gPerCount)
  }

  /// When a sample was taken.
  public func instant(of index: Int) -> Instant { first + interval * Int64(index) }
}
