import Testing

@testable import Motion

/// Coarse steps are learned from the samples, and let more noise be learned.
struct StepWatchTests {
  private var steps = StepWatch()

  private mutating func take(_ thousandths: Double...) {
    for number in thousandths {
      if let sample = FineAcceleration(x: number / 1_000, y: 0, z: 1) {
        steps.sampleArrived(sample)
      }
    }
  }

  @Test mutating func aChipOfStepsOfTenThousandthsIsCoarse() {
    take(20, 20, 20)
    #expect(!steps.isCoarse, "no step is known")
    take(10, 30, 10, 20)
    #expect(steps.isCoarse)
  }

  @Test mutating func aFineChipShowsItselfWithOneSmallDifference() {
    take(0, 40, 0)
    #expect(steps.isCoarse)
    take(4, 100, 0)
    #expect(!steps.isCoarse)
  }

  @Test mutating func numbersCutAtTheLastDigitAreEqual() {
    take(20, 20.001, 30, 20.001)
    #expect(steps.isCoarse)
  }

  /// The threshold at the end of a steady sway of 7 mg, without a receiver.
  private static func threshold(stepMilliG: Double) -> Double {
    var shaker = Shaker()
    shaker.stepMilliG = stepMilliG
    var detector = StationaryDetector(dwell: .seconds(60), at: .zero)
    _ = shaker.perform(.sway(milliG: 10), seconds: 30, on: &detector)
    guard case .measured(let sway) = detector.verdict.evidence.accelerometer else { return 0 }
    return sway.thresholdMilliG
  }

  @Test func moreNoiseIsLearnedBehindCoarseStepsThanBehindFineOnes() {
    #expect(Self.threshold(stepMilliG: 10) == 11)
    #expect(Self.threshold(stepMilliG: 4) == 6.5)
  }
}
