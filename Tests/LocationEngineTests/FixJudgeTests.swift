import BinnacleBasics
import BinnacleModel
import Testing
import UBX

@testable import LocationEngine

/// A good solution over Munich; each test spoils one thing.
private func solution(
  second: Int64 = 0, _ change: (inout NavigationSolution) -> Void = { _ in }
) -> NavigationSolution {
  var solution = NavigationSolution(source: .navPVT)
  solution.iTOWMilliseconds = UInt32(second * 1_000)
  solution.utc = UTCTime(secondsSince1970: 1_790_000_000 + second)
  solution.isDateValid = true
  solution.isTimeValid = true
  solution.timeAccuracyNanoseconds = 30
  solution.fixType = .threeDimensional
  solution.isFixOK = true
  solution.position = .init(
    latitudeE7: 481_370_000, longitudeE7: 115_750_000, heightMillimeters: 567_890,
    heightMSLMillimeters: 521_234)
  solution.horizontalAccuracyMillimeters = 2_000
  solution.verticalAccuracyMillimeters = 3_210
  solution.groundSpeedMillimetersPerSecond = 1_500
  solution.speedAccuracyMillimetersPerSecond = 200
  solution.headingOfMotionE5 = 9_012_345
  solution.headingAccuracyE5 = 500_000
  change(&solution)
  return solution
}

private func fix(_ change: (inout NavigationSolution) -> Void = { _ in }) -> Fix? {
  var judge = FixJudge()
  switch judge.judge(solution(change), model: .portable, isSimulated: false, at: .zero) {
  case .accepted(let fix): return fix
  case .rejected: return nil
  }
}

private func cause(_ change: (inout NavigationSolution) -> Void) -> Rejection? {
  var judge = FixJudge()
  switch judge.judge(solution(change), model: .portable, isSimulated: false, at: .zero) {
  case .accepted: return nil
  case .rejected(let cause):
    #expect(judge.rejections[cause] == 1)
    return cause
  }
}

@Suite struct FixJudgeTests {
  @Test func aGoodSolutionIsReportedInTheUnitsOfCoreLocation() {
    let expected = Fix(
      latitude: 48.137, longitude: 11.575, altitude: 521.234, ellipsoidalAltitude: 567.89,
      horizontalAccuracy: 2.134, verticalAccuracy: 3.21, speed: 1.5, speedAccuracy: 0.2,
      course: 90.12345, courseAccuracy: 5, time: UTCTime(secondsSince1970: 1_790_000_000))
    #expect(fix() == expected)
  }

  @Test(arguments: [(1_000, 1.067), (1, 0.001), (12_345, 13.172), (937, 1.0)])
  func theRadiusIsRoundedToMillimeters(millimeters: UInt32, meters: Double) {
    #expect(fix { $0.horizontalAccuracyMillimeters = millimeters }?.horizontalAccuracy == meters)
  }

  @Test(arguments: [NavigationSolution.FixType.none, .deadReckoning, .timeOnly])
  func noPositionOfSatellitesIsNoFix(type: NavigationSolution.FixType) {
    #expect(cause { $0.fixType = type } == .noFix)
  }

  @Test func aFixTypeAloneIsNotTrusted() {
    #expect(cause { $0.isFixOK = false } == .notQualified)
  }

  @Test func aPositionWithoutAMessageOfItsValidityIsNamed() {
    let lone: (inout NavigationSolution) -> Void = {
      ($0.source, $0.fixType, $0.isFixOK) = (.navPOSLLH, nil, false)
    }
    #expect(cause(lone) == .validityUnknown)
    // A receiver without a fix sends zeros, which are no position.
    let empty: (inout NavigationSolution) -> Void = {
      lone(&$0)
      $0.position = nil
    }
    #expect(cause(empty) == .noFix)
  }

