import BinnacleBasics
import BinnacleModel
import TestSupport
import Testing

@testable import UBX

/// Skies out of recordings and of damaged input.
@Suite struct SkyTests {
  // MARK: Recordings

  /// The reference of a recording: epochs, satellites, and the FNV-1a sum of the lines that `line(of:)` makes.
  ///
  /// An independent decoder found them: pyubx2 1.4.0 and pynmeagps 1.1.8, read by a script without code of this project.
  struct Reference: CustomTestStringConvertible, Sendable {
    let name: String
    let list: List
    let epochs: Int
    let satellites: Int
    let sum: UInt64

    enum List: String, Sendable {
      case navSAT = "NAV-SAT"
      case navSVINFO = "NAV-SVINFO"
      case sentences = "GSV and GSA"
    }

    init(_ name: String, _ list: List, _ epochs: Int, _ satellites: Int, _ sum: UInt64) {
      (self.name, self.list, self.epochs, self.satellites, self.sum) = (
        name, list, epochs, satellites, sum
      )
    }

    var testDescription: String { "\(list.rawValue) of \(name)" }
  }

  static let references: [Reference] = [
    Reference("gpsd-gen7-gr701w-fixloss.log", .navSVINFO, 81, 1_580, 0xc693_b9e9_427f_41b0),
    Reference("gpsd-lea-m8f.log", .navSAT, 23, 506, 0x1a6c_c688_085a_9b49),
    Reference("gpsd-m10-spg510-glo.log", .navSAT, 300, 2_700, 0xbe91_f8f0_0411_ae33),
    Reference("gpsd-navisys-gr8013.log", .navSAT, 33, 759, 0xa16e_a679_adba_d4ed),
    Reference("gpsd-neo-m8p.log", .navSAT, 59, 1_239, 0x84fd_9b27_d512_9c14),
    Reference("gpsd-neo-m9n-nmea.log", .sentences, 61, 2_623, 0x3ad7_7596_bc6b_ebe8),
    Reference("gpsd-ublox8-uniqid-monhw.log", .navSAT, 7, 94, 0x730a_5356_d8e0_3178),
    Reference("gpsd-ublox8-uniqid-monhw.log", .navSVINFO, 7, 94, 0x730a_5356_d8e0_3178),
    Reference("gpsd-ublox8-uniqid-monhw.log", .sentences, 5, 50, 0x1b68_fa33_1c4b_a5ec),
    Reference("gpsd-zed-f9p-hp.log", .navSAT, 3, 135, 0xd8d7_e0b4_c736_f156),
    Reference("gpsd-zed-f9r.log", .navSAT, 30, 1_438, 0xabe9_b265_813c_aadd),
    Reference("gpsd-zed-f9r.log", .sentences, 30, 1_380, 0x82b7_9872_35ca_1d8b),
    Reference("navsol-f9t-l2-5min.ubx", .navSAT, 299, 12_859, 0x3e65_be33_c8e9_9b26),
    Reference("pyubx2-f9p-configdebug.log", .navSAT, 2, 30, 0x9416_8501_85dc_9c36),
    Reference("pyubx2-mixed.log", .navSAT, 28, 675, 0x992c_3948_e2f4_4ec9),
    Reference("pyubx2-mixed.log", .navSVINFO, 39, 938, 0x72b2_7d52_da53_922c),
  ]

  /// Constellation, number, elevation, azimuth, C/N0, used; by constellation and number.
  static func line(of satellites: [Satellite]) -> String {
    func word(_ value: Int?) -> String { value.map(String.init) ?? "-" }
    let sorted = satellites.sorted {
      ($0.constellation.rawValue, $0.number ?? -1) < ($1.constellation.rawValue, $1.number ?? -1)
    }
    return sorted.map {
      "\($0.constellation.rawValue):\(word($0.number)):\(word($0.elevationDegrees)):"
        + "\(word($0.azimuthDegrees)):\(word($0.carrierToNoiseDBHz)):\($0.isUsed ? 1 : 0);"
    }.joined() + "\n"
  }

  static func sum(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// The skies that a decoder finds, in pieces of a size.
  static func receptions(
    _ bytes: [UInt8], piece: Int = 4_096, _ publication: StreamDecoder.Publication = .whenEnded
  ) -> [Reception] {
    var decoder = StreamDecoder(publication: publication)
    decoder.isSkyWanted = true
    var found: [Reception] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      decoder.append(Array(bytes[start..<min(bytes.count, start + piece)]))
      while let reception = decoder.next() { found.append(reception) }
    }
    decoder.finish()
    while let reception = decoder.next() { found.append(reception) }
    return found
  }

