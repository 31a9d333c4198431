public import BinnacleBasics

/// All measurements of one hop, which is a quarter of a second.
public struct MotionReading: Equatable, Codable, Sendable {
  /// The end of the hop; all measurements are from this time or earlier.
  public var end: Instant
  public var accelerometer: AccelerometerReading
  /// The newest solution; nil if it is older than three seconds.
  public var solution: SolutionReading?
  /// The time of the solution.
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
