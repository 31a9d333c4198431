public import BinnacleBasics

/// All that is known about a quarter of a second.
public struct MotionReading: Equatable, Codable, Sendable {
  /// The end of the hop; everything is from before or at it.
  public var end: Instant
  public var accelerometer: AccelerometerReading
  /// The newest solution; nil when it is older than three seconds.
  public var solution: SolutionReading?
  /// When that was measured.
  public var solutionInstant: Instant?

  public init(
    end: Instant, accelerometer: AccelerometerReading, solution: SolutionReading?,
    solutionInstant: Instant?
  ) {
    self.end = end
    self.accelerometer = accelerometer
    self.solution = solution
    self.solutionInstant = solutionInstant
  }
}
