import BinnacleBasics

/// The speeds of a recording as another receiver would have reported them, without an accuracy.
public enum SolutionVariant: String, Equatable, CaseIterable, Sendable {
  /// Each row keeps its speed.
  case asRecorded = "as recorded"
  /// One solution a second, as receivers send by default.
  case hertz1 = "1 Hz"
  /// One solution a second of a receiver that reports at least 0.45 m/s at rest.
  case constant = "1 Hz, at least 0.45 m/s"
  /// One solution a second of a receiver whose speed varies between 0.3 and 0.7 m/s at rest.
  case noise = "1 Hz, 0.3 to 0.7 m/s noise"

  /// Changes rows in the order of their time.
  public struct Filter: Sendable {
    private static let period = Interval.seconds(1)
    private static let constantSpeed = 0.45
    private static let noiseMin = 0.3
    private static let noiseMax = 0.7

    private let variant: SolutionVariant
    private var next: Instant?
    private var random = Random(seed: 0x5EED)

    public init(_ variant: SolutionVariant) {
      self.variant = variant
    }

    /// The row with the speed that this receiver reports at the row's time, or without a speed.
    public mutating func pass(_ row: MotionRow) -> MotionRow {
      guard variant != .asRecorded else { return row }
      var changed = row
      changed.speed = nil
      guard let speed = speed(of: row), row.instant >= next ?? row.instant else { return changed }
      // A gap in the recording moves the phase; a receiver does not keep its phase across a gap either.
      let due = (next ?? row.instant) + Filter.period
      next = due > row.instant ? due : row.instant + Filter.period
      changed.speed = speed
      return changed
    }

    /// Adds noise to the speed as a second direction, so that the noise is small compared with the speed of a drive.
    private mutating func speed(of row: MotionRow) -> Double? {
      switch variant {
      case .asRecorded, .hertz1: return row.speed
      case .constant: return max(row.speed ?? 0, Filter.constantSpeed)
      case .noise:
        let speed = row.speed ?? 0
        let noise = Filter.noiseMin + (Filter.noiseMax - Filter.noiseMin) * random.unit()
        return (speed * speed + noise * noise).squareRoot()
      }
    }
  }
}
