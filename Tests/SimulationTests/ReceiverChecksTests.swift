import BinnacleBasics
import Simulation
import TestSupport
import Testing

@Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
func everyRecordingPassesTheChecks() throws {
  for name in try TestData.ubloxLogs() {
    let frames = RecordedFrame.frames(in: try TestData.bytes("ublox/logs/\(name)"))
    #expect(!frames.isEmpty, "\(name)")
    #expect(ReceiverChecks.violations(in: frames).map(\.description) == [], "\(name)")
  }
}

/// The output of a simulated receiver with all messages on, from a start through a tunnel and back.
private func output(
  _ generation: Generation, _ start: StartKind, _ path: Body.Path, seed: UInt64
) -> [UInt8] {
  let skies = [(0, 1.0), (50, 0.0), (60, 0.25), (75, 1.0)].map {
    World.Sky(start: .zero + .seconds($0.0), visibility: $0.1)
  }
  var desk = ReceiverDesk(generation, start: start, seed: seed, path: path, skies: skies)
  desk.run(milliseconds: 1_000)
  desk.changeSpeed(to: 115_200)
  for message in generation.messages { #expect(desk.setRate(message, 1) == true) }
  desk.bytes.removeAll()
  desk.run(milliseconds: 90_000)
  return desk.bytes
}

@Test(arguments: Generation.allCases, [StartKind.cold, .warm, .hot])
func theSimulatorPassesTheSameChecks(_ generation: Generation, _ start: StartKind) {
  for (index, path) in [Body.Path.still, .journey, .walk].enumerated() {
    let bytes = output(generation, start, path, seed: UInt64(index) + 10)
    let frames = RecordedFrame.frames(in: bytes)
    let main: UInt8 = generation == .six ? 0x06 : 0x07
    #expect(frames.count { $0.kind == .ubx && $0.id == main } > 80)
    #expect(frames.count { $0.kind == .nmea } > 500)
    #expect(ReceiverChecks.violations(in: frames).map(\.description) == [], "\(path)")
    // No byte lies outside frames: the line is clean.
    #expect(frames.reduce(0) { $0 + $1.length } >= bytes.count - 200)
  }
}

@Test(arguments: [
  // Offset in NAV-PVT, the byte to write there, and the property that must report the change.
  (21, UInt8(1), "gnssFixOK needs a fix"),
  (36, 0x01, "sentinels"),
  (11, 0x04, "fully resolved"),
  (23, 9, "fixType 0 uses no satellites"),
  (61, 0x40, "ground speed is the length"),
  (78, 0x01, "invalidLlh"),
])
func aSabotagedSimulatorFailsTheChecks(_ offset: Int, _ byte: UInt8, _ property: String) throws {
  let bytes = output(.m10, .cold, .still, seed: 10)
  var frames = RecordedFrame.frames(in: bytes)
  let index = try #require(frames.firstIndex { $0.kind == .ubx && $0.id == 0x07 })
  frames[index].payload[offset] = byte
  let violations = ReceiverChecks.violations(in: frames)
  #expect(violations.contains { $0.property.contains(property) })
}

@Test(arguments: [
  // Id, an offset in the payload, and the message that must be reported.
  (UInt8(0x02), 8, "NAV-POSLLH"), (0x02, 24, "NAV-POSLLH"),
  (0x12, 4, "NAV-VELNED"), (0x12, 16, "NAV-VELNED"), (0x12, 24, "NAV-VELNED"),
  (0x06, 10, "NAV-SOL"), (0x06, 12, "NAV-SOL"), (0x06, 20, "NAV-SOL"), (0x06, 28, "NAV-SOL"),
  (0x06, 47, "NAV-SOL"), (0x21, 8, "NAV-TIMEUTC"), (0x21, 18, "NAV-TIMEUTC"),
  (0x01, 4, "NAV-POSECEF"), (0x01, 16, "NAV-POSECEF"), (0x11, 8, "NAV-VELECEF"),
  (0x20, 5, "NAV-TIMEGPS"), (0x20, 10, "NAV-TIMEGPS"),
])
func aCompanionThatDiffersFromItsPVTFails(_ id: UInt8, _ offset: Int, _ name: String) throws {
  var frames = RecordedFrame.frames(in: output(.m8, .hot, .journey, seed: 10))
  let found = frames.indices.filter {
    frames[$0].kind == .ubx && frames[$0].messageClass == 0x01 && frames[$0].id == id
  }
  #expect(found.count > 80)
  // A difference of four units exceeds any rounding.
  frames[found[20]].payload[offset] ^= 0x04
  #expect(
    ReceiverChecks.violations(in: frames).contains { $0.property == "\(name) agrees with NAV-PVT" })
}