  @Test func positionsThatCannotBeAreRejected() {
    #expect(cause { $0.position = nil } == .positionMissing)
    #expect(cause { $0.position?.latitudeE7 = 900_000_001 } == .positionInvalid)
    #expect(cause { $0.position?.latitudeE7 = .min } == .positionInvalid)
    #expect(cause { $0.position?.longitudeE7 = -1_800_000_001 } == .positionInvalid)
    #expect(
      cause {
        $0.position?.latitudeE7 = 0
        $0.position?.longitudeE7 = 0
      } == .positionInvalid)
    #expect(fix { $0.position?.latitudeE7 = 0 } != nil)
    // NAV-SOL always has coordinates; those far from the surface of the Earth are no position.
    let far: (inout NavigationSolution) -> Void = { ($0.source, $0.position) = (.navSOL, nil) }
    #expect(cause(far) == .positionInvalid)
  }

  @Test func anUnknownAccuracyIsNoFix() {
    #expect(cause { $0.horizontalAccuracyMillimeters = nil } == .accuracyUnknown)
    #expect(cause { $0.horizontalAccuracyMillimeters = 0 } == .accuracyUnknown)
    #expect(cause { $0.horizontalAccuracyMillimeters = .max } == .accuracyUnknown)
  }

  @Test func aFixWaitsForItsTime() {
    #expect(cause { $0.utc = nil } == .timeUnresolved)
    #expect(cause { $0.isDateValid = false } == .timeUnresolved)
    #expect(cause { $0.isTimeValid = false } == .timeUnresolved)
    #expect(cause { $0.timeAccuracyNanoseconds = nil } == .timeUnresolved)
    #expect(cause { $0.timeAccuracyNanoseconds = 1_000_000_000 } == .timeUnresolved)
    #expect(cause { $0.isTimeConfirmed = false } == .timeUnresolved)
    #expect(fix { $0.isTimeConfirmed = true } != nil)
    #expect(fix { $0.timeAccuracyNanoseconds = 999_999_999 } != nil)
  }

  @Test func aTwoDimensionalFixHoldsItsAltitudeAndDoesNotVouchForIt() {
    let flat = fix { $0.fixType = .twoDimensional }
    #expect(flat?.verticalAccuracy == -1)
    #expect(flat?.altitude == 521.234)
    #expect(flat?.ellipsoidalAltitude == 567.89)
    #expect(fix { $0.verticalAccuracyMillimeters = nil }?.verticalAccuracy == -1)
    #expect(fix { $0.fixType = .gnssAndDeadReckoning }?.verticalAccuracy == 3.21)
  }

  @Test func aCourseIsReportedOnlyInMotion() {
    #expect(fix { $0.groundSpeedMillimetersPerSecond = 499 }?.course == -1)
    #expect(fix { $0.groundSpeedMillimetersPerSecond = 500 }?.course == 90.12345)
    #expect(fix { $0.speedAccuracyMillimetersPerSecond = 751 }?.course == -1)
    #expect(fix { $0.headingAccuracyE5 = 6_000_000 }?.course == -1)
    #expect(fix { $0.headingAccuracyE5 = 5_999_999 }?.courseAccuracy == 59.99999)
    #expect(fix { $0.headingAccuracyE5 = nil }?.courseAccuracy == -1)
  }

  @Test(arguments: [(-9_000_000, 270.0), (36_000_000, 0), (-1, 359.99999), (72_000_001, 0.00001)])
  func coursesAreBelowAFullTurn(heading: Int32, degrees: Double) {
    #expect(fix { $0.headingOfMotionE5 = heading }?.course == degrees)
  }

  @Test func aNegativeSpeedIsUnknown() {
    let odd = fix { $0.groundSpeedMillimetersPerSecond = -1 }
    #expect(odd?.speed == -1)
    #expect(odd?.speedAccuracy == -1)
  }

  /// A solution of a source of sentences at the usual place, without an accuracy.
  private func sentences(
    _ change: (inout NavigationSolution) -> Void
  ) -> NavigationSolution {
    let usual = solution { $0 = $0 }
    var nmea = NavigationSolution(source: .nmea)
    nmea.utc = usual.utc
    nmea.isDateValid = true
    nmea.isTimeValid = true
    nmea.isFixOK = true
    nmea.position = usual.position
    change(&nmea)
    return nmea
  }

  @Test func sentencesWithoutAccuracyGetAConservativeOne() {
    var judge = FixJudge()
    let sentence = sentences {
      $0.fixType = .threeDimensional
      $0.positionDOPE2 = 150
      $0.horizontalDOPE2 = 90
    }
    guard
      case .accepted(let fix) = judge.judge(
        sentence, model: .portable, isSimulated: true, at: .zero)
    else {
      Issue.record("the sentence was rejected")
      return
    }
    #expect(fix.horizontalAccuracy == 8.003)
    #expect(fix.verticalAccuracy == 7.5)
    #expect(fix.isSimulatedBySoftware)
    #expect(judge.accuracyOrigin == .dilution)
  }

  @Test func aTalkerWithoutGSAGivesThePlaceAndNoAltitude() {
    var judge = FixJudge()
    let sentence = sentences { $0.horizontalDOPE2 = 90 }
    guard
      case .accepted(let fix) = judge.judge(
        sentence, model: .portable, isSimulated: false, at: .zero)
    else {
      Issue.record("the sentence was rejected")
      return
    }
    #expect(fix.horizontalAccuracy == 9.603)
    #expect(fix.verticalAccuracy == -1)
    let unfixed = sentences {
      $0.horizontalDOPE2 = 90
      $0.isFixOK = false
    }
    #expect(
      !judge.judge(unfixed, model: .portable, isSimulated: false, at: .zero).isAccepted)
  }

  @Test func anAltitudeWithoutAGeoidSeparationIsAnAltitude() {
    let found = fix { $0.position?.heightMillimeters = nil }
    #expect(found?.altitude == 521.234)
    #expect(found?.verticalAccuracy == 3.21)
    #expect(found?.ellipsoidalAltitude == 0)
    #expect(fix { $0.position?.heightMSLMillimeters = nil }?.verticalAccuracy == -1)
  }

  @Test func sentencesWithoutAnyDilutionGetAnAssumedAccuracy() {
    var judge = FixJudge()
    let sentence = sentences { $0.sentence = .rmc }
    let verdict = judge.judge(sentence, model: .portable, isSimulated: false, at: .zero)
    guard case .accepted(let fix) = verdict else {
      Issue.record("the sentence was rejected")
      return
    }
    #expect(fix.horizontalAccuracy == 53.35)
    #expect(judge.accuracyOrigin == .assumed)
    #expect(judge.sentence == .rmc)
  }

  /// The time of day, the clock in seconds since 1970, how far it may be wrong, and the time that comes of it.
  @Test(
    arguments: [
      (43_200, 1_790_000_000, 1, 1_789_992_000), (1, 1_790_035_199, 5, 1_790_035_201),
      (86_399, 1_790_035_201, 5, 1_790_035_199), (43_200, 1_790_000_000, 21_601, nil),
    ] as [(Int64, Int64, Int64, Int64?)])
  func theClockGivesTheDateToATimeOfDay(
    timeOfDay: Int64, clock: Int64, within: Int64, expected: Int64?
  ) {
    var judge = FixJudge()
    let sentence = sentences {
      $0.utc = nil
      $0.isDateValid = false
      $0.timeOfDayNanoseconds = timeOfDay * 1_000_000_000
    }
    let trusted = TrustedClock(
      read: UTCTime(secondsSince1970: clock), instant: .zero, within: .seconds(within))
    let verdict = judge.judge(
      sentence, model: .portable, isSimulated: false, clock: trusted, at: .zero)
    if let expected {
      guard case .accepted(let fix) = verdict else {
        Issue.record("the sentence was rejected")
        return
      }
      #expect(fix.time == UTCTime(secondsSince1970: expected))
      #expect(judge.dateOrigin == .clock)
    } else {
      #expect(verdict == .rejected(.timeUnresolved))
      #expect(judge.dateOrigin == .unknown)
    }
  }

  /// The error of the clock, such as `ClockWithin` of a profile, is no limit for the receiver's time.
  @Test(arguments: [true, false])
  func aReceiverEightHoursAheadOfATrustedClockIsAccepted(sendsDate: Bool) {
    var judge = FixJudge()
    let noon: Int64 = 1_789_992_000
    let sentence = sentences {
      $0.utc = sendsDate ? UTCTime(secondsSince1970: noon + 28_800) : nil
      $0.isDateValid = sendsDate
      $0.timeOfDayNanoseconds = sendsDate ? nil : (43_200 + 28_800) * 1_000_000_000
    }
    let clock = TrustedClock(
      read: UTCTime(secondsSince1970: noon), instant: .zero, within: .seconds(1))
    let verdict = judge.judge(
      sentence, model: .portable, isSimulated: false, clock: clock, at: .zero)
    guard case .accepted(let fix) = verdict else {
      Issue.record("the sentence was rejected")
      return
    }
    #expect(fix.time == UTCTime(secondsSince1970: noon + 28_800))
  }

  /// After a day the time of day fits the date of yesterday, too.
  @Test func aDateDoesNotContinueOverASilenceOfADay() throws {
    var judge = FixJudge()
    let start = try #require(solution { $0 = $0 }.utc)
    func verdict(_ seconds: Int64, at instant: Instant) -> FixJudge.Verdict {
      let sentence = sentences {
        $0.utc = UTCTime(
          secondsSince1970: start.secondsSince1970 + seconds, nanoseconds: Int64(start.nanoseconds))
        $0.isDateContinued = seconds > 0
      }
      return judge.judge(sentence, model: .portable, isSimulated: false, at: instant)
    }
    for seconds: Int64 in [0, 1, 2] {
      guard case .accepted = verdict(seconds, at: .zero + .seconds(seconds)) else {
        Issue.record("second \(seconds) was rejected")
        continue
      }
    }
    #expect(verdict(3, at: .zero + .seconds(86_403)) == .rejected(.timeUnresolved))
    #expect(judge.dateOrigin == .unknown)
  }

  @Test func gpsTimeWithLeapSecondsOfATableIsATime() {
    #expect(
      fix {
        $0.source = .navSOL
        $0.isUTCReckoned = true
        $0.timeAccuracyNanoseconds = nil
      } != nil)
    #expect(
      cause {
        $0.source = .navSOL
        $0.timeAccuracyNanoseconds = nil
      } == .timeUnresolved)
    #expect(
      fix {
        $0.source = .hnrPVT
        $0.timeAccuracyNanoseconds = nil
      } != nil)
  }

  @Test func timeNeverGoesBackwardsAndRecovers() {
    var judge = FixJudge()
    func judged(_ second: Int64, at now: Int64) -> FixJudge.Verdict {
      judge.judge(
        solution(second: second), model: .portable, isSimulated: false, at: .zero + .seconds(now))
    }
    #expect(judged(100, at: 0).isAccepted)
    #expect(judged(100, at: 1) == .rejected(.timeBackwards))
    #expect(judged(50, at: 2) == .rejected(.timeBackwards))
    #expect(judged(101, at: 3).isAccepted)
    // A receiver that has found its right time is believed when it keeps to it.
    for step in 0..<4 {
      #expect(judged(50 + Int64(step), at: 4 + Int64(step)) == .rejected(.timeBackwards))
    }
    #expect(judged(54, at: 8).isAccepted)
    #expect(judged(55, at: 9).isAccepted)
  }

  @Test func aLeapSecondAtTenHertzIsNotATimeToTrust() {
    var judge = FixJudge()
    for step in 0..<30 {
      // The second is said twice.
      let tenth = step < 20 ? step : step - 10
      let verdict = judge.judge(
        solution {
          $0.utc = UTCTime(secondsSince1970: 1_790_000_000) + .milliseconds(Int64(tenth) * 100)
        },
        model: .portable, isSimulated: false, at: .zero + .milliseconds(Int64(step) * 100))
      #expect(verdict.isAccepted == (step < 20))
    }
  }

  @Test func aJumpIsRejectedUntilItPersists() {
    var judge = FixJudge()
    func judged(_ second: Int64, degreesNorth: Int32) -> FixJudge.Verdict {
      judge.judge(
        solution(second: second) { $0.position?.latitudeE7 += degreesNorth * 10_000_000 },
        model: .pedestrian, isSimulated: false, at: .zero + .seconds(second))
    }
    #expect(judged(0, degreesNorth: 0).isAccepted)
    #expect(judged(1, degreesNorth: 1) == .rejected(.jump))
    #expect(judged(2, degreesNorth: 0).isAccepted)
    for second in 3..<7 { #expect(judged(Int64(second), degreesNorth: 1) == .rejected(.jump)) }
    #expect(judged(7, degreesNorth: 1).isAccepted)
    #expect(judge.rejections[.jump] == 5)
    // Fixes that do not agree with each other never become the truth.
    for second in 8..<40 {
      #expect(judged(Int64(second), degreesNorth: Int32(second % 3) * 7 + 3) == .rejected(.jump))
    }
  }

  @Test func aFlightIsNoJump() {
    var judge = FixJudge()
    for second in 0..<100 {
      let verdict = judge.judge(
        solution(second: Int64(second)) { $0.position?.latitudeE7 += Int32(second) * 22_000 },
        model: .airborne2g, isSimulated: false, at: .zero + .seconds(Int64(second)))
      #expect(verdict.isAccepted)
    }
  }

  @Test func theDateLineIsNoJump() {
    var judge = FixJudge()
    for (second, longitude) in [(0, 1_799_999_900), (1, -1_799_999_900)] as [(Int64, Int32)] {
      let verdict = judge.judge(
        solution(second: second) { $0.position?.longitudeE7 = longitude }, model: .pedestrian,
        isSimulated: false, at: .zero + .seconds(second))
      #expect(verdict.isAccepted)
    }
  }
}

extension FixJudge.Verdict {
  fileprivate var isAccepted: Bool {
    switch self {
    case .accepted: true
    case .rejected: false
    }
  }
}
