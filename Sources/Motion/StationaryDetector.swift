public import BinnacleBasics

/// Detects whether a board rests, from its accelerometer and its GNSS receiver, or from one of them alone.
///
/// The detector is pure and streaming: memory is constant, a sample allocates nothing, and no clock is read. The
/// accelerometer needs no calibration: scale, orientation and zero offset do not matter, and its noise is learned.
public struct StationaryDetector: Equatable, Codable, Sendable {
  private var window = MotionWindow()
  private var machine: RestMachine

  /// - Parameters:
  ///   - profile: the sensitivity of the end of a rest.
  ///   - dwell: the required quiet time before a rest.
  ///   - start: the start of the detector.
  public init(profile: MotionProfile = .standard, dwell: Interval, at start: Instant) {
    machine = RestMachine(profile: profile, dwell: dwell, at: start)
  }

  /// The result at the end of the newest hop, with its evidence.
  public var verdict: MotionVerdict { machine.verdict }
  /// Whether a sleeping receiver should be polled.
  public var wantsReceiver: Bool { machine.wantsReceiver }
  /// The number of samples that are NaN or absurd.
  public var damagedSampleCount: Int { window.damagedSampleCount }
  /// The number of solutions without any plausible value.
  public var damagedSolutionCount: Int { window.damagedSolutionCount }
  /// The axes whose value stays the same while the board moves.
  public var deadAxes: [AccelerometerAxis] { window.deadAxes }
  /// The number of samples and solutions that are older than their predecessor.
  public var lateCount: Int { window.lateCount }

  /// Takes a sample in g.
  ///
  /// - Parameters:
  ///   - x: the chip's first axis.
  ///   - y: the second axis.
  ///   - z: the third axis.
  ///   - isSaturated: whether an axis was at the end of its range, if the chip's driver knows this.
  ///   - now: the time of the measurement.
  /// - Returns: whether the verdict has changed.
  public mutating func accelerationMeasured(
    x: Double, y: Double, z: Double, isSaturated: Bool = false, at now: Instant
  ) -> Bool {
    let isChanged = timePassed(to: now)
    window.accelerationMeasured(x: x, y: y, z: z, isSaturated: isSaturated, at: now)
    return isChanged
  }

  /// Takes a solution of the receiver; returns true if the verdict has changed.
  public mutating func solutionMeasured(_ reading: SolutionReading, at now: Instant) -> Bool {
    let isChanged = timePassed(to: now)
    window.solutionMeasured(reading, at: now)
    return isChanged
  }

  /// Evaluates all hops up to now, so that a gap is detected; returns true if the verdict has changed.
  ///
  /// An older sample that arrives later is accepted, unless a newer sample was there before; its hop is not evaluated
  /// again.
  public mutating func timePassed(to now: Instant) -> Bool {
    let before = verdict.isStationary
    while let reading = window.nextReading(before: now) { _ = machine.hopEnded(reading) }
    return verdict.isStationary != before
  }
}
