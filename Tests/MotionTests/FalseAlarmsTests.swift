import BinnacleBasics
import Testing

@testable import Motion

/// A mast in the wind: what ends rests for nothing is learned, what matters is still found.
struct FalseAlarmsTests {
  private var shaker = Shaker()
  private var detector = StationaryDetector(dwell: .seconds(30), at: .zero)
  /// Rests that have ended.
  private var endCount = 0

  /// Lets something happen; a receiver that is awake says a speed four times a second.
  private mutating func pass(_ act: Shaker.Act, seconds: Double, speed: Double? = 0.02) {
    for _ in 0..<Int(seconds * 4) {
      let wasStationary = detector.verdict.isStationary
      if let speed {
        _ = detector.solutionMeasured(SolutionReading(speed: speed), at: shaker.now)
      }
      _ = shaker.perform(act, seconds: 0.25, on: &detector)
      if wasStationary, !detector.verdict.isStationary { endCount += 1 }
    }
  }

  /// A lull and a gust, again and again.
  private mutating func blow(_ gusts: Int, milliG: Double = 16, speed: Double? = 0.02) {
    for _ in 0..<gusts {
      pass(.rest, seconds: 45, speed: speed)
      pass(.sway(milliG: milliG), seconds: 5, speed: speed)
    }
  }

  @Test mutating func gustsEndTwoRestsAndThenNoMore() {
    blow(10)
    #expect(endCount == 2)
  }

  @Test mutating func whereNoReceiverDeniesEveryGustEndsARest() {
    blow(10, speed: nil)
    #expect(endCount >= 9)
  }

  @Test mutating func aCarThatDrivesOffIsDetectedInSpiteOfLearnedGusts() {
    blow(4, milliG: 18)
    pass(.rest, seconds: 45)
    #expect(detector.verdict.isStationary && endCount == 2)
    // The receiver sleeps, so there are no speeds.
    pass(.rest, seconds: 10, speed: nil)
    pass(.road, seconds: 2.5, speed: nil)
    #expect(endCount == 3)
  }

  @Test mutating func motionResetsTheLearnedGusts() {
    blow(4)
    pass(.road, seconds: 20, speed: 8)
    #expect(endCount == 3)
    blow(1)
    #expect(endCount == 4)
  }

  @Test mutating func anHourWithoutWindIsForgotten() {
    blow(4)
    pass(.rest, seconds: 3_300)
    blow(1)
    #expect(endCount == 2)
    pass(.rest, seconds: 3_600)
    blow(1)
    #expect(endCount == 3)
  }

  @Test mutating func handlingIsNotLearned() {
    for _ in 0..<4 {
      pass(.rest, seconds: 45)
      pass(.sway(milliG: 60), seconds: 5)
    }
    #expect(endCount == 4)
    pass(.rest, seconds: 45)
    pass(.sway(milliG: 16), seconds: 5)
    #expect(endCount == 5)
  }

  @Test mutating func aSmoothRoadEndsARestAllTheSame() {
    blow(4)
    pass(.rest, seconds: 45)
    #expect(detector.verdict.isStationary && endCount == 2)
    // It shakes less than the gusts did, and the receiver sleeps.
    pass(.sway(milliG: 13), seconds: 1.5, speed: nil)
    #expect(detector.wantsReceiver && endCount == 2)
    pass(.sway(milliG: 13), seconds: 12, speed: nil)
    #expect(endCount == 3)
  }

  /// A chip that looks for movement by itself tells nothing for hours.
  @Test func anHourIsAnHourHoweverFewReadingsThereAre() {
    let gust = AccelerometerReading.Sway(
      milliG: 9, steadyMilliG: 9, thresholdMilliG: 5, floorMilliG: 1,
      samplesPerSecond: 50)
    let speed = SolutionJudgement(SolutionReading(speed: 0.02))
    var alarms = FalseAlarms()
    for second in [0, 100] {
      alarms.restShaken()
      alarms.hopEnded(gust, speed, at: instant(second))
      alarms.restBegan()
    }
    #expect(alarms.toleratedMilliG > 9)
    alarms.hopEnded(nil, nil, at: instant(3_650))
    #expect(alarms.toleratedMilliG > 9)
    alarms.hopEnded(nil, nil, at: instant(3_750))
    #expect(alarms.toleratedMilliG == 0)
  }

  private func instant(_ second: Int) -> Instant { .zero + .seconds(Int64(second)) }
}