  static func skies(_ bytes: [UInt8], isInSentences wanted: Bool) -> [Sky] {
    receptions(bytes).compactMap {
      if case .sky(let sky, wanted) = $0 { sky } else { nil }
    }
  }

  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: references)
  func satellitesOfRecordingsAreThoseOfAnotherDecoder(reference: Reference) throws {
    let bytes = try TestData.bytes("ublox/logs/" + reference.name)
    let found: [[Satellite]] = Self.receptions(bytes).compactMap { reception in
      switch (reception, reference.list) {
      case (.message(.navSAT(let message)), .navSAT):
        message.satellites.compactMap { Satellite($0) }
      case (.message(.navSVINFO(let message)), .navSVINFO):
        message.channels.compactMap { Satellite($0) }
      case (.sky(let sky, isInSentences: true), .sentences): sky.satellites
      case _: nil
      }
    }
    #expect(found.count == reference.epochs)
    #expect(found.reduce(0) { $0 + $1.count } == reference.satellites)
    #expect(Self.sum(of: found.map(Self.line).joined()) == reference.sum)
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aSkyHasTheTimeAndTheDilutionsOfItsEpoch() throws {
    var count = 0
    for reference in Self.references where reference.list == .navSAT {
      // The log of the M8F and that of u-blox's own tool lack NAV-PVT or NAV-DOP in many epochs.
      guard ["navsol-f9t-l2-5min.ubx", "gpsd-neo-m8p.log"].contains(reference.name) else {
        continue
      }
      let bytes = try TestData.bytes("ublox/logs/" + reference.name)
      let skies = Self.skies(bytes, isInSentences: false)
      #expect(skies.count == reference.epochs)
      for sky in skies {
        count += 1
        #expect(sky.time != nil)
        let position = try #require(sky.positionDilution)
        let horizontal = try #require(sky.horizontalDilution)
        let vertical = try #require(sky.verticalDilution)
        // The square of PDOP is the sum of the squares of HDOP and VDOP, but for rounding.
        #expect(abs(position * position - horizontal * horizontal - vertical * vertical) < 0.08)
      }
    }
    #expect(count == 358)
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func liveDecodingFindsTheSameSkies() throws {
    for name in ["navsol-f9t-l2-5min.ubx", "gpsd-zed-f9r.log", "gpsd-neo-m9n-nmea.log"] {
      let bytes = try TestData.bytes("ublox/logs/" + name)
      let atEnd = Self.receptions(bytes, .whenEnded).compactMap(Self.satellites)
      let live = Self.receptions(bytes, piece: 64, .whenPositioned).compactMap(Self.satellites)
      // The first epoch may be entered in the middle.
      #expect(live.count >= atEnd.count - 2, "\(name)")
      #expect(live.suffix(20) == atEnd.suffix(20), "\(name)")
    }
  }

  private static func satellites(_ reception: Reception) -> [Satellite]? {
    if case .sky(let sky, _) = reception { sky.satellites } else { nil }
  }

  // MARK: UBX

  static func list(iTOW: UInt32, count: Int = 2) -> NavSAT {
    var message = NavSAT()
    message.iTOWMilliseconds = iTOW
    for index in 0..<count {
      var satellite = NavSAT.Satellite()
      satellite.satelliteID = UInt8(truncatingIfNeeded: index + 1)
      (satellite.carrierToNoiseDBHz, satellite.flags) = (40, 0x18)
      (satellite.elevationDegrees, satellite.azimuthDegrees) = (45, 180)
      message.satellites.append(satellite)
    }
    return message
  }

  static func dilutions(iTOW: UInt32) -> NavDOP {
    var message = NavDOP()
    message.iTOWMilliseconds = iTOW
    (message.positionE2, message.verticalE2, message.horizontalE2) = (109, 90, 9_999)
    return message
  }

  @Test func anUnknownValueIsNoNumber() {
    var message = Self.list(iTOW: 43_248_000, count: 3)
    message.satellites[0].elevationDegrees = -91
    message.satellites[0].carrierToNoiseDBHz = 0
    message.satellites[0].flags = 0
    (message.satellites[1].gnssID, message.satellites[1].satelliteID) = (6, 255)
    message.satellites[2].gnssID = 9
    let frames = [
      Samples.pvt().frame, Self.dilutions(iTOW: 43_248_000).frame, message.frame,
    ]
    let skies = Self.skies(frames.flatMap { $0 }, isInSentences: false)
    #expect(skies.count == 1)
    #expect(skies.first?.time == Samples.solutions([Samples.pvt().frame]).first?.utc)
    #expect(skies.first?.positionDilution == 1.09)
    #expect(skies.first?.verticalDilution == 0.9)
    #expect(skies.first?.horizontalDilution == nil)
    #expect(
      skies.first?.satellites == [
        Satellite(constellation: .gps, number: 1),
        Satellite(
          constellation: .glonass, number: nil, elevationDegrees: 45, azimuthDegrees: 180,
          carrierToNoiseDBHz: 40, isUsed: true, health: .healthy),
      ])
  }

  @Test func twoHundredAndFiftyFiveSatellitesAreListed() {
    let message = Self.list(iTOW: 1_000, count: 255)
    let skies = Self.skies(message.frame, isInSentences: false)
    #expect(skies.map(\.satellites.count) == [255])
    #expect(skies.first?.time == nil)
    let solution = Samples.solutions([Samples.pvt(iTOW: 1_000).frame, message.frame]).first
    #expect(solution?.satellitesInView == 255)
  }

  @Test func aListThatIsShorterThanItsCountGivesNoInformation() {
    for id in [NavSAT.messageID, NavSVINFO.messageID] {
      var payload = Self.list(iTOW: 43_248_000, count: 4).payload
      (payload[4], payload[5]) = (5, 5)
      let frame = UBXFrame.encode(messageClass: 1, id: id, payload: payload)
      #expect(Self.skies(frame, isInSentences: false).isEmpty)
      let solution = Samples.solutions([Samples.pvt().frame, frame]).first
      #expect(solution?.source == .navPVT)
      #expect(solution?.satellitesInView == nil)
    }
  }

  @Test func dilutionsOfAnotherEpochAreNotTaken() {
    let frames = [
      Samples.pvt(iTOW: 2_000).frame, Self.dilutions(iTOW: 1_000).frame,
      Self.list(iTOW: 2_000).frame, Samples.pvt(iTOW: 3_000).frame,
    ]
    let skies = Self.skies(frames.flatMap { $0 }, isInSentences: false)
    #expect(skies.map(\.positionDilution) == [nil])
  }

  @Test func anEpochOfDecodeHasTheListsThatComeBeforeAndBehindItsPosition() {
    let behind = Samples.solutions([
      Samples.pvt(iTOW: 1_000).frame, Self.dilutions(iTOW: 1_000).frame,
      Self.list(iTOW: 1_000, count: 7).frame, Samples.pvt(iTOW: 2_000).frame,
    ])
    #expect(behind.map(\.satellitesInView) == [7, nil])
    #expect(behind.map(\.verticalDOPE2) == [90, nil])
    #expect(behind.map(\.horizontalDOPE2) == [nil, nil])
    let before = Samples.solutions([
      Self.list(iTOW: 1_000, count: 7).frame, Samples.pvt(iTOW: 1_000).frame,
      Self.list(iTOW: 2_000, count: 8).frame, Samples.pvt(iTOW: 2_000).frame,
    ])
    #expect(before.map(\.satellitesInView) == [7, 8])
  }

  @Test func polledDilutionsDoNotDelayAPosition() {
    func frames(_ isPolled: Bool) -> [[UInt8]] {
      (0..<6).flatMap { epoch -> [[UInt8]] in
        let iTOW = UInt32(1_000 + epoch * 1_000)
        let answers = [Self.dilutions(iTOW: iTOW).frame, Self.list(iTOW: iTOW).frame]
        return Samples.generation6(iTOW: iTOW) + (isPolled ? answers : [])
      }
    }
    func solutions(_ frames: [[UInt8]]) -> [NavigationSolution] {
      Self.receptions(frames.flatMap { $0 }, .whenPositioned).compactMap {
        if case .solution(let solution) = $0 { solution } else { nil }
      }
    }
    #expect(solutions(frames(false)).count == 6)
    let polled = solutions(frames(true))
    #expect(polled.map(\.position) == solutions(frames(false)).map(\.position))
    // Behind the last message of its own epoch, in front of the answers.
    let order = Self.receptions(frames(true).flatMap { $0 }, .whenPositioned).map { reception in
      switch reception {
      case .message(.navDOP): "d"
      case .message: "m"
      case .solution: "S"
      case .sky: "y"
      }
    }.joined()
    #expect(order.hasSuffix("mmmmmSdmy"))
  }
}