@Test(arguments: [
  // Id, an offset in the payload, and the property of generations without NAV-PVT that must report the change.
  (UInt8(0x06), 11, "gpsFixOK needs a fix"), (0x06, 15, "globe"), (0x06, 14, "solutions in a row"),
  (0x01, 5, "NAV-POSECEF is NAV-SOL's"), (0x11, 5, "NAV-VELECEF is NAV-SOL's"),
  (0x04, 6, "NAV-DOP agrees with NAV-SOL"), (0x02, 5, "NAV-POSLLH agrees with NAV-SOL"),
  (0x12, 17, "NAV-VELNED agrees with NAV-SOL"), (0x20, 5, "NAV-TIMEGPS agrees with NAV-SOL"),
  (0x22, 5, "NAV-CLOCK drifts"), (0x30, 10, "NAV-SVINFO agrees with NAV-SOL"),
  (0x30, 4, "NAV-SVINFO is well formed"),
])
func aMessageThatDiffersFromItsNAVSOLFails(
  _ id: UInt8, _ offset: Int, _ property: String
) throws {
  var frames = RecordedFrame.frames(in: output(.six, .hot, .journey, seed: 10))
  let found = frames.indices.filter {
    frames[$0].kind == .ubx && frames[$0].messageClass == 0x01 && frames[$0].id == id
  }
  #expect(found.count > 80)
  // The epochs in the tunnel have no fix.
  let index = property.hasPrefix("gpsFixOK") ? found[50] : found[20]
  frames[index].payload[offset] ^= 0x01
  #expect(ReceiverChecks.violations(in: frames).contains { $0.property.contains(property) })
}

@Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
func theRecordingOfGeneration7HasTheReferenceOfNAVSOL() throws {
  let bytes = try TestData.bytes("ublox/logs/gpsd-gen7-gr701w-fixloss.log")
  let whole = RecordedFrame.frames(in: bytes)
  #expect(ReceiverChecks.violations(in: whole) == [])
  for (id, offset) in [(UInt8(0x04), 6), (0x20, 5), (0x22, 5), (0x30, 4), (0x06, 14)] {
    var frames = whole
    let index = try #require(frames.indices.filter { frames[$0].id == id }.dropFirst(5).first)
    frames[index].payload[offset] ^= 0x40
    #expect(!ReceiverChecks.violations(in: frames).isEmpty, "\(id)")
  }
}

@Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
func theRecordingsHaveEveryCompanion() throws {
  var ids: Set<UInt8> = []
  for name in ["gpsd-ublox8-uniqid-monhw.log", "pyubx2-mixed.log"] {
    var frames = RecordedFrame.frames(in: try TestData.bytes("ublox/logs/\(name)"))
    for index in frames.indices where frames[index].messageClass == 0x01 {
      guard [0x02, 0x06, 0x12, 0x21].contains(frames[index].id) else { continue }
      let offset = frames[index].id == 0x06 ? 12 : 8
      frames[index].payload[offset] ^= 0x40
      let isNoticed = ReceiverChecks.violations(in: frames).contains {
        $0.offset == frames[index].offset && $0.property.hasSuffix("agrees with NAV-PVT")
      }
      if isNoticed { ids.insert(frames[index].id) }
      frames[index].payload[offset] ^= 0x40
    }
  }
  #expect(ids.isSuperset(of: [0x02, 0x06, 0x12, 0x21]))
}

@Test func messagesOutOfOrderFailTheChecks() throws {
  var frames = RecordedFrame.frames(in: output(.m10, .hot, .still, seed: 10))
  let end = try #require(frames.firstIndex { $0.kind == .ubx && $0.id == 0x61 })
  frames.swapAt(end, end - 1)
  #expect(
    ReceiverChecks.violations(in: frames).contains { $0.property == "NAV-EOE closes the epoch" })
}

@Test func aLeapOfThePositionFailsTheChecks() throws {
  var frames = RecordedFrame.frames(in: output(.m8, .hot, .still, seed: 10))
  let pvts = frames.indices.filter { frames[$0].kind == .ubx && frames[$0].id == 0x07 }
  // A bit in the third byte of latitude is some 700 m.
  frames[pvts[20]].payload[30] ^= 0x01
  #expect(ReceiverChecks.violations(in: frames).contains { $0.property.contains("fixes in a row") })
}
