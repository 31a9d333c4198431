import BinnacleBasics
import Testing

@testable import UBX

/// One solution for every epoch, whatever messages carry it.
@Suite struct EpochTests {
  // MARK: NAV-PVT

  @Test func navPVTIsPublishedAtOnceForLiveUse() {
    let frames = [Samples.pvt().frame, NavEOE(iTOWMilliseconds: 43_248_000).frame]
    #expect(Samples.story(frames, .whenPositioned) == "mPm")
    #expect(Samples.story(frames, .whenEnded) == "mmP")
  }

  @Test func withoutNavEOEAnEpochEndsWithTheNextTimeOfWeek() {
    let frames = [1_000, 2_000, 3_000].map { Samples.pvt(iTOW: $0).frame }
    #expect(Samples.story(frames, .whenEnded) == "mmPmPP")
    #expect(Samples.story(frames, .whenPositioned) == "mPmPmP")
  }

  @Test func theTimeOfWeekMayWrapAround() {
    let frames = [604_799_000, 0].map { Samples.pvt(iTOW: $0).frame }
    #expect(Samples.solutions(frames).map(\.iTOWMilliseconds) == [604_799_000, 0])
  }

  @Test func aRepeatedNavPVTIsNotASecondEpoch() {
    let frames = [
      Samples.pvt().frame, Samples.pvt().frame, NavEOE(iTOWMilliseconds: 43_248_000).frame,
      Samples.pvt().frame,
    ]
    #expect(Samples.solutions(frames, .whenPositioned).count == 1)
    #expect(Samples.solutions(frames, .whenEnded).count == 1)
  }

  @Test func aTimeOfWeekThatWasSetBackByAnEpochHasAnotherTime() {
    var later = Samples.pvt()
    later.second += 1
    let frames = [Samples.pvt().frame, Samples.pvt().frame, later.frame, later.frame]
    #expect(Samples.solutions(frames, .whenPositioned).count == 2)
    #expect(Samples.solutions(frames, .whenEnded).count == 2)
  }

  @Test func anEpochWithoutAPositionMessageIsNone() {
    var status = NavSTATUS()
    status.iTOWMilliseconds = 5_000
    let frames = [status.frame, NavEOE(iTOWMilliseconds: 5_000).frame]
    #expect(Samples.story(frames, .whenEnded) == "mm")
  }

  @Test func theShortNavPVTOfGeneration7IsAsGood() {
    var pvt = Samples.pvt()
    pvt.vehicle = nil
    #expect(pvt.payload.count == 84)
    #expect(Samples.solutions([pvt.frame]) == Samples.solutions([Samples.pvt().frame]))
  }

  @Test func theHighPrecisionPositionStandsBesideNavPVT() {
    let frames = [Samples.pvt().frame, Samples.highPrecision().frame]
    let solution = Samples.solutions(frames).first
    #expect(solution?.source == .navPVT)
    #expect(solution?.position?.latitudeE7 == 514_778_900)
    #expect(solution?.highPrecision?.latitudeE9 == 51_477_890_099)
    #expect(solution?.highPrecision?.longitudeE9 == -1_475_099)
    #expect(solution?.highPrecision?.heightE4 == 931_234)
    #expect(solution?.highPrecision?.heightMSLE4 == 474_551)
    #expect(solution?.horizontalAccuracyMillimeters == 1_250)
    #expect(Samples.solutions(frames.reversed()) == Samples.solutions(frames))
    #expect(Samples.solutions(frames, .whenPositioned).first?.highPrecision == nil)
  }

  /// Seeds 15091 and 18361: NAV-STATUS comes once a second, the position twice.
  @Test func anEpochDoesNotWaitForAStatusThatComesWithEverySecondEpoch() {
    let frames = [1_000, 1_500, 2_000, 2_500].flatMap { iTOW -> [[UInt8]] in
      var frames = Samples.generation6(iTOW: UInt32(iTOW))
      if iTOW % 1_000 != 0 { frames.remove(at: 1) }
      return frames
    }
    // The first epoch shows of what the others consist.
    #expect(Samples.story(frames, .whenPositioned) == "mmmmmmLmmmLmmmmmLmmmmL")
    #expect(Samples.solutions(frames).count == 4)
  }

  @Test func aHighPrecisionPositionAloneIsAPositionWithoutAFixType() {
    let solution = Samples.solutions([Samples.highPrecision().frame]).first
    #expect(solution?.source == .navPOSLLH)
    #expect(solution?.position?.heightMillimeters == 93_123)
    #expect(solution?.horizontalAccuracyMillimeters == 102)
    #expect(solution?.fixType == nil)
    #expect(solution?.isFixOK == false)
    var invalid = Samples.highPrecision()
    invalid.flags = 1
    let none = Samples.solutions([invalid.frame]).first
    #expect(none?.position == nil)
    #expect(none?.highPrecision == nil)
  }

  // MARK: Time and unknown values

