import BinnacleBasics
import TestSupport
import Testing

@testable import UBX

/// NMEA sentences joined into epochs, alone and beside UBX.
@Suite struct NMEAEpochTests {
  static let rmc = "GNRMC,120030.00,A,5128.67340,N,00000.08850,W,2.916,271.30,221126,,,A,V"
  static let gga = "GNGGA,120030.00,5128.67340,N,00000.08850,W,1,12,0.72,47.5,M,45.7,M,,"
  static let gsa = "GNGSA,A,3,02,05,07,,,,,,,,,,1.31,0.72,1.10,1"
  static let gst = "GNGST,120030.00,21,,,,1.2,0.9,2.4"
  static let vtg = "GNVTG,271.30,T,,M,2.916,N,5.400,K,A"
  static let zda = "GNZDA,120030.00,22,11,2026,00,00"
  static let epoch = [rmc, vtg, gga, gsa, gsa, gst, zda]

  /// The epoch a number of seconds later.
  static func epoch(_ second: Int, _ sentences: [String] = epoch) -> [[UInt8]] {
    sentences.map { sentence in
      let parts = sentence.split(separator: "120030", omittingEmptySubsequences: false)
      return Samples.sentence(parts.joined(separator: "\(120_030 + second)"))
    }
  }

  /// A flipped bit in the comma before the course: the date is read as the course.
  @Test func aCourseOfMoreThanACircleIsUnknown() {
    let merged = "GNRMC,120030.00,A,5128.67340,N,00000.08850,W,2.916<271.30,010126,,,A,V"
    let solution = Samples.solutions(Self.epoch(0, [merged, Self.gga, Self.gsa])).first
    #expect(solution?.position?.latitudeE7 == 514_778_900)
    #expect(solution?.headingOfMotionE5 == nil)
    #expect(solution?.groundSpeedMillimetersPerSecond == nil)
  }

  @Test func theSentencesOfAnEpochMakeOneSolution() {
    let solutions = Samples.solutions(Self.epoch(0))
    #expect(solutions.count == 1)
    let solution = solutions.first
    #expect(solution?.source == .nmea)
    #expect(solution?.iTOWMilliseconds == nil)
    #expect(solution?.utc?.rfc3339(fractionDigits: 2) == "2026-11-22T12:00:30.00Z")
    #expect(solution?.fixType == .threeDimensional)
    #expect(solution?.isFixOK == true)
    #expect(solution?.satelliteCount == 12)
    #expect(solution?.position?.latitudeE7 == 514_778_900)
    #expect(solution?.position?.longitudeE7 == -14_750)
    #expect(solution?.position?.heightMSLMillimeters == 47_500)
    #expect(solution?.position?.heightMillimeters == 93_200)
    #expect(solution?.horizontalAccuracyMillimeters == 1_500)
    #expect(solution?.verticalAccuracyMillimeters == 2_400)
    #expect(solution?.velocity == nil)
    #expect(solution?.groundSpeedMillimetersPerSecond == 1_500)
    #expect(solution?.headingOfMotionE5 == 27_130_000)
    #expect(solution?.positionDOPE2 == 131)
    #expect(solution?.horizontalDOPE2 == 72)
  }

  @Test func theOrderOfSentencesAndTheTalkerMakeNoDifference() {
    let expected = Samples.solutions(Self.epoch(0))
    var random = Random(seed: 5)
    for talker in ["GP", "GL", "GA", "GB", "GQ", "BD", "GN"] {
      let order =
        [Self.rmc]
        + Self.epoch.dropFirst().filter { $0 != Self.gsa }
        .shuffled(using: &random)
      let sentences = (order + [Self.gsa]).map { talker + $0.dropFirst(2) }
      #expect(Samples.solutions(Self.epoch(0, sentences)) == expected)
    }
  }

