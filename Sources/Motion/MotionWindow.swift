public import BinnacleBasics

/// The first stage of the detector: samples and solutions in, one reading per quarter of a second out.
///
/// Memory is constant and a sample allocates nothing. Samples carry their times, which may be irregular. A sample that
/// is older than its predecessor is counted and dropped. Samples and solutions may arrive in any order: a chip's buffer
/// may be read some tenths of a second after a solution that is newer than the samples.
///
/// ```
/// while let reading = window.nextReading(before: now) { ... }
/// window.accelerationMeasured(x: x, y: y, z: z, at: now)
/// ```
public struct MotionWindow: Equatable, Codable, Sendable {
  /// The time between two readings.
  public static let hop = Interval.milliseconds(250)
  /// An older solution no longer counts.
  public static let solutionAgeMax = Interval.seconds(3)
  /// After a longer gap only the end of the gap is evaluated, because the readings in between are equal.
  private static let silenceMax = Interval.seconds(60)

  private var sways = SwayWindow()
  private var samples = SampleWatch()
  private var floor = NoiseFloor()
  private var axes = AxisWatch()
  private var steps = StepWatch()
  private var solution: SolutionReading?
  private var solutionInstant: Instant?
  private var hopEnd: Instant?
  private var newestSample: Instant?
  private var newestSolution: Instant?
  /// The number of samples and solutions that are older than their predecessor of the same kind.
  public private(set) var lateCount = 0
  /// The number of solutions without any plausible value.
  public private(set) var damagedSolutionCount = 0

  public init() {}

  /// The number of samples that are NaN or absurd.
  public var damagedSampleCount: Int { samples.damagedCount }

  /// The axes whose value stays the same while the board moves; the verdict uses only the other axes.
  public var deadAxes: [AccelerometerAxis] { axes.dead }

  /// Whether the newest samples look frozen, damaged or saturated, while they are too few for a fault.
  public var isSuspicious: Bool { samples.isSuspicious }

  /// Takes a sample in g; before, call ``nextReading(before:)`` until it returns nil.
  ///
  /// - Parameters:
  ///   - x: the chip's first axis; NaN and values above 17 g are counted as damage.
  ///   - y: the second axis.
  ///   - z: the third axis.
  ///   - isSaturated: whether an axis was at the end of its range, if the chip's driver knows this.
  ///   - showsNoise: whether noise constantly changes the last digit of this chip, if its driver knows this. A chip
  ///     with coarser steps gives equal samples for hours on a desk and is not frozen.
  ///   - now: the time of the measurement.
  public mutating func accelerationMeasured(
    x: Double, y: Double, z: Double, isSaturated: Bool = false, showsNoise: Bool = true,
    at now: Instant
  ) {
    guard isNext(now, after: newestSample) else { return }
    newestSample = now
    guard let sample = FineAcceleration(x: x, y: y, z: z) else {
      samples.damagedSampleArrived(at: now)
      return
    }
    samples.sampleArrived(
      sample, isSaturated: isSaturated, showsNoise: showsNoise, at: now)
    sways.sampleArrived(sample, at: now)
    axes.sampleArrived(sample)
    steps.sampleArrived(sample)
  }

  /// Takes a solution of the receiver; before, call ``nextReading(before:)`` until it returns nil.
  public mutating func solutionMeasured(_ reading: SolutionReading, at now: Instant) {
    guard isNext(now, after: newestSolution) else { return }
    newestSolution = now
    guard let sound = reading.sound else {
      damagedSolutionCount += 1
      return
    }
    solution = sound
    solutionInstant = now
  }

  /// The reading of the oldest hop that has ended before this time and was not returned yet.
  public mutating func nextReading(before now: Instant) -> MotionReading? {
    guard var end = hopEnd, end < now else { return nil }
    if now - end > MotionWindow.silenceMax, isSilent(at: end) {
      let skipped = (now - end).nanoseconds / MotionWindow.hop.nanoseconds
      end = end + MotionWindow.hop * max(skipped - 1, 0)
    }
    hopEnd = end + MotionWindow.hop
    return reading(at: end)
  }

  /// Whether a time follows the previous one; the first time starts the hops.
  private mutating func isNext(_ now: Instant, after newest: Instant?) -> Bool {
    if let newest, now < newest {
      lateCount += 1
      return false
    }
    if hopEnd == nil { hopEnd = now + MotionWindow.hop }
    return true
  }

  /// Whether nothing has arrived for so long that all further hops are equal.
  private func isSilent(at end: Instant) -> Bool {
    let isHeard = [newestSample, newestSolution].contains { newest in
      newest.map { end - $0 <= MotionWindow.silenceMax } ?? false
    }
    return !isHeard
  }

  private mutating func reading(at end: Instant) -> MotionReading {
    let isFresh = solutionInstant.map { end - $0 <= MotionWindow.solutionAgeMax } ?? false
    let newest = isFresh ? solution : nil
    return MotionReading(
      end: end, accelerometer: accelerometerReading(at: end, newest), solution: newest,
      solutionInstant: isFresh ? solutionInstant : nil)
  }

  private mutating func accelerometerReading(
    at end: Instant, _ solution: SolutionReading?
  ) -> AccelerometerReading {
    let trouble = samples.hopEnded(at: end)
    let spreads = sways.hopEnded()
    axes.hopEnded(spreads?.sway)
    if let trouble { return .unusable(trouble) }
    guard let spreads else { return .unusable(.starting) }
    let isVouchedFor = SolutionJudgement(solution)?.allowsRest == true
    floor.hopEnded(spreads.steadySway, isCoarse: steps.isCoarse, isVouchedFor: isVouchedFor)
    return .measured(
      AccelerometerReading.Sway(
        milliG: spreads.sway, steadyMilliG: spreads.steadySway,
        thresholdMilliG: floor.threshold, floorMilliG: floor.sway ?? 0,
        samplesPerSecond: spreads.samplesPerSecond))
  }
}