  @Test func aNegativeFractionBelongsToTheSecondBefore() {
    var pvt = Samples.pvt()
    pvt.second = 0
    pvt.nanoseconds = -127_759
    let utc = Samples.solutions([pvt.frame]).first?.utc
    #expect(utc?.rfc3339(fractionDigits: 9) == "2026-11-22T11:59:59.999872241Z")
  }

  @Test func aLeapSecondIsTheFirstOfTheNextMinute() {
    var pvt = Samples.pvt()
    (pvt.year, pvt.month, pvt.day) = (2016, 12, 31)
    (pvt.hour, pvt.minute, pvt.second) = (23, 59, 60)
    let utc = Samples.solutions([pvt.frame]).first?.utc
    #expect(utc?.rfc3339(fractionDigits: 0) == "2017-01-01T00:00:00Z")
  }

  @Test(arguments: [[.date], [.time], []] as [NavPVT.Validity])
  func timeIsLeftOutUnlessDateAndTimeAreValid(valid: NavPVT.Validity) {
    var pvt = Samples.pvt()
    pvt.valid = valid
    let solution = Samples.solutions([pvt.frame]).first
    #expect(solution?.utc == nil)
    #expect(solution?.isDateValid == valid.contains(.date))
    #expect(solution?.isTimeValid == valid.contains(.time))
  }

  @Test func anImpossibleDateGivesNoTime() {
    var pvt = Samples.pvt()
    pvt.month = 13
    #expect(Samples.solutions([pvt.frame]).first?.utc == nil)
  }

  @Test func confirmationIsReportedOnlyWhereItIsAvailable() {
    var pvt = Samples.pvt()
    for (confirmation, expected) in [
      ([], nil), ([.available], false), ([.available, .date], false),
      ([.available, .date, .time], true), ([.date, .time], nil),
    ] as [(NavPVT.Confirmation, Bool?)] {
      pvt.confirmation = confirmation
      #expect(Samples.solutions([pvt.frame]).first?.isTimeConfirmed == expected)
    }
  }

  @Test func theValuesForUnknownAreDecodedAsAbsent() {
    var pvt = Samples.pvt()
    pvt.timeAccuracyNanoseconds = UInt32.max
    pvt.horizontalAccuracyMillimeters = UInt32.max
    pvt.verticalAccuracyMillimeters = UInt32.max
    pvt.speedAccuracyMillimetersPerSecond = UInt32.max
    pvt.headingAccuracyE5 = 18_000_000
    pvt.positionDOPE2 = 9_999
    let solution = Samples.solutions([pvt.frame]).first
    #expect(solution?.timeAccuracyNanoseconds == nil)
    #expect(solution?.horizontalAccuracyMillimeters == nil)
    #expect(solution?.verticalAccuracyMillimeters == nil)
    #expect(solution?.speedAccuracyMillimetersPerSecond == nil)
    #expect(solution?.headingAccuracyE5 == nil)
    #expect(solution?.positionDOPE2 == nil)
    #expect(solution?.position != nil)
  }

  @Test func aPositionOfZerosWithoutAFixIsNone() {
    for (fixType, isThere) in [(0, false), (1, false), (2, true), (3, true), (4, true), (5, false)]
    {
      var pvt = Samples.pvt()
      pvt.fixType = UInt8(fixType)
      (pvt.latitudeE7, pvt.longitudeE7) = (0, 0)
      #expect((Samples.solutions([pvt.frame]).first?.position != nil) == isThere)
      (pvt.latitudeE7, pvt.longitudeE7) = (0, 1)
      #expect(Samples.solutions([pvt.frame]).first?.position != nil)
      pvt.flags3 = 1
      #expect(Samples.solutions([pvt.frame]).first?.position == nil)
    }
  }

  // MARK: Generations 6 and 7

  @Test func theOlderMessagesMakeOneSolution() {
    let frames = Samples.generation6(iTOW: 1_000) + Samples.generation6(iTOW: 2_000)
    let solutions = Samples.solutions(frames)
    #expect(solutions.map(\.iTOWMilliseconds) == [1_000, 2_000])
    let solution = solutions.first
    #expect(solution?.source == .navPOSLLH)
    #expect(solution?.fixType == .threeDimensional)
    #expect(solution?.isFixOK == true)
    #expect(solution?.satelliteCount == 7)
    #expect(solution?.position?.heightMSLMillimeters == 47_456)
    #expect(solution?.velocity == NavigationSolution.Velocity(north: 1_200, east: -340, down: 50))
    #expect(solution?.groundSpeedMillimetersPerSecond == 1_250)
    #expect(solution?.positionDOPE2 == 210)
    #expect(solution?.utc?.rfc3339(fractionDigits: 3) == "2026-11-22T12:00:29.999Z")
  }

  @Test func theOlderMessagesArePublishedWithTheLastOneThatWasLearned() {
    let frames = (1...3).flatMap { Samples.generation6(iTOW: UInt32($0) * 1_000) }
    // The first epoch is published with the second one's first message, the others with their last.
    #expect(Samples.story(frames, .whenPositioned) == "mmmmm" + "mL" + "mmmmL" + "mmmmmL")
    #expect(Samples.story(frames, .whenEnded) == "mmmmm" + "mLmmmm" + "mLmmmm" + "L")
  }

