/// The speed that this receiver gives for a board that rests: its noise, learned while the dwell fills.
///
/// Receivers at rest say 0.02 m/s in the median and 0.06 m/s in 95 % of the time under a fair sky. Others say 0.3 to
/// 0.7 m/s for hours and give no accuracy. A start is what stands out from the noise of this receiver.
struct RestSpeed: Equatable, Codable, Sendable {
  /// Hops that are remembered: 10 s.
  private static let hopsMax = 40
  /// The noise that a receiver is believed to have at least, in meters per second.
  private static let least = 0.05

  private var speeds: [Double] = []
  private var oldest = 0

  /// Meters per second: the greatest of the last 10 s of the dwell.
  private(set) var metersPerSecond = RestSpeed.least

  init() {
    speeds.reserveCapacity(RestSpeed.hopsMax)
  }

  /// Takes the speed of a hop while the dwell fills.
  mutating func hopEnded(_ speed: Double) {
    if speeds.count < RestSpeed.hopsMax {
      speeds.append(speed)
    } else {
      speeds[oldest] = speed
      oldest = (oldest + 1) % RestSpeed.hopsMax
    }
    metersPerSecond = speeds.reduce(RestSpeed.least, max)
  }

  /// The dwell is empty: the board moves, and its speeds are not those of rest.
  mutating func forget() {
    speeds.removeAll(keepingCapacity: true)
    oldest = 0
    metersPerSecond = RestSpeed.least
  }
}
