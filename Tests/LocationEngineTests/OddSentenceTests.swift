import BinnacleBasics
import BinnacleModel
import LocationEngine
import TestSupport
import Testing
import UBX

/// Receivers that are not u-blox, live: a line on which nothing answers.
@Suite struct OddSentenceTests {
  private typealias Line = UnansweredLine

  @Test(arguments: ["\r\r\n", "\r", "\n", "  \r\n"])
  func aStreamWithLineEndsIsHeard(end: String) {
    var line = Line()
    line.play(seconds: 40) { second in
      let time = "1200\(Line.two(second)).00"
      return Line.frame("GNRMC,\(time),A,4723.12345,N,00833.12345,E,0.1,,010626,,,A", end: end)
        + Line.frame("GNGGA,\(time),4723.12345,N,00833.12345,E,1,08,1.00,400.0,M,,M,,", end: end)
        + Line.frame("GNGSA,A,3,01,02,03,04,,,,,,,,,2.00,1.00,1.00", end: end)
    }
    #expect(line.fixes.count >= 20)
    #expect(!line.lines.contains { $0.contains("is its ground wired") })
    #expect(line.fixes.last?.altitude == 400)
    #expect(line.fixes.last?.verticalAccuracy == 10)
    #expect(line.fixes.last?.ellipsoidalAltitude == 0)
    let report = line.report()
    #expect(report["fixes.position_from"] == .text("GGA"))
    #expect(report["fixes.accuracy_origin"] == .text("dilution of precision x 5 m"))
  }

  @Test func positionsOfAReceiverThatSendsGSAFirstAreDeliveredInTheirBurst() {
    var line = Line()
    line.play(seconds: 40) { second in
      let time = "1200\(Line.two(second)).00"
      return Line.frame("GNGSA,A,3,01,02,03,04,,,,,,,,,2.00,1.00,1.00")
        + Line.frame("GNGGA,\(time),4723.12345,N,00833.12345,E,1,08,1.00,400.0,M,47.0,M,,")
        + Line.frame("GNRMC,\(time),A,4723.12345,N,00833.12345,E,0.1,,010626,,,A")
    }
    // The second that is played last is delivered.
    #expect(line.fixes.last?.time.calendar.second == 39)
  }

  /// Chart plotters and multiplexers: RMC repeats the position of the GGA before, 2.9 m behind.
  @Test func positionsOfRMCBehindGGAAreThoseOfGGA() {
    var line = Line()
    line.play(seconds: 40) { second in
      func minutes(_ second: Int) -> String {
        // 0.00156 minutes of latitude are 2.9 m, 5.6 knots.
        let hundredThousandths = 12_000 + 156 * second
        return "4723.\(hundredThousandths)"
      }
      let time = "1200\(Line.two(second)).00"
      let gga = "GPGGA,\(time),\(minutes(second + 1)),N,00833.12345,E,1,08,1.00,400.0,M,47.0,M,,"
      let rmc = "GPRMC,\(time),A,\(minutes(second)),N,00833.12345,E,5.6,0.0,010626,,,A"
      return Line.frame(gga) + Line.frame(rmc)
    }
    #expect(line.fixes.count >= 20)
    let last = 47 + (23 + 0.12000 + 0.00156 * 40) / 60
    #expect(abs((line.fixes.last?.latitude ?? 0) - last) < 1e-6)
    #expect(line.report()["fixes.position_from"] == .text("GGA"))
  }

  @Test func severalTalkersGiveOnePositionASecond() {
    var line = Line()
    line.play(seconds: 40) { second in
      let rest = "GGA,0209\(Line.two(second)).000,4404.1351,N,12118.8556,W,1,"
      return Line.frame("GP\(rest)10,0.9,1123.9,M,-19.6,M,,0000")
        + Line.frame("GL\(rest)02,0.9,1123.9,M,-19.6,M,,0000")
        + Line.frame("GNGSA,A,3,15,17,30,28,01,19,24,11,,,,,1.8,0.9,1.5")
        + Line.frame(
          "GNRMC,0209\(Line.two(second)).000,A,4404.1351,N,12118.8556,W,0.04,359.11,050219,,,A")
    }
    #expect(line.fixes.count >= 20)
    let seconds = line.fixes.map(\.time.secondsSince1970)
    #expect(Set(seconds).count == seconds.count)
  }

  private static func gga(_ second: Int) -> [UInt8] {
    let time = "1200\(Line.two(second)).00"
    return Line.frame("GPGGA,\(time),4723.12345,N,00833.12345,E,1,08,1.00,400.0,M,47.0,M,,")
  }

  /// Multiplexers: the position is not late, and RMC gives the date.
  @Test func ggaInOneBurstWithRMCOfTheSecondBeforeIsDeliveredInItsBurst() {
    var line = Line()
    line.play(seconds: 40) { second in
      let time = "1200\(Line.two(second)).00"
      return Self.gga(second + 1)
        + Line.frame("GPRMC,\(time),A,4723.12345,N,00833.12345,E,0.1,,010626,,,A")
    }
    #expect(line.fixes.count >= 20)
    #expect(line.fixes.last?.time.rfc3339(fractionDigits: 0) == "2026-06-01T12:00:40Z")
    #expect(line.report()["rejected.time_backwards"] == .integer(0))
  }

  /// The date is behind the GGA that completes an epoch, and most epochs have none.
  @Test(arguments: [5, 10]) func positionsBetweenTwoDatesAreDelivered(period: Int) {
    var line = Line()
    line.play(seconds: 60) { second in
      let time = "1200\(Line.two(second)).00"
      let date =
        period == 5
        ? "GPRMC,\(time),A,4723.12345,N,00833.12345,E,0.1,,010626,,,A"
        : "GPZDA,\(time),01,06,2026,00,00"
      return Self.gga(second) + (second % period == 0 ? Line.frame(date) : [])
    }
    #expect(line.fixes.count >= 40)
    #expect(line.fixes.last?.time.rfc3339(fractionDigits: 0) == "2026-06-01T12:00:59Z")
    #expect(line.report()["fixes.date_from"] == nil)
  }

  @Test func ggaAloneTakesTheDateOfATrustedClock() {
    let noon = UTCTime(year: 2026, month: 6, day: 1, hour: 12, minute: 0, second: 0)
    var line = Line(clock: noon)
    line.play(seconds: 40, Self.gga)
    #expect(line.fixes.count >= 20)
    #expect(line.fixes.last?.time.rfc3339(fractionDigits: 0).hasPrefix("2026-06-01T12:00:") == true)
    #expect(
      line.report()["fixes.date_from"] == .text("the board's clock: the receiver sends no date"))
  }

  @Test func ggaAloneWithoutATrustedClockIsExplained() {
    var line = Line()
    line.play(seconds: 40, Self.gga)
    #expect(line.fixes.isEmpty)
    #expect(
      line.report()["fixes.date_from"]
        == .text(
          "unknown: the receiver sends no date, and the board's clock is not known to be right"))
  }
}
