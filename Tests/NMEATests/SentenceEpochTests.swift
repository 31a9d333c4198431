import BinnacleBasics
import BinnacleModel
import NMEA
import Testing

@Suite struct SentenceEpochTests {
  private static let time = UTCTime(
    year: 2026, month: 11, day: 23, hour: 9, minute: 5, second: 7, nanoseconds: 200_000_000)

  private static func fix(
    latitude: Double = 48.137154, longitude: Double = -11.576124
  ) -> Fix {
    Fix(
      latitude: latitude, longitude: longitude, altitude: 519.44, ellipsoidalAltitude: 566.04,
      horizontalAccuracy: 2, verticalAccuracy: 3, speed: 10, course: 84.4,
      time: UTCTime(secondsSince1970: 0), satelliteCount: 9)
  }

  private static func lines(_ epoch: SentenceEpoch) -> [String] {
    String(decoding: epoch.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  @Test func aFixIsSixSentences() {
    let epoch = SentenceEpoch(time: Self.time, fix: Self.fix())
    #expect(
      Self.lines(epoch).map { $0.split(separator: "*")[0] } == [
        "$GPRMC,090507.20,A,4808.22924,N,01134.56744,W,19.438,84.40,231126,,,A,V",
        "$GPGGA,090507.20,4808.22924,N,01134.56744,W,1,09,0.40,519.4,M,46.6,M,,",
        "$GPGSA,A,3,,,,,,,,,,,,,,,,1",
        "$GPVTG,84.40,T,,M,19.438,N,36.000,K,A",
        "$GPZDA,090507.20,23,11,2026,00,00",
        "$GPGST,090507.20,,,,,1.41,1.41,3.00",
      ])
  }

  @Test func aPositionWithReducedAccuracyHasADilutionOf25() {
    let cell = Fix(
      latitude: 48.1275, longitude: 11.5, horizontalAccuracy: 5_000,
      time: UTCTime(secondsSince1970: 0))
    let epoch = SentenceEpoch(time: Self.time, fix: cell, isReduced: true)
    #expect(
      Self.lines(epoch).map { $0.split(separator: "*")[0] } == [
        "$GPRMC,090507.20,A,4807.65000,N,01130.00000,E,,,231126,,,A,V",
        "$GPGGA,090507.20,4807.65000,N,01130.00000,E,1,04,25.00,,M,,M,,",
        "$GPGSA,A,2,,,,,,,,,,,,,,,,1",
        "$GPVTG,,T,,M,,N,,K,A",
        "$GPZDA,090507.20,23,11,2026,00,00",
        "$GPGST,090507.20,,,,,3535.53,3535.53,",
      ])
  }

  /// The checksums were computed with Python.
  @Test func anEpochWithoutAFixHasEmptyFields() {
    #expect(
      Self.lines(SentenceEpoch(time: nil, fix: nil)) == [
        "$GPRMC,,V,,,,,,,,,,N,V*29", "$GPGGA,,,,,,0,00,,,M,,M,,*66",
        "$GPGSA,A,1,,,,,,,,,,,,,,,,1*03",
        "$GPVTG,,T,,M,,N,,K,N*2C", "$GPZDA,,,,,00,00*48", "$GPGST,,,,,,,,*57",
      ])
  }

  @Test func everyLineIsASentenceOfAtMost82Characters() throws {
    var random = Random(seed: 7)
    for _ in 0..<2_000 {
      var fix = Self.fix(
        latitude: random.unit() * 180 - 90, longitude: random.unit() * 360 - 180)
      fix.altitude = random.unit() * 20_000 - 1_000
      fix.ellipsoidalAltitude = fix.altitude + random.unit() * 200 - 100
      fix.verticalAccuracy = random.unit() * 100_000
      fix.horizontalAccuracy = random.unit() * 100_000
      fix.speed = random.unit() * 500
      fix.course = random.unit() * 360
      let seconds = Int64(random.unit() * 4_000_000_000)
      let time = UTCTime(
        secondsSince1970: seconds, nanoseconds: Int64(random.unit() * 1_000_000_000))
      for line in Self.lines(SentenceEpoch(time: time, fix: fix)) {
        #expect(line.utf8.count <= 80, "\(line)")
        let parts = line.dropFirst().split(separator: "*")
        let sum = parts[0].utf8.reduce(0, ^)
        #expect(UInt8(parts[1], radix: 16) == sum)
        #expect(line.first == "$" && parts[1].count == 2)
      }
    }
  }

  @Test(arguments: [
    (59.999_999_99, "6000.00000"), (-0.000_000_01, "0000.00000"), (89.999_999_999, "9000.00000"),
    (12.5, "1230.00000"),
  ])
  func minutesAreRoundedIntoTheNextDegree(latitude: Double, angle: String) {
    let fix = Self.fix(latitude: latitude)
    let rmc = Self.lines(SentenceEpoch(time: Self.time, fix: fix))[0]
    #expect(rmc.split(separator: ",")[3] == angle)
  }

  @Test func aTimeJustBeforeMidnightIsRoundedWithItsDate() throws {
    let time = try #require(
      UTCTime(
        year: 2026, month: 12, day: 31, hour: 23, minute: 59, second: 59,
        nanoseconds: 996_000_000))
    let lines = Self.lines(SentenceEpoch(time: time, fix: nil))
    #expect(lines[0].hasPrefix("$GPRMC,000000.00,V,,,,,,,010127,"))
    #expect(lines[4].hasPrefix("$GPZDA,000000.00,01,01,2027,"))
  }

  @Test func unknownValuesAreEmptyAndASimulatedFixReportsThat() {
    let fix = Fix(
      latitude: 1, longitude: 2, horizontalAccuracy: 5, time: UTCTime(secondsSince1970: 0),
      isSimulatedBySoftware: true)
    let lines = Self.lines(SentenceEpoch(time: Self.time, fix: fix))
    #expect(lines[0].hasPrefix("$GPRMC,090507.20,A,0100.00000,N,00200.00000,E,,,231126,,,S,V*"))
    #expect(lines[1].hasPrefix("$GPGGA,090507.20,0100.00000,N,00200.00000,E,8,,1.00,,M,,M,,*"))
    #expect(lines[2].hasPrefix("$GPGSA,A,2,"))
    #expect(lines[3].hasPrefix("$GPVTG,,T,,M,,N,,K,S*"))
    #expect(lines[5].hasPrefix("$GPGST,090507.20,,,,,3.54,3.54,*"))
  }
}
