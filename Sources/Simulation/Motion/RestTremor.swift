import Accelerometers
import BinnacleBasics

/// The samples of a real accelerometer that did not move, played forwards, backwards and forwards again.
public struct RestTremor: Equatable, Sendable {
  /// The g per count of a chip of 16 bits at 2 g.
  private static let gPerCount = 1.0 / 16_384
  private static let samplesMin = 1_000

  private let counts: [[Int16]]
  private let period: Interval
  private var index = 0
  private var isBackwards = false
  private var played: Int64 = 0

  /// Takes the longest stretch of a recording that is labelled as rest; returns nil when that stretch is short.
  public init?(_ rows: [MotionRow]) {
    var longest: ArraySlice<MotionRow> = []
    var start = 0
    for index in 0...rows.count {
      let isRest = index < rows.count && rows[index].label == 0 && rows[index].acceleration != nil
      if isRest { continue }
      if index - start > longest.count { longest = rows[start..<index] }
      start = index + 1
    }
    guard longest.count >= RestTremor.samplesMin, let first = longest.first,
      let last = longest.last, first.instant < last.instant
    else { return nil }
    let span = (last.instant - first.instant).nanoseconds
    period = Interval(nanoseconds: span / Int64(longest.count - 1))
    counts = longest.map { row in
      let sample = row.acceleration ?? (x: 0, y: 0, z: 0)
      return [sample.x, sample.y, sample.z].map { g in
        let count = (g / RestTremor.gPerCount).rounded()
        return count.magnitude < 32_767 ? Int16(count) : 0
      }
    }
  }

  /// The duration of the recorded samples.
  var recorded: Interval { period * Int64(counts.count) }

  /// The samples up to an instant.
  mutating func batch(until now: Instant) -> AccelerationBatch? {
    let first = Instant.zero + period * played
    var batch: [Int16] = []
    while Instant.zero + period * played <= now, batch.count < 3 * AccelerationBatch.samplesMax {
      batch += counts[index]
      played += 1
      if isBackwards ? index == 0 : index == counts.count - 1 { isBackwards.toggle() }
      index += isBackwards ? -1 : 1
    }
    if batch.isEmpty { return nil }
    return AccelerationBatch(
      first: first, interval: period, gPerCount: RestTremor.gPerCount, counts: batch)
  }
}
