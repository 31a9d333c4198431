import BinnacleBasics
import BinnacleModel
import NMEA
import Testing

/// Satellites in sentences: GSA, GSV, and the talker that they give to all sentences.
@Suite struct SentenceSatellitesTests {
  private static let fix = Fix(
    latitude: 48, longitude: 11, horizontalAccuracy: 2, verticalAccuracy: 3,
    time: UTCTime(secondsSince1970: 1_790_000_000))

  private static func satellite(
    _ constellation: Satellite.Constellation, _ number: Int?, isUsed: Bool = true,
    carrierToNoiseDBHz: Int? = 40
  ) -> Satellite {
    Satellite(
      constellation: constellation, number: number, elevationDegrees: 5, azimuthDegrees: 7,
      carrierToNoiseDBHz: carrierToNoiseDBHz, isUsed: isUsed)
  }

  /// The sentences without `$` and checksum.
  private static func lines(_ satellites: [Satellite], fix: Fix? = fix) -> [String] {
    let sky = Sky(
      horizontalDilution: 0.8, verticalDilution: 1.25, positionDilution: 1.5,
      satellites: satellites)
    let epoch = SentenceEpoch(time: nil, fix: fix, sky: sky, listsSatellites: true)
    return String(decoding: epoch.bytes, as: UTF8.self).split(separator: "\r\n").map {
      String($0.dropFirst().prefix { $0 != "*" })
    }
  }

  private static func lines(
    _ formatter: String, _ satellites: [Satellite], fix: Fix? = fix
  ) -> [String] {
    lines(satellites, fix: fix).filter { $0.dropFirst(2).hasPrefix(formatter) }
  }

  @Test func aFixFromSeveralSystemsHasTheTalkerGNAndAGSAForEachSystem() {
    let satellites = [
      Self.satellite(.gps, 3), Self.satellite(.galileo, 36), Self.satellite(.sbas, 123),
      Self.satellite(.glonass, 1, isUsed: false),
    ]
    #expect(
      Self.lines("GSA", satellites) == [
        "GNGSA,A,3,03,36,,,,,,,,,,,1.50,0.80,1.25,1", "GNGSA,A,3,36,,,,,,,,,,,,1.50,0.80,1.25,3",
      ])
    #expect(Self.lines("RMC", satellites)[0].hasPrefix("GNRMC,"))
  }

  @Test func aFixFromOneSystemHasTheTalkerOfThatSystem() {
    #expect(Self.lines("GGA", [Self.satellite(.beidou, 12)])[0].hasPrefix("GBGGA,"))
    #expect(Self.lines("GGA", [Self.satellite(.beidou, 12, isUsed: false)])[0].hasPrefix("GPGGA,"))
  }

  @Test func theDilutionInGGAIsTheReceivers() {
    #expect(
      Self.lines("GGA", [])[0].split(separator: ",", omittingEmptySubsequences: false)[8] == "0.80")
  }

  @Test func eachSystemListsItsSatellitesWithUsedOnesFirst() {
    var below = Self.satellite(.gps, 2, isUsed: false, carrierToNoiseDBHz: nil)
    below.elevationDegrees = -3
    below.azimuthDegrees = nil
    let satellites =
      [below] + (10...13).map { Self.satellite(.gps, $0) } + [Self.satellite(.glonass, 24)]
    #expect(
      Self.lines("GSV", satellites) == [
        "GPGSV,2,1,05,10,05,007,40,11,05,007,40,12,05,007,40,13,05,007,40,0",
        "GPGSV,2,2,05,02,-03,,,0", "GLGSV,1,1,01,88,05,007,40,0",
      ])
  }

  @Test func aSatelliteWithoutANumberOfNMEAIsLeftOut() {
    let satellites = [
      Self.satellite(.glonass, nil), Self.satellite(.imes, 3), Self.satellite(.sbas, 158),
    ]
    #expect(Self.lines("GSV", satellites).isEmpty)
    #expect(Self.lines("GSA", satellites) == ["GNGSA,A,3,,,,,,,,,,,,,1.50,0.80,1.25,1"])
  }

  @Test func withoutAPositionTheSatellitesInViewAreListedAndNoneIsUsed() {
    let satellites = [Self.satellite(.gps, 3, isUsed: false)]
    #expect(Self.lines("GSA", satellites, fix: nil) == ["GPGSA,A,1,,,,,,,,,,,,,,,,1"])
    #expect(Self.lines("GSV", satellites, fix: nil) == ["GPGSV,1,1,01,03,05,007,40,0"])
  }

  @Test func theLongestListKeepsToTheLimitsOfASentence() {
    var satellites = (1...63).map { Self.satellite(.beidou, $0, carrierToNoiseDBHz: 254) }
    for index in satellites.indices {
      satellites[index].elevationDegrees = -90
      satellites[index].azimuthDegrees = 360
    }
    let lists = Self.lines("GSV", satellites)
    #expect(lists.count == 9)
    #expect(lists.allSatisfy { $0.hasPrefix("GBGSV,9,") && $0.split(separator: ",")[3] == "36" })
    #expect(Self.lines(satellites).allSatisfy { $0.utf8.count <= 76 })
    #expect(
      Self.lines("GSA", satellites)[0].hasPrefix(
        "GBGSA,A,3,01,02,03,04,05,06,07,08,09,10,11,12,1.50,"))
  }
}
