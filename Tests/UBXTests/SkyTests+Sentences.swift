import BinnacleBasics
import BinnacleModel
import TestSupport
import Testing

@testable import UBX

/// Sentences, and the numbers of satellites in them.
extension SkyTests {
  // MARK: Sentences

  private static let rmc = NMEAEpochTests.rmc
  private static let gga = NMEAEpochTests.gga

  private static func satellite(
    _ constellation: Satellite.Constellation, _ number: Int, _ elevation: Int, _ azimuth: Int,
    _ signal: Int?, isUsed: Bool = false
  ) -> Satellite {
    Satellite(
      constellation: constellation, number: number, elevationDegrees: elevation,
      azimuthDegrees: azimuth, carrierToNoiseDBHz: signal, isUsed: isUsed)
  }

  /// The sky of an epoch of these sentences behind RMC and GGA, and how many satellites `decode` says are in view.
  private static func sky(_ sentences: [String]) -> (sky: Sky?, count: Int?) {
    let frames = ([rmc, gga] + sentences).map { Samples.sentence($0) }
    let found = skies(frames.flatMap { $0 }, isInSentences: true)
    return (found.first, Samples.solutions(frames).first?.satellitesInView)
  }

  @Test func signalsOfASatelliteAreOneSatelliteWithTheStrongest() {
    let (sky, count) = Self.sky([
      "GNGSA,A,3,04,33,,,,,,,,,,,1.31,0.72,1.10,1",
      "GPGSV,1,1,03,04,02,085,16,05,31,311,,33,,,38,1",
      "GPGSV,1,1,01,04,02,085,41,6", "GAGSV,1,1,01,04,77,354,21,7",
      "GLGSV,1,1,01,,10,020,30,1",
    ])
    #expect(count == 5)
    #expect(sky?.horizontalDilution == 0.72)
    #expect(sky?.verticalDilution == 1.1)
    #expect(sky?.positionDilution == 1.31)
    #expect(sky?.time?.rfc3339(fractionDigits: 0) == "2026-11-22T12:00:30Z")
    var geostationary = Satellite(constellation: .sbas, number: 120, isUsed: true)
    geostationary.carrierToNoiseDBHz = 38
    var unnumbered = Self.satellite(.glonass, 1, 10, 20, 30)
    unnumbered.number = nil
    #expect(
      sky?.satellites == [
        Self.satellite(.gps, 4, 2, 85, 41, isUsed: true), Self.satellite(.gps, 5, 31, 311, nil),
        geostationary, Self.satellite(.galileo, 4, 77, 354, 21), unnumbered,
      ])
  }

  @Test func aSentenceThatWasLostLeavesTheNumberInViewUnknown() {
    let (sky, count) = Self.sky(["GPGSV,2,2,05,07,10,020,30,1"])
    #expect(count == nil)
    #expect(sky?.satellites == [Self.satellite(.gps, 7, 10, 20, 30)])
  }

  @Test func aRepeatedSentenceAddsNothing() {
    let sentence = "GPGSV,1,1,01,07,10,020,30,1"
    let (sky, count) = Self.sky([sentence, sentence, "GPGSV,3,2,09,08,10,020,30,1"])
    #expect(count == 1)
    #expect(sky?.satellites.count == 1)
  }

  @Test(arguments: [
    "GPGSV,0,1,01,07,10,020,30,1", "GPGSV,1,2,01,07,10,020,30,1", "GPGSV,99,1,01,07,10,020,30,1",
    "GPGSV,1,1", "GPGSV,,,,,,,", "GPGSV,-1,-1,-1,-1", "GPGSV,1,1,00,99999999999999999999,1,1,1",
  ])
  func aSentenceOfNonsenseAddsNoSatellite(sentence: String) {
    #expect(Self.sky([sentence]).sky?.satellites ?? [] == [])
  }

  @Test func outOfRangeFieldsAreUnknown() {
    let (sky, _) = Self.sky(["GPGSV,1,1,01,07,91,361,999,1"])
    #expect(sky?.satellites == [Satellite(constellation: .gps, number: 7)])
  }

  @Test func moreSatellitesThanCanBeAreNotKept() {
    var sentences: [String] = []
    for signal in 1...9 {
      for talker in ["GP", "GL", "GA", "GB", "GQ"] {
        for number in 0..<16 {
          let ids = (1...4).map { "\(number * 4 + $0),10,020,30" }.joined(separator: ",")
          sentences.append("\(talker)GSV,16,\(number + 1),64,\(ids),\(signal)")
        }
      }
    }
    let (sky, count) = Self.sky(sentences)
    #expect(count == nil)
    #expect((sky?.satellites.count ?? 0) <= Sky.satellitesMax)
  }

  @Test func listsInFrontOfTheirEpochAreOfThatEpoch() {
    func epoch(_ second: Int) -> [[UInt8]] {
      let list = "GPGSV,1,1,01,07,10,020,\(second),1"
      let lists = ["GNGSA,A,3,07,,,,,,,,,,,,1.31,0.7\(second % 10),1.10,1", list].map {
        Samples.sentence($0)
      }
      let gga = "GNGGA,120030.00,5128.67340,N,00000.08850,W,1,12,0.7\(second % 10),47.5,M,45.7,M,,"
      return lists + NMEAEpochTests.epoch(second, [Self.rmc, gga])
    }
    let found = Self.skies((10...20).flatMap { epoch($0) }.flatMap { $0 }, isInSentences: true)
    let seconds = found.suffix(6).map { ($0.time?.calendar.second ?? 0) - 30 }
    #expect(seconds == found.suffix(6).map { $0.satellites.first?.carrierToNoiseDBHz })
    #expect(found.suffix(6).allSatisfy { $0.usedCount == 1 })
  }

  @Test func withoutTheWishNoSkyComes() {
    let frames =
      [Samples.pvt().frame, Self.list(iTOW: 43_248_000).frame]
      + [Self.rmc, Self.gga, "GPGSV,1,1,01,07,10,020,30,1"].map { Samples.sentence($0) }
    for publication in [StreamDecoder.Publication.whenEnded, .whenPositioned] {
      #expect(!Samples.story(frames, publication).contains("y"))
    }
  }

  // MARK: Numbers

  @Test func everyNumberOfSentencesComesBack() {
    let numbers: [(Satellite.Constellation, ClosedRange<Int>)] = [
      (.gps, 1...32), (.sbas, 120...151), (.galileo, 1...36), (.beidou, 1...63), (.qzss, 1...10),
      (.glonass, 1...32), (.navic, 1...14),
    ]
    var ids = 0
    for (constellation, range) in numbers {
      #expect(Satellite(constellation: constellation, number: range.upperBound + 8).nmeaID == nil)
      for number in range {
        let satellite = Satellite(constellation: constellation, number: number)
        let talker = Array((constellation.talker ?? "").utf8)
        let id = satellite.nmeaID ?? 0
        for group in [
          Satellite.Constellation(talker: (talker[0], talker[1])),
          constellation.systemID.flatMap(Satellite.Constellation.init(systemID:)),
        ] {
          let named = Satellite.named(nmeaID: id, in: group)
          #expect(named?.constellation == constellation && named?.number == number)
          ids += 1
        }
      }
    }
    #expect(ids == 2 * 219)
  }

  @Test func theNumbersOfOlderSentencesNeedNoTalker() {
    let expected: [(Int, Satellite.Constellation, Int)] = [
      (5, .gps, 5), (33, .sbas, 120), (64, .sbas, 151), (152, .sbas, 152), (65, .glonass, 1),
      (96, .glonass, 32), (173, .imes, 1), (193, .qzss, 1), (202, .qzss, 10), (301, .galileo, 1),
      (437, .beidou, 37),
    ]
    for (id, constellation, number) in expected {
      let named = Satellite.named(nmeaID: id, in: nil)
      #expect(named?.constellation == constellation && named?.number == number)
    }
    for id in [-1, 0, 97, 151, 159, 203, 337, 464, Int.max] {
      #expect(Satellite.named(nmeaID: id, in: nil) == nil)
    }
  }
}
