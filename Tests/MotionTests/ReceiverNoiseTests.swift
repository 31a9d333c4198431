import BinnacleBasics
import Testing

@testable import Motion

/// A receiver's speed at rest is noise, and a start stands out from it.
struct ReceiverNoiseTests {
  private var shaker = Shaker()
  private var detector = StationaryDetector(dwell: .seconds(60), at: .zero)
  private var random = Random(seed: 3)

  /// Lets something happen while the receiver sends one solution a second; the seconds at which the verdict changed.
  private mutating func pass(
    _ act: Shaker.Act, seconds: Int, _ speed: (inout Random) -> Double?
  ) -> [Double] {
    var changes: [Double] = []
    for second in 0..<seconds {
      if let speed = speed(&random),
        detector.solutionMeasured(SolutionReading(speed: speed), at: shaker.now)
      {
        changes.append(Double(second))
      }
      changes += shaker.perform(act, seconds: 1, on: &detector).map { Double(second) + $0 }
    }
    return changes
  }

  @Test mutating func aConstantSpeedWithoutAnAccuracyIsOneRest() {
    let changes = pass(.rest, seconds: 600) { _ in 0.45 }
    #expect(changes.count == 1 && detector.verdict.isStationary, "\(changes)")
  }

  @Test func aSpeedThatOnlyAllowsRestFillsNoDwellWithoutAnAccelerometer() {
    for (speed, isResting) in [(0.6, false), (0.3, true)] {
      var detector = StationaryDetector(dwell: .seconds(60), at: .zero)
      for second in Int64(1)...300 {
        let now = Instant.zero + .seconds(second)
        _ = detector.solutionMeasured(
          SolutionReading(speed: speed, speedAccuracy: 0.1), at: now)
        _ = detector.timePassed(to: now)
      }
      #expect(detector.verdict.isStationary == isResting, "\(speed) m/s")
    }
  }

  @Test mutating func speedsThatWanderWithoutAnAccuracyAreOneRest() {
    let changes = pass(.rest, seconds: 1_800) { random in 0.3 + 0.4 * random.unit() }
    #expect(changes.count == 1 && detector.verdict.isStationary, "\(changes)")
  }

  @Test mutating func aStartIsFoundDespiteThatNoise() {
    _ = pass(.rest, seconds: 100) { random in 0.3 + 0.4 * random.unit() }
    #expect(detector.verdict.isStationary)
    let changes = pass(.rest, seconds: 5) { _ in 1.2 }
    #expect(changes.count == 1 && changes[0] <= 1.5 && detector.verdict.reason == .speed)
  }

  /// Sway that a receiver may deny: above the threshold of 5 mg, not far above it.
  private static let fidget = Shaker.Act.sway(milliG: 12)

  @Test mutating func aSpeedAsAtRestDeniesMotionForTwoSeconds() {
    _ = pass(.rest, seconds: 100) { _ in 0.02 }
    let changes = pass(Self.fidget, seconds: 5) { _ in 0.04 }
    #expect(changes.count == 1 && (2.5...4).contains(changes[0]), "\(changes)")
  }

  @Test mutating func aSpeedAboveThatAtRestDeniesNothing() {
    _ = pass(.rest, seconds: 100) { _ in 0.02 }
    let changes = pass(Self.fidget, seconds: 5) { _ in 0.15 }
    #expect(changes.count == 1 && changes[0] <= 2.25, "\(changes)")
  }

  @Test mutating func oneSolutionIsEnoughWhileTheAccelerometerStirs() {
    _ = pass(.rest, seconds: 100) { _ in 0.02 }
    #expect(pass(.rest, seconds: 1, { _ in 0.4 }).isEmpty)
    _ = pass(.rest, seconds: 5) { _ in 0.02 }
    // Below the threshold of 5 mg, above three quarters of it.
    #expect(pass(.sway(milliG: 6), seconds: 3, { _ in 0.02 }).isEmpty)
    let changes = pass(.sway(milliG: 6), seconds: 1) { _ in 0.4 }
    #expect(changes.count == 1 && detector.verdict.reason == .speed)
  }

  /// The threshold at the end of a steady sway of 7 mg.
  private mutating func thresholdOfSway(_ speed: Double?) -> Double {
    _ = pass(.sway(milliG: 10), seconds: 30) { _ in speed }
    guard case .measured(let sway) = detector.verdict.evidence.accelerometer else { return 0 }
    return sway.thresholdMilliG
  }

  @Test mutating func aReceiverThatAllowsARestLetsMoreNoiseBeLearned() {
    let threshold = thresholdOfSway(0.1)
    #expect((15...20).contains(threshold), "\(threshold)")
  }

  @Test(arguments: [nil, 3.0])
  mutating func withoutThatCreepingIsNotLearnedAsNoise(_ speed: Double?) {
    let threshold = thresholdOfSway(speed)
    #expect((6...7).contains(threshold), "\(threshold)")
  }

  /// White noise in two directions: the greatest of ten speeds lies two standard deviations out.
  @Test func theNoiseOfAReceiverReplacesAMissingAccuracy() throws {
    func judgement(_ speed: Double, accuracy: Double? = nil) throws -> SolutionJudgement {
      try #require(
        SolutionJudgement(
          SolutionReading(speed: speed, speedAccuracy: accuracy), restSpeed: 0.6))
    }
    // Half of 0.6 m/s: three standard deviations are 0.9 m/s.
    #expect(try !judgement(0.85).isSudden)
    #expect(try judgement(0.95).isSudden)
    #expect(try judgement(0.85, accuracy: 0.1).isSudden)
  }

  @Test func theNoiseOfABoardThatHasMovedIsForgotten() {
    var noise = RestSpeed()
    let least = noise.metersPerSecond
    for _ in 0..<10 { noise.hopEnded(0.5) }
    #expect(noise.metersPerSecond == 0.5)
    noise.forget()
    #expect(noise.metersPerSecond == least)
    noise.hopEnded(0.2)
    #expect(noise.metersPerSecond == 0.2)
  }
}
