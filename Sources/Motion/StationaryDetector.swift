public import BinnacleBasics

/// Tells whether a board rests, from its accelerometer and its GNSS receiver, or from the one that there is.
///
/// Pure and streaming: constant memory, nothing is allocated for a sample, no clock is read. The accelerometer
/// needs no calibration: neither its scale nor its orientation nor its zero matters, and its noise is learned.
public struct StationaryDetector: Equatable, Codable, Sendable {
  private var window = MotionWindow()
  private var machine: RestMachine

  /// - Parameters:
  ///   - profile: how readily a rest ends.
  ///   - dwell: how long it must have been quiet before a rest begins.
  ///   - start: when the detector begins.
  public init(profile: MotionProfile = .standard, dwell: Interval, at start: Instant) {
    machine = RestMachine(profile: profile, dwell: dwell, at: start)
  }

  /// The result at the end of the newest hop, with its evidence.
  public var verdict: MotionVerdict { machine.verdict }
  /// Whether a sleeping receiver should be asked.
  public var wantsReceiver: Bool { machine.wantsReceiver }
  /// Samples that were no numbers or absurd.
  public var damagedSampleCount: Int { window.damagedSampleCount }
  /// Solutions of which no number could be true.
  public var damagedSolutionCount: Int { window.damagedSolutionCount }
  /// The axes that keep one number while the board moves.
  public var deadAxes: [AccelerometerAxis] { window.deadAxes }
  /// Samples and solutions that came with an instant before that of their predecessor.
  public var lateCount: Int { window.lateCount }

  /// Takes a sample in g; true when the verdict has changed.
  ///
  /// - Parameters:
  ///   - x: along the chip's first axis.
  ///   - y: along its second.
  ///   - z: along its third.
  ///   - isSaturated: whether an axis was at the end of its range, where the chip's driver knows that.
  ///   - now: when it was measured.
  /// - Returns: whether the verdict is another one than before.
  public mutating func accelerationMeasured(
    x: Double, y: Double, z: Double, isSaturated: Bool = false, at now: Instant
  ) -> Bool {
    let isChanged = timePassed(to: now)
    window.accelerationMeasured(x: x, y: y, z: z, isSaturated: isSaturated, at: now)
    return isChanged
  }

  /// Takes a solution of the receiver; true when the verdict has changed.
  public mutating func solutionMeasured(_ reading: SolutionReading, at now: Instant) -> Bool {
    let isChanged = timePassed(to: now)
    window.solutionMeasured(reading, at: now)
    return isChanged
  }

  /// Judges what has ended by now, so that silence is noticed; true when the verdict has changed.
  ///
  /// A sample that comes later with an instant before this one is still taken, if none was newer; its hop is over.
  public mutating func timePassed(to now: Instant) -> Bool {
    let before = verdict.isStationary
    while let reading = window.nextReading(before: now) { _ = machine.hopEnded(reading) }
    return verdict.isStationary != before
  }
}