  @Test func anEpochIsPublishedWithTheLastSentenceThatWasLearned() {
    let frames = (0..<3).flatMap { Self.epoch($0) }
    #expect(
      Samples.story(frames, .whenPositioned) == "mmmmmmm" + "mNmmmmmmN" + "mmmmmmmN")
    #expect(Samples.story(frames, .whenEnded) == "mmmmmmm" + "mNmmmmmm" + "mNmmmmmm" + "N")
  }

  /// Sentences that are switched off leave an epoch behind that nothing ends.
  @Test func anEpochOlderThanAUBXPositionIsDropped() {
    var pvt = NavPVT()
    pvt.iTOWMilliseconds = 43_245_000
    (pvt.year, pvt.month, pvt.day, pvt.hour, pvt.minute, pvt.second) = (2026, 11, 22, 12, 0, 45)
    pvt.valid = [.date, .time]
    pvt.fixType = 3
    let frames = Self.epoch(0) + Self.epoch(1, [Self.rmc, Self.gga]) + [pvt.frame]
    #expect(Samples.story(frames, .whenPositioned).filter { $0 == "N" }.count == 1)
    #expect(Samples.story(frames, .whenEnded).filter { $0 == "N" }.count == 2)
    // The old epoch is not published when sentences are switched on again, either.
    let later = Self.epoch(20, [Self.rmc])
    #expect(Samples.story(frames + later, .whenPositioned).filter { $0 == "N" }.count == 2)
  }

  /// VTG has no time: if RMC and GGA of an epoch are damaged, its VTG comes directly before the next epoch's RMC.
  @Test func rmcDecidesOverAVTGOfTheEpochBefore() {
    let left = "GNVTG,90.00,T,,M,9.000,N,16.668,K,A"
    let solution = Samples.solutions([Samples.sentence(left)] + Self.epoch(1, [Self.rmc])).last
    #expect(solution?.groundSpeedMillimetersPerSecond == 1_500)
    #expect(solution?.headingOfMotionE5 == 27_130_000)
    let still = "GNRMC,120030.00,A,5128.67340,N,00000.08850,W,0.010,,221126,,,A,V"
    let resting = Samples.solutions([Samples.sentence(left)] + Self.epoch(1, [still])).last
    #expect(resting?.groundSpeedMillimetersPerSecond == 5)
    #expect(resting?.headingOfMotionE5 == nil)
  }

  /// The sentences of the epochs between are lost, so that the VTG of a later epoch stands behind those of this one.
  @Test func rmcDecidesOverAVTGOfALaterEpoch() {
    let later = "GNVTG,90.00,T,,M,9.000,N,16.668,K,A"
    let sentences = [Self.rmc, Self.gga, later]
    let solution = Samples.solutions(Self.epoch(0, sentences) + Self.epoch(2, [Self.rmc])).first
    #expect(solution?.groundSpeedMillimetersPerSecond == 1_500)
    #expect(solution?.headingOfMotionE5 == 27_130_000)
  }

  /// Some receivers write the speed of RMC in tenths of a knot.
  @Test func aVTGWithMoreDigitsThanRMCIsTaken() {
    let rmc = "GNRMC,120030.00,A,5128.67340,N,00000.08850,W,2.9,271.3,221126,,,A,V"
    let vtg = "GNVTG,271.32,T,,M,2.949,N,5.461,K,A"
    let solution = Samples.solutions(Self.epoch(0, [rmc, Self.gga, vtg])).first
    #expect(solution?.groundSpeedMillimetersPerSecond == 1_517)
    #expect(solution?.headingOfMotionE5 == 27_132_000)
  }

  @Test func emptyFieldsAreUnknownAndEpochsStillFollowEachOther() {
    let empty = [
      "GNRMC,,V,,,,,,,,,,N,V", "GNVTG,,,,,,,,,N", "GNGGA,,,,,,0,00,99.99,,,,,,",
      "GNGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99,1", "GNGST,,,,,,,,", "GNZDA,,,,,00,00",
    ]
    let solutions = Samples.solutions(Self.epoch(0, empty) + Self.epoch(0, empty))
    #expect(solutions.count == 2)
    #expect(solutions.first == solutions.last)
    let solution = solutions.first
    #expect(solution?.utc == nil)
    #expect(solution?.isDateValid == false)
    #expect(solution?.isTimeValid == false)
    #expect(solution?.fixType == NavigationSolution.FixType.none)
    #expect(solution?.isFixOK == false)
    #expect(solution?.satelliteCount == 0)
    #expect(solution?.position == nil)
    #expect(solution?.positionDOPE2 == nil)
    #expect(solution?.horizontalAccuracyMillimeters == nil)
    #expect(solution?.headingOfMotionE5 == nil)
    #expect(solution?.groundSpeedMillimetersPerSecond == nil)
  }

  @Test func southAndWestAreNegativeAndNonsenseIsNoPosition() {
    for (fields, expected) in [
      ("3352.00000,S,15112.00000,E", "-338666667 1512000000"),
      ("9000.00000,N,18000.00000,W", "900000000 -1800000000"),
      ("9000.00001,N,00000.00000,E", "none"), ("5160.00000,N,00000.00000,E", "none"),
      ("5128.67340,X,00000.08850,W", "none"), ("-128.67340,N,00000.08850,W", "none"),
      ("51286734012345678901234567890,N,00000.08850,W", "none"), ("5128.6.7,N,00000.1,W", "none"),
      ("5128.12345678,N,00000.00000000,E", "514687243 0"), (",N,,W", "none"),
    ] {
      let sentence = Samples.sentence("GNRMC,120030.00,A,\(fields),,,221126,,,A")
      let position = Samples.solutions([sentence]).first?.position
      let found = position.map { "\($0.latitudeE7) \($0.longitudeE7)" } ?? "none"
      #expect(found == expected, "\(fields)")
    }
  }

  @Test func zerosWithoutAFixAreNoPosition() {
    for (quality, isThere) in [(0, false), (1, true), (6, false)] {
      let sentences = [
        "GPGGA,120030.00,0000.00000,N,00000.00000,E,\(quality),05,1.9,0.0,M,0.0,M,,", Self.gsa,
      ]
      let solution = Samples.solutions(sentences.map(Samples.sentence)).first
      #expect((solution?.position != nil) == isThere, "quality \(quality)")
    }
  }

  @Test func aPositionThatTwoSentencesDisputeIsNone() {
    for (latitude, isThere) in [
      ("5128.67340", true), ("5128.6734", true), ("5128.673", true), ("5128.27340", false),
      // 37 m: a receiver that moves may say where it was a moment later.
      ("5128.65340", true),
    ] {
      let other = Self.gga.replacing("5128.67340", with: latitude)
      for sentences in [[Self.rmc, other], [other, Self.rmc]] {
        let solution = Samples.solutions(sentences.map(Samples.sentence)).first
        #expect((solution?.position != nil) == isThere, "\(latitude)")
      }
    }
  }

  @Test func aDeadReckonedFixIsReported() {
    let gga = Self.gga.split(separator: ",W,1,").joined(separator: ",W,6,")
    let solution = Samples.solutions(Self.epoch(0, [Self.rmc, gga, Self.gsa])).first
    #expect(solution?.fixType == .deadReckoning)
  }

  @Test func anRMCWithAFixBesideAGGAWithoutAFixIsNoFix() {
    let lost = Self.gga.replacing(",W,1,", with: ",W,0,")
    let publications: [StreamDecoder.Publication] = [.whenEnded, .whenPositioned]
    for publication in publications {
      for sentences in [[Self.rmc, lost, Self.gsa], [lost, Self.rmc], [Self.rmc, lost, lost]] {
        let solutions = Samples.solutions(Self.epoch(0, sentences), publication)
        #expect(solutions.count == 1)
        #expect(solutions.first?.isFixOK == false)
        #expect(solutions.first?.fixType == NavigationSolution.FixType.none)
      }
    }
  }

  @Test func anotherSentenceWithAFixOutweighsAGGAWithoutAFix() {
    let lost = "GPGGA,120030.00,,,,,0,00,99.99,,,,,,"
    let gns = "GNGNS,120030.00,5128.67340,N,00000.08850,W,AN,12,0.72,47.5,45.7,,,V"
    for other in [Self.gga, gns] {
      for sentences in [[Self.rmc, lost, other], [Self.rmc, other, lost]] {
        let solution = Samples.solutions(Self.epoch(0, sentences)).first
        #expect(solution?.isFixOK == true)
        #expect(solution?.fixType != NavigationSolution.FixType.none)
        #expect(solution?.position?.heightMSLMillimeters == 47_500)
        #expect(solution?.horizontalDOPE2 == 72)
      }
    }
  }

  @Test func aLeapSecondAndMidnightAreTimesLikeOthers() {
    let frames = [
      "235960.00,A,,,,,,,311216", "000000.00,A,,,,,,,010117", "240000.00,A,,,,,,,010117",
    ]
    .map { Samples.sentence("GNRMC,\($0),,,A") }
    let solutions = Samples.solutions(frames)
    let times = solutions.map { $0.utc?.rfc3339(fractionDigits: 0) }
    #expect(times == ["2017-01-01T00:00:00Z", "2017-01-01T00:00:00Z", nil])
  }

  @Test func anEpochThatUBXAlsoReportsIsNotReportedTwice() {
    for publication in [StreamDecoder.Publication.whenPositioned, .whenEnded] {
      for isUBXFirst in [true, false] {
        let frames = (0..<4).flatMap { second in
          let ubx = [Self.pvt(second).frame]
          return isUBXFirst ? ubx + Self.epoch(second) : Self.epoch(second) + ubx
        }
        let sources = Samples.solutions(frames, publication).map(\.source)
        #expect(sources == [.navPVT, .navPVT, .navPVT, .navPVT])
      }
    }
  }

  @Test func sentencesAreUsedWhereUBXIsSilent() {
    var frames: [[UInt8]] = []
    for second in 0..<8 {
      if second % 4 == 0 { frames.append(Self.pvt(second).frame) }
      frames += Self.epoch(second)
    }
    let solutions = Samples.solutions(frames)
    #expect(
      solutions.map(\.source) == [
        .navPVT, .nmea, .nmea, .nmea, .navPVT, .nmea, .nmea, .nmea,
      ])
    // The second that is nearest, since NAV-PVT's fraction is negative.
    let seconds = solutions.compactMap { ($0.utc.map { $0 + .milliseconds(1) })?.secondsSince1970 }
    #expect(seconds == seconds.sorted())
    #expect(Set(seconds).count == 8)
  }

  @Test func withoutATimeSentencesAreSilentBesideUBXPositions() {
    var pvt = Samples.pvt()
    pvt.valid = []
    let frames = (0..<4).flatMap { second -> [[UInt8]] in
      pvt.iTOWMilliseconds = UInt32(second) * 1_000
      return [pvt.frame] + Self.epoch(second)
    }
    #expect(Samples.solutions(frames).map(\.source) == [.navPVT, .navPVT, .navPVT, .navPVT])
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aRecordedChangeFromNMEAToUBXReportsEveryEpochOnce() throws {
    let bytes = try TestData.bytes("ublox/logs/gpsd-ublox8-uniqid-monhw.log")
    let solutions = SolutionTests.solutions(bytes)
    let utc = solutions.compactMap { $0.utc?.calendar.second }
    #expect(utc == [21, 22, 23, 24, 25, 26, 27, 28])
    #expect(
      solutions.map(\.source) == [.nmea]
        + [NavigationSolution.Source](
          repeating: .navPVT, count: 7))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aRecordingOfSentencesGivesOneSolutionASecond() throws {
    let bytes = try TestData.bytes("ublox/logs/gpsd-neo-m9n-nmea.log")
    for publication in [StreamDecoder.Publication.whenPositioned, .whenEnded] {
      let solutions = SolutionTests.solutions(bytes, publication)
      #expect(solutions.count == 61)
      let seconds = solutions.compactMap { $0.utc?.secondsSince1970 }
      #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 == 1 })
      #expect(seconds.count == 61)
      for solution in solutions {
        #expect(solution.fixType == .threeDimensional)
        #expect(solution.isFixOK)
        let position = solution.position
        #expect(abs((position?.latitudeE7 ?? 0) - 381_105_000) < 1_000)
        #expect(abs((position?.longitudeE7 ?? 0) + 1_226_269_000) < 1_000)
        let height = (position?.heightMSLMillimeters ?? 0) - (position?.heightMillimeters ?? 0)
        #expect(abs(height - 29_500) < 200)
      }
    }
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func theLossOfTheFixIsInTheSolutionsOfGeneration7() throws {
    let bytes = try TestData.bytes("ublox/logs/gpsd-gen7-gr701w-fixloss.log")
    let solutions = SolutionTests.solutions(bytes)
    #expect(solutions.count == 81)
    #expect(solutions.allSatisfy { $0.source == .navSOL })
    let isOK = solutions.map(\.isFixOK)
    #expect(isOK.first == true)
    #expect(isOK.last == true)
    #expect(isOK.contains(false))
    let lost = solutions.filter { $0.fixType == NavigationSolution.FixType.none }
    #expect(lost.count > 10)
    #expect(lost.allSatisfy { !$0.isFixOK && $0.positionDOPE2 == nil })
  }

  private static func pvt(_ second: Int) -> NavPVT {
    var pvt = Samples.pvt(iTOW: 43_248_000 + UInt32(second) * 1_000)
    pvt.second = UInt8(30 + second)
    pvt.nanoseconds = -399_000
    return pvt
  }
}
