import Accelerometers
import BinnacleBasics

/// Samples that are collected for a batch.
struct IIOBatch {
  let interval: Interval
  private var counts: [Int16] = []
  private var first: Instant?
  private var last: Instant?

  init(interval: Interval) {
    self.interval = interval
  }

  var span: Interval {
    guard let first, let last else { return .zero }
    return last - first + interval
  }

  mutating func append(_ sample: (Int16, Int16, Int16), at now: Instant) {
    if first == nil { first = now }
    last = now
    counts += [sample.0, sample.1, sample.2]
  }

  /// The batch; nil without samples.
  mutating func finish(_ device: IIODevice) -> AccelerationBatch? {
    guard let first, let last else { return nil }
    defer {
      counts = []
      self.first = nil
      self.last = nil
    }
    let gaps = Int64(counts.count / 3 - 1)
    return AccelerationBatch(
      first: first, interval: gaps > 0 ? (last - first) / gaps : interval,
      gPerCount: device.gPerCount, counts: counts)
  }
}
