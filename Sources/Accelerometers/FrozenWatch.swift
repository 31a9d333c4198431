import BinnacleBasics

/// Detects an axis that has stopped changing.
///
/// Noise changes the last digit of a sound chip within a fraction of a second. An axis that keeps its value for
/// 10 s is stuck, and a stuck axis would look like perfect rest.
struct FrozenWatch: Equatable, Sendable {
  static let patience = Interval.seconds(10)

  private var last: [Int16] = []
  private var since: [Instant] = []
  /// The axes that are frozen: 0, 1 and 2 for x, y and z.
  private(set) var axes: [Int] = []

  /// Checks a batch; true if an axis has frozen in this batch.
  mutating func samplesArrived(_ batch: AccelerationBatch) -> Bool {
    guard batch.count > 0 else { return false }
    if last.isEmpty {
      last = Array(batch.counts[..<3])
      since = Array(repeating: batch.first, count: 3)
    }
    let before = axes
    for axis in 0..<3 {
      for index in 0..<batch.count where batch.counts[index * 3 + axis] != last[axis] {
        last[axis] = batch.counts[index * 3 + axis]
        since[axis] = batch.instant(of: index)
      }
    }
    let end = batch.instant(of: batch.count - 1)
    axes = (0..<3).filter { end - since[$0] >= FrozenWatch.patience }
    return axes.contains { !before.contains($0) }
  }

  static func name(_ axis: Int) -> String { ["x", "y", "z"][axis] }
}
