public import BinnacleBasics

/// The front half of the detector: samples and solutions in, a reading every quarter of a second out.
///
/// Memory is constant and a sample allocates nothing. Time comes with the samples and may be irregular; a sample
/// from before the one before it is counted and dropped. Samples and solutions may come in either order: a chip's buffer
/// is read some tenths of a second after a solution has come that is younger than its samples.
///
/// ```
/// while let reading = window.nextReading(before: now) { ... }
/// window.accelerationMeasured(x: x, y: y, z: z, at: now)
/// ```
public struct MotionWindow: Equatable, Codable, Sendable {
  /// How often there is a reading.
  public static let hop = Interval.milliseconds(250)
  /// An older solution no longer counts.
  public static let solutionAgeMax = Interval.seconds(3)
  /// A silence longer than this is left out but for its end: nothing changes in it any more.
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
  /// Samples and solutions that came with an instant before that of their predecessor of the same kind.
  public private(set) var lateCount = 0
  /// Solutions of which no number could be true.
  public private(set) var damagedSolutionCount = 0

  public init() {}

  /// Samples that were no numbers or absurd.
  public var damagedSampleCount: Int { samples.damagedCount }

  /// The axes that keep one number while the board moves; the others are judged alone.
  public var deadAxes: [AccelerometerAxis] { axes.dead }

  /// Whether the newest samples look frozen, damaged or saturated, too few of them to tell it.
  public var isSuspicious: Bool { samples.isSuspicious }

  /// Takes a sample in g; call ``nextReading(before:)`` until it is nil before.
  ///
  /// - Parameters:
  ///   - x: along the chip's first axis; no number and more than 17 g are counted as damage.
  ///   - y: along its second.
  ///   - z: along its third.
  ///   - isSaturated: whether an axis was at the end of its range, where the chip's driver knows that.
  ///   - showsNoise: whether noise moves the last digit of this chip while it is sound, where its driver knows that; one
  ///     with coarser steps says the same for hours on a desk and is not frozen.
  ///   - now: when it was measured.
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

  /// Takes a solution of the receiver; call ``nextReading(before:)`` until it is nil before.
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

  /// The reading of the oldest hop that has ended before an instant and was not given yet.
  public mutating func nextReading(before now: Instant) -> MotionReading? {
    guard var end = hopEnd, end < now else { return nil }
    if now - end > MotionWindow.silenceMax, isSilent(at: end) {
      let skipped = (now - end).nanoseconds / MotionWindow.hop.nanoseconds
      end = end + MotionWindow.hop * max(skipped - 1, 0)
    }
    hopEnd = end + MotionWindow.hop
    return reading(at: end)
  }

  /// Whether an instant follows what was there before; the first one starts the hops.
  private mutating func isNext(_ now: Instant, after newest: Instant?) -> Bool {
    if let newest, now < newest {
      lateCount += 1
      return false
    }
    if hopEnd == nil { hopEnd = now + MotionWindow.hop }
    return true
  }

  /// Whether nothing has come for so long that the hops after this one are all alike.
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
