import BinnacleBasics
import BinnacleModel
import Testing
import UBX

/// Receivers that send positions in one kind of message alone give locations, or the report says why not.
@Suite struct LoneMessageTests {
  /// A kind of message that is sent alone, once a second, and the parts of its locations.
  struct Lone: CustomTestStringConvertible, Sendable {
    var name: String
    /// The bytes of a second.
    var burst: @Sendable (Int) -> [UInt8]
    /// The accuracy of the message in meters, or its estimate; the radius of a location is 1.067 times as long.
    var accuracy: Double
    var accuracyOrigin: String
    var hasDate = true
    var testDescription: String { name }
  }

  private static let noon = UTCTime(year: 2026, month: 6, day: 1, hour: 12, minute: 0, second: 0)

  private static let assumed =
    "assumed: the receiver sends neither an accuracy nor a dilution of precision"

  private static func sentence(_ before: String, _ second: Int, _ after: String) -> [UInt8] {
    UnansweredLine.frame("\(before)1200\(UnansweredLine.two(second)).00\(after)")
  }

  /// 2026-06-01 12:00:00 UTC is second 129,618 of a week of GPS, which has been 18 s ahead since 2017.
  private static func timeOfWeek(_ second: Int) -> UInt32 { UInt32(129_618 + second) * 1_000 }

  private static func pvt(_ second: Int) -> NavPVT {
    var pvt = NavPVT()
    pvt.iTOWMilliseconds = timeOfWeek(second)
    (pvt.year, pvt.month, pvt.day) = (2026, 6, 1)
    (pvt.hour, pvt.second) = (12, UInt8(second))
    pvt.valid = [.date, .time, .fullyResolved]
    (pvt.fixType, pvt.flags, pvt.satelliteCount) = (3, .gnssFixOK, 9)
    (pvt.latitudeE7, pvt.longitudeE7) = (473_852_058, 85_520_575)
    (pvt.heightMillimeters, pvt.heightMSLMillimeters) = (447_000, 400_000)
    (pvt.horizontalAccuracyMillimeters, pvt.verticalAccuracyMillimeters) = (3_000, 4_000)
    pvt.speedAccuracyMillimetersPerSecond = 200
    return pvt
  }

  static let kinds: [Lone] = [
    Lone(
      name: "RMC",
      burst: { sentence("GPRMC,", $0, ",A,4723.12345,N,00833.12345,E,0.1,,010626,,,A") },
      accuracy: 50, accuracyOrigin: assumed),
    Lone(
      name: "GLL",
      burst: { sentence("GPGLL,4723.12345,N,00833.12345,E,", $0, ",A,A") },
      accuracy: 50, accuracyOrigin: assumed, hasDate: false),
    Lone(
      name: "GNS",
      burst: { sentence("GNGNS,", $0, ",4723.12345,N,00833.12345,E,AN,14,0.80,400.0,47.0,,,V") },
      accuracy: 8, accuracyOrigin: "dilution of precision x 5 m", hasDate: false),
    Lone(
      name: "PUBX,00",
      burst: {
        sentence(
          "PUBX,00,", $0,
          ",4723.12345,N,00833.12345,E,447.000,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0")
      }, accuracy: 2.1, accuracyOrigin: "receiver", hasDate: false),
    Lone(
      name: "NAV-SOL",
      burst: { second in
        var sol = NavSOL()
        (sol.iTOWMilliseconds, sol.week) = (timeOfWeek(second), 2421)
        (sol.gpsFix, sol.flags) = (3, [.fixOK, .timeOfWeekSet, .weekNumberSet])
        (sol.ecefYCentimeters, sol.ecefZCentimeters) = (451_766_159, 448_741_912)
        (sol.positionAccuracyCentimeters, sol.speedAccuracyCentimetersPerSecond) = (450, 30)
        (sol.positionDOPE2, sol.satelliteCount) = (210, 7)
        return sol.frame
      }, accuracy: 4.5, accuracyOrigin: "receiver"),
    Lone(
      name: "NAV-PVAT",
      burst: {
        var message = NavPVAT()
        message.solution = pvt($0)
        return message.frame
      }, accuracy: 3, accuracyOrigin: "receiver"),
    Lone(
      name: "HNR-PVT",
      burst: {
        var message = HnrPVT()
        message.solution = pvt($0)
        return message.frame
      }, accuracy: 3, accuracyOrigin: "receiver"),
  ]