  @Test func aLostMessageDelaysOneSolutionAndLosesNone() {
    var second = Samples.generation6(iTOW: 2_000)
    second.removeLast()
    let frames = Samples.generation6(iTOW: 1_000) + second + Samples.generation6(iTOW: 3_000)
    #expect(Samples.story(frames, .whenPositioned) == "mmmmm" + "mLmmm" + "mLmmmLm")
    #expect(Samples.solutions(frames, .whenPositioned).count == 3)
  }

  /// `binnacle-sim connections --generation 6 --loss 2 --seed 5`: the next messages came 4.6 s after an epoch without end.
  @Test(arguments: [true, false]) func anEpochThatHasLapsedIsNotHandedOut(isLapsed: Bool) {
    var decoder = StreamDecoder(publication: .whenPositioned)
    var times: [UInt32] = []
    for iTOW in stride(from: UInt32(1_000), through: 5_000, by: 1_000) {
      // The fourth lacks what its predecessors had.
      let messages = Samples.generation6(iTOW: iTOW).prefix(iTOW == 4_000 ? 2 : 5)
      messages.forEach { decoder.append($0) }
      while let solution = decoder.nextSolution() { times.append(solution.iTOWMilliseconds ?? 0) }
      if iTOW == 4_000, isLapsed { decoder.navigationLapsed() }
    }
    #expect(
      times == (isLapsed ? [1_000, 2_000, 3_000, 5_000] : [1_000, 2_000, 3_000, 4_000, 5_000]))
  }

  @Test func navSOLAloneGivesPositionAndVelocityOnTheEllipsoid() {
    let solution = Samples.solutions([Samples.sol(iTOW: 1_000).frame]).first
    #expect(solution?.source == .navSOL)
    // 45 degrees north, 90 degrees east, 100 m above the ellipsoid.
    #expect(solution?.position?.latitudeE7 == 450_000_000)
    #expect(solution?.position?.longitudeE7 == 900_000_000)
    #expect(abs((solution?.position?.heightMillimeters ?? 0) - 100_000) <= 10)
    #expect(solution?.position?.heightMSLMillimeters == nil)
    #expect(solution?.horizontalAccuracyMillimeters == 4_500)
    #expect(solution?.velocity == NavigationSolution.Velocity(north: 0, east: -2_000, down: 0))
    #expect(solution?.groundSpeedMillimetersPerSecond == 2_000)
    #expect(solution?.headingOfMotionE5 == 27_000_000)
    #expect(solution?.utc == nil)
  }

  @Test func theCenterOfTheEarthIsNoPosition() {
    let solution = Samples.solutions([NavSOL().frame]).first
    #expect(solution?.position == nil)
    #expect(solution?.velocity == nil)
    #expect(solution?.headingOfMotionE5 == nil)
    #expect(solution?.fixType == NavigationSolution.FixType.none)
  }

  @Test(arguments: [(0.0, 0.0), (0.0, 180.0), (90.0, 0.0), (-90.0, 0.0), (-33.9, 151.2), (80, -45)])
  func earthCenteredCoordinatesAreConvertedToTheMillimeter(latitude: Double, longitude: Double) {
    for height in [-400.0, 0, 8_848, 50_000] {
      let radius = 6_378_137.0
      let eccentricity = 0.006694379990141317
      let (sine, cosine) = (sine(degrees: latitude), cosine(degrees: latitude))
      let normal = radius / (1 - eccentricity * sine * sine).squareRoot()
      let state = EarthCenteredState(
        x: (normal + height) * cosine * BinnacleBasics.cosine(degrees: longitude),
        y: (normal + height) * cosine * BinnacleBasics.sine(degrees: longitude),
        z: (normal * (1 - eccentricity) + height) * sine, velocityX: 0, velocityY: 0, velocityZ: 0)
      #expect(state.position?.latitudeE7 == Int32(latitude * 1e7))
      if abs(latitude) < 90 { #expect(state.position?.longitudeE7 == Int32(longitude * 1e7)) }
      #expect(abs((state.position?.heightMillimeters ?? 0) - Int32(height * 1_000)) <= 1)
    }
  }

  @Test func gpsTimeWithItsLeapSecondsGivesUTC() {
    var time = NavTIMEGPS()
    (time.iTOWMilliseconds, time.fTOWNanoseconds) = (400_463_000, 78_688)
    (time.week, time.leapSeconds) = (2_307, 18)
    time.valid = [.timeOfWeek, .weekNumber, .leapSeconds]
    let frames = [Samples.sol(iTOW: 400_463_000).frame, time.frame]
    let utc = Samples.solutions(frames).first?.utc
    #expect(utc?.rfc3339(fractionDigits: 9) == "2024-03-28T15:14:05.000078688Z")
    time.valid = [.timeOfWeek, .weekNumber]
    #expect(Samples.solutions([frames[0], time.frame]).first?.utc == nil)
  }
}
