import BinnacleModel
import Simulation
import Testing
import UBX

/// The satellites that a simulated receiver reports, by polls and by periodic messages.
@Suite struct SkyPollTests {
  private static let dilutions: UInt8 = 0x04
  private static let channels: UInt8 = 0x30
  private static let satellites: UInt8 = 0x35

  /// The number of answers of class NAV to one poll.
  private static func answers(_ desk: inout ReceiverDesk, to id: UInt8) -> Int {
    desk.bytes = []
    desk.send(0x01, id, [])
    desk.run(milliseconds: 3_000)
    return desk.messages.filter { $0.messageClass == 0x01 && $0.id == id }.count
  }

  @Test(arguments: Generation.allCases)
  func pollsAreAnsweredOnceAndEnableNothing(generation: Generation) {
    var desk = ReceiverDesk(generation)
    desk.run(milliseconds: 5_000)
    let hasList: [UInt8: Bool] = [
      Self.dilutions: true, Self.satellites: generation.messages.contains(.navSAT),
      Self.channels: generation.messages.contains(.navSVINFO),
    ]
    for (id, isThere) in hasList.sorted(by: { $0.key < $1.key }) {
      #expect(Self.answers(&desk, to: id) == (isThere ? 1 : 0), "message \(id)")
    }
    desk.bytes = []
    desk.run(milliseconds: 5_000)
    #expect(!desk.messages.contains { hasList.keys.contains($0.id) && $0.messageClass == 1 })
  }

  /// As delivered the receiver sends GSV and GSA each second; a polled list of the same epoch has the same satellites.
  @Test(arguments: Generation.allCases)
  func sentencesAndListHaveTheSameSatellites(generation: Generation) throws {
    var desk = ReceiverDesk(generation)
    desk.run(milliseconds: 20_000)
    desk.bytes = []
    let list = generation.messages.contains(.navSAT) ? Self.satellites : Self.channels
    desk.send(0x01, Self.dilutions, [])
    desk.send(0x01, list, [])
    desk.run(milliseconds: 4_000)
    var decoder = StreamDecoder(publication: .whenEnded)
    decoder.isSkyWanted = true
    decoder.append(desk.bytes)
    decoder.finish()
    var listed: Sky?
    var said: [Sky] = []
    while let reception = decoder.next() {
      if case .sky(let sky, let isInSentences) = reception {
        if isInSentences { said.append(sky) } else { listed = sky }
      }
    }
    let sky = try #require(listed)
    #expect(sky.satellites.count >= 8 && sky.usedCount >= 4)
    #expect(sky.horizontalDilution != nil && sky.verticalDilution != nil)
    func places(_ sky: Sky) -> [String] {
      sky.satellites.filter(\.isUsed).map {
        "\($0.constellation) \($0.number ?? -1) \($0.elevationDegrees ?? -99) \($0.azimuthDegrees ?? -1)"
      }.sorted()
    }
    #expect(said.count >= 2)
    // A GSA of one system has at most twelve satellites, so sentences may mark fewer.
    for other in said.dropFirst().dropLast() {
      #expect(!places(other).isEmpty)
      #expect(Set(places(other)).isSubset(of: Set(places(sky))))
    }
  }
}
