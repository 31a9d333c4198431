import Accelerometers
import BinnacleBasics
import LocationEngine

/// Samples of a resting board that replace useless samples: the data of an engine that believes useless samples.
struct Calm {
  private var lastSample: Instant?
  private var number = 0

  private mutating func batch(from first: Instant, count: Int) -> AccelerationBatch {
    var counts: [Int16] = []
    for _ in 0..<count {
      number += 1
      counts += [Int16(number % 3), Int16(number % 2), 1_000]
    }
    return AccelerationBatch(
      first: first, interval: .milliseconds(20), gPerCount: 0.001, counts: counts)
  }

  /// The samples that were missing for longer than half a second.
  mutating func silence(after event: Event, at now: Instant) -> AccelerationBatch? {
    if case .accelerometer(.samples) = event { lastSample = now }
    guard let last = lastSample, now - last >= .milliseconds(700) else { return nil }
    lastSample = now
    let count = min((now - last).nanoseconds / 20_000_000, 500)
    return batch(from: now - Interval.milliseconds(20) * count, count: Int(count))
  }

  /// A batch, with a broken batch replaced by samples of a resting board.
  mutating func mended(_ broken: AccelerationBatch) -> AccelerationBatch {
    guard broken.count > 1 else { return broken }
    let isFrozen = (1..<broken.count).allSatisfy { broken[$0] == broken[0] }
    guard isFrozen || broken.gPerCount.isNaN || broken.saturatedCount > 0 else { return broken }
    return batch(from: broken.first, count: broken.count)
  }
}
