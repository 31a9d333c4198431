/// The receiver's speed while the board rests: its noise, learned while the dwell accumulates.
///
/// Receivers at rest report 0.02 m/s in the median and 0.06 m/s in 95 % of the time with a fair view of the sky. Other
/// receivers report 0.3 to 0.7 m/s for hours without an accuracy. A start is a speed above the noise of this receiver.
struct RestSpeed: Equatable, Codable, Sendable {
  /// The number of remembered hops: 10 s.
  private static let hopsMax = 40
  /// The least assumed noise of a receiver, in meters per second.
  private static let least = 0.05

  private var speeds: [Double] = []
  private var oldest = 0

  /// The greatest speed in the last 10 s of the dwell, in meters per second.
  private(set) var metersPerSecond = RestSpeed.least

  init() {
    speeds.reserveCapacity(RestSpeed.hopsMax)
  }

  /// Takes the speed of a hop while the dwell accumulates.
  mutating func hopEnded(_ speed: Double) {
    if speeds.count < RestSpeed.hopsMax {
      speeds.append(speed)
    } else {
      speeds[oldest] = speed
      oldest = (oldest + 1) % RestSpeed.hopsMax
    }
    metersPerSecond = speeds.reduce(RestSpeed.least, max)
  }

  /// Drops the learned speeds when the accumulated rest is 0, because the board moves.
  mutating func forget() {
    speeds.removeAll(keepingCapacity: true)
    oldest = 0
    metersPerSecond = RestSpeed.least
  }
}
