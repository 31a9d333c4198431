import Testing

@testable import UBX

/// Receivers that send less than the usual messages, or others.
@Suite struct SparseReceiverTests {
  private static func solution(_ sentences: String...) -> NavigationSolution? {
    Samples.solutions(sentences.map(Samples.sentence)).first
  }

  @Test func rmcAloneGivesAPositionWithAnAssumedAccuracy() {
    let solution = Self.solution("GPRMC,120000,A,4723.1234,N,00833.1234,E,1.0,90.0,010626,,,A")
    #expect(solution?.sentence == .rmc)
    #expect(solution?.utc?.rfc3339(fractionDigits: 0) == "2026-06-01T12:00:00Z")
    #expect(solution?.isFixOK == true)
    #expect(
      solution?.horizontalAccuracy == HorizontalAccuracy(millimeters: 50_000, origin: .assumed))
  }

  @Test func aDilutionThatIsUnknownIsNoReasonToAssumeOne() {
    let rmc = "GPRMC,120000,A,4723.1234,N,00833.1234,E,1.0,90.0,010626,,,A"
    let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,99.99,99.99,99.99"
    #expect(Self.solution(rmc, gsa)?.horizontalAccuracy == nil)
    let good = "GPGSA,A,3,01,02,03,04,,,,,,,,,2.50,1.00,1.00"
    #expect(
      Self.solution(rmc, good)?.horizontalAccuracy
        == HorizontalAccuracy(millimeters: 12_500, origin: .dilution))
    #expect(Self.solution(rmc, good)?.satelliteCount == 4)
  }

  @Test func ggaAloneHasATimeOfDayAndNoDate() {
    let solution = Self.solution("GPGGA,235959.50,4723.1234,N,00833.1234,E,1,08,1.20,400.0,M,,M,,")
    #expect(solution?.utc == nil)
    #expect(solution?.timeOfDayNanoseconds == 86_399_500_000_000)
    #expect(solution?.isFixOK == true)
    #expect(solution?.position?.heightMSLMillimeters == 400_000)
    #expect(solution?.position?.heightMillimeters == nil)
  }

  @Test func gllGivesAPosition() {
    let good = Self.solution("GPGLL,4723.1234,N,00833.1234,E,120000.00,A,A")
    #expect(good?.sentence == .gll)
    #expect(good?.isFixOK == true)
    #expect(good?.timeOfDayNanoseconds == 43_200_000_000_000)
    #expect(Self.solution("GPGLL,4723.1234,N,00833.1234,E,120000.00,V,N")?.isFixOK == false)
    #expect(Self.solution("GPGLL,,,,,120000.00,V,N")?.position == nil)
  }

  @Test func gnsGivesAPositionAndItsQuality() {
    func gns(_ modes: String) -> NavigationSolution? {
      Self.solution("GNGNS,120000.00,4723.1234,N,00833.1234,E,\(modes),14,0.80,400.0,47.0,,,V")
    }
    let good = gns("ANN")
    #expect(good?.sentence == .gns)
    #expect(good?.satelliteCount == 14)
    #expect(good?.horizontalDOPE2 == 80)
    #expect(good?.position?.heightMSLMillimeters == 400_000)
    #expect(good?.position?.heightMillimeters == 447_000)
    #expect(good?.isFixOK == true)
    #expect(gns("NNN")?.isFixOK == false)
    #expect(gns("NNN")?.fixType == NavigationSolution.FixType.none)
    #expect(gns("EEN")?.fixType == .deadReckoning)
    #expect(gns("RRN")?.isFixOK == true)
  }

  /// The example of the u-blox 8 / M8 receiver description.
  @Test func pubx00BringsItsOwnAccuracies() {
    let text =
      "PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0"
    let solution = Self.solution(
      text, "PUBX,04,081350.00,010626,113851.00,1196,15D,1930035,-2660.664,43,")
    #expect(solution?.sentence == .pubx00)
    #expect(solution?.fixType == .threeDimensional)
    #expect(solution?.isFixOK == true)
    #expect(solution?.position?.latitudeE7 == 472_852_202)
    #expect(solution?.position?.heightMillimeters == 546_589)
    #expect(solution?.position?.heightMSLMillimeters == nil)
    #expect(
      solution?.horizontalAccuracy == HorizontalAccuracy(millimeters: 2_100, origin: .receiver))
    #expect(solution?.verticalAccuracyMillimeters == 2_000)
    #expect(solution?.groundSpeedMillimetersPerSecond == 2)
    #expect(solution?.satelliteCount == 9)
    #expect(solution?.utc?.rfc3339(fractionDigits: 0) == "2026-06-01T08:13:50Z")
    let lost = Self.solution(text.replacing(",G3,", with: ",NF,"))
    #expect(lost?.isFixOK == false)
    #expect(lost?.fixType == NavigationSolution.FixType.none)
  }

  // MARK: UBX

  @Test func navSOLNearTheCenterOfTheEarthIsNoPosition() throws {
    let solutions = SolutionTests.solutions(try Receivers.bytes("nav-sol-near-center.ubx"))
    #expect(solutions.count == 1)
    #expect(solutions.first?.position == nil)
    #expect(solutions.first?.velocity == nil)
  }

  /// 2026-11-22 is in GPS week 2446, day 0.
  private static func sol() -> NavSOL {
    var sol = Samples.sol(iTOW: 43_218_000)
    (sol.week, sol.fTOWNanoseconds) = (2_446, -500)
    return sol
  }

  @Test(arguments: [
    (634_900_000, false), (636_700_000, true), (845_000_000, true), (850_100_000, false),
    (2_100_000_000, false),
  ])
  func navSOLFarFromTheSurfaceOfTheEarthIsNoPosition(centimeters: Int32, isPosition: Bool) {
    var sol = Self.sol()
    (sol.ecefXCentimeters, sol.ecefYCentimeters, sol.ecefZCentimeters) = (centimeters, 0, 0)
    let solution = Samples.solutions([sol.frame]).first
    #expect((solution?.position != nil) == isPosition)
    #expect(isPosition == (solution?.position?.heightMillimeters != nil))
  }

  @Test func navSOLAloneHasUTCByTheLeapSecondsOfATable() {
    let solution = Samples.solutions([Self.sol().frame]).first
    #expect(solution?.utc?.rfc3339(fractionDigits: 9) == "2026-11-22T11:59:59.999999500Z")
    #expect(solution?.isUTCReckoned == true)
    var unset = Self.sol()
    unset.flags = [.fixOK, .timeOfWeekSet]
    #expect(Samples.solutions([unset.frame]).first?.utc == nil)
    var old = Self.sol()
    (old.week, old.fTOWNanoseconds) = (1_695, 0)
    // The week began 15 s before midnight of UTC; its second 15 was a leap second.
    old.iTOWMilliseconds = 14_000
    #expect(
      Samples.solutions([old.frame]).first?.utc?.rfc3339(fractionDigits: 0)
        == "2012-06-30T23:59:59Z")
    old.iTOWMilliseconds = 16_000
    #expect(
      Samples.solutions([old.frame]).first?.utc?.rfc3339(fractionDigits: 0)
        == "2012-07-01T00:00:00Z")
  }

  @Test func theReceiversOwnLeapSecondsOutweighTheTable() {
    var leap = NavTIMELS()
    (leap.sourceOfCurrent, leap.current, leap.valid) = (2, 19, 1)
    #expect(NavTIMELS(payload: leap.payload) == leap)
    let told = Samples.solutions([leap.frame, Self.sol().frame]).first
    #expect(told?.utc?.rfc3339(fractionDigits: 3) == "2026-11-22T11:59:58.999Z")
    leap.sourceOfCurrent = 0
    let byDefault = Samples.solutions([leap.frame, Self.sol().frame]).first
    #expect(byDefault?.utc?.rfc3339(fractionDigits: 3) == "2026-11-22T11:59:59.999Z")
  }

  @Test func aUTCMessageOfTheEpochDecides() {
    var time = NavTIMEUTC()
    time.iTOWMilliseconds = 43_218_000
    for frames in [[Self.sol().frame, time.frame], [time.frame, Self.sol().frame]] {
      // It says that UTC is not known.
      #expect(Samples.solutions(frames).first?.utc == nil)
      #expect(Samples.solutions(frames).first?.isUTCReckoned == false)
    }
  }

  @Test func navPVATEqualsNavPVT() {
    var message = NavPVAT()
    message.solution = Samples.pvt()
    message.solution.vehicle = NavPVT.Vehicle()
    message.solution.positionDOPE2 = 9_999
    message.solution.headingAccuracyE5 = 18_000_000
    message.solution.flags3 = 0
    #expect(message.payload.count == 116)
    #expect(NavPVAT(payload: message.payload) == message)
    var expected = Samples.solutions([message.solution.frame]).first
    expected?.source = .navPVAT
    #expect(Samples.solutions([message.frame]).first == expected)
    #expect(Samples.story([message.frame], .whenPositioned) == "mA")
    // Beside NAV-PVT it says nothing more.
    #expect(Samples.story([Samples.pvt().frame, message.frame], .whenPositioned) == "mPm")
  }

  @Test func hnrPVTIsUsedWithoutOtherPositions() {
    var message = HnrPVT()
    message.solution = Samples.pvt()
    message.solution.valid = [.date, .time, .fullyResolved]
    let read = HnrPVT(payload: message.payload)
    #expect(message.payload.count == 72)
    #expect(read?.solution.latitudeE7 == message.solution.latitudeE7)
    #expect(read?.payload == message.payload)
    func at(_ iTOW: UInt32) -> [UInt8] {
      message.solution.iTOWMilliseconds = iTOW
      return message.frame
    }
    #expect(Samples.story([at(1_000), at(1_050), at(1_100)], .whenPositioned) == "mHmHmH")
    // It runs ahead of NAV-PVT, which it must not follow with an older time.
    let beside = [Samples.pvt(iTOW: 1_000).frame, at(1_050), at(1_100)]
    #expect(Samples.story(beside, .whenPositioned) == "mPmm")
    #expect(Samples.story(beside + [at(4_000)], .whenPositioned) == "mPmmmH")
    message.solution.valid = [.date, .time]
    #expect(Samples.solutions([at(1_000)]).first?.utc == nil)
  }
}
