public import BinnacleBasics

/// Consecutive acceleration samples from a chip's FIFO.
public struct AccelerationBatch: Equatable, Codable, Sendable {
  /// The time of the first sample.
  public let first: Instant
  /// The time between two samples.
  public let interval: Interval
  /// The scale: g per count.
  public let gPerCount: Double
  /// X, Y and Z of each sample in turn.
  public let counts: [Int16]
  /// The number of samples with an axis at the end of its range.
  public let saturatedCount: Int
  /// The number of samples lost before the first one, estimated from the elapsed time.
  public let lostCount: Int

  /// The largest number of samples in a batch.
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

  /// The time of a sample.
  public func instant(of index: Int) -> Instant { first + interval * Int64(index) }
}