  @Test(arguments: kinds)
  func eachKindAloneGivesLocations(of kind: Lone) {
    var line = UnansweredLine(clock: Self.noon)
    line.play(seconds: 40, kind.burst)
    #expect(line.fixes.count >= 20)
    #expect(line.fixes.last?.time.rfc3339(fractionDigits: 0).hasPrefix("2026-06-01T12:00:") == true)
    let radius = line.fixes.last?.horizontalAccuracy ?? 0
    #expect(abs(radius - 1.067 * kind.accuracy) < 0.001)
    let report = line.report()
    #expect(report["fixes.accuracy_origin"] == .text(kind.accuracyOrigin))
    #expect(
      report["fixes.date_from"]
        == (kind.hasDate ? nil : .text("the board's clock: the receiver sends no date")))
  }

  /// NAV-POSLLH and NAV-TIMEUTC of a second, which do not report whether the position is a fix.
  private static func positionAndTime(_ second: Int) -> [UInt8] {
    var position = NavPOSLLH()
    position.iTOWMilliseconds = timeOfWeek(second)
    (position.latitudeE7, position.longitudeE7) = (473_852_058, 85_520_575)
    (position.heightMillimeters, position.heightMSLMillimeters) = (447_000, 400_000)
    position.horizontalAccuracyMillimeters = 3_000
    position.verticalAccuracyMillimeters = 4_000
    var time = NavTIMEUTC()
    (time.iTOWMilliseconds, time.timeAccuracyNanoseconds) = (timeOfWeek(second), 30)
    (time.year, time.month, time.day) = (2026, 6, 1)
    (time.hour, time.minute, time.second) = (12, UInt8(second / 60), UInt8(second % 60))
    time.valid = [.timeOfWeek, .weekNumber, .utc]
    return position.frame + time.frame
  }

  @Test func positionsWithoutAMessageOfTheirValidityAreExplained() {
    var line = UnansweredLine(clock: Self.noon)
    line.play(seconds: 40, Self.positionAndTime)
    #expect(line.fixes.isEmpty)
    let report = line.report()
    let cause = "no message of their time reports whether they are fixes"
    let trouble = "positions come, and every one is rejected: " + cause
    #expect(report["receiver.trouble"] == .text(trouble))
    let advice = "have the receiver send UBX NAV-STATUS, NAV-SOL or NAV-PVT with each position"
    #expect(report["receiver.advice"] == .text(advice))
    #expect(report["rejected.no_fix"] == .integer(0))
  }

  @Test func aNavSTATUSInEveryFourthEpochHasTheCauseOfMissingFixes() {
    var line = UnansweredLine(clock: Self.noon)
    line.play(seconds: 90) { second -> [UInt8] in
      var status = NavSTATUS()
      status.iTOWMilliseconds = Self.timeOfWeek(second)
      return (second % 4 == 0 ? status.frame : []) + Self.positionAndTime(second)
    }
    #expect(line.fixes.isEmpty)
    let trouble = "the receiver has no fix: it does not receive enough satellites"
    #expect(line.report()["receiver.trouble"] == .text(trouble))
  }

  @Test(arguments: kinds)
  func withoutATrustedClockAMissingDateIsExplained(of kind: Lone) {
    var line = UnansweredLine()
    line.play(seconds: 40, kind.burst)
    #expect(line.fixes.isEmpty != kind.hasDate)
    let report = line.report()
    let reason =
      "unknown: the receiver sends no date, and the board's clock is not known to be right"
    #expect(report["fixes.date_from"] == (kind.hasDate ? nil : .text(reason)))
  }
}
