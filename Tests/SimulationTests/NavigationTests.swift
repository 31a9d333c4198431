import BinnacleBasics
import Simulation
import Testing

/// The fields of NAV-PVT that these tests check, decoded without any of the project's readers.
private struct Sight {
  var year: Int
  var valid: UInt8
  var timeAccuracy: UInt32
  var fixType: UInt8
  var isFixOK: Bool
  var latitude: Int32
  var horizontalAccuracy: UInt32
  var groundSpeed: Int32
  var headingOfMotion: Int32
  var headingAccuracy: UInt32

  init(_ payload: [UInt8]) {
    func u32(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(payload[offset + $1]) << UInt32(8 * $1) }
    }
    year = Int(payload[4]) | Int(payload[5]) << 8
    valid = payload[11] & 7
    timeAccuracy = u32(12)
    fixType = payload[20]
    isFixOK = payload[21] & 1 == 1
    latitude = Int32(bitPattern: u32(28))
    horizontalAccuracy = u32(40)
    groundSpeed = Int32(bitPattern: u32(60))
    headingOfMotion = Int32(bitPattern: u32(64))
    headingAccuracy = u32(72)
  }
}

private func sights(
  start: StartKind = .hot, path: Body.Path = .still,
  dynamicModel: UInt8? = nil, seconds: Int64, skies: [(Int64, Double)] = [(0, 1)], seed: UInt64 = 5
) -> [Sight] {
  var desk = ReceiverDesk(
    .m10, start: start, seed: seed, path: path,
    skies: skies.map { World.Sky(start: .zero + .seconds($0.0), visibility: $0.1) })
  desk.run(milliseconds: 500)
  // UBX alone, so that the messages of every second fit the line.
  desk.send(0x06, 0x8A, ReceiverDesk.values([(0x2091_0007, [1]), (0x1074_0002, [0])]))
  if let dynamicModel {
    desk.send(0x06, 0x8A, ReceiverDesk.values([(0x2011_0021, [dynamicModel])]))
  }
  desk.run(milliseconds: seconds * 1_000)
  return desk.messages.filter { $0.messageClass == 1 && $0.id == 7 }.map { Sight($0.payload) }
}

@Test(arguments: [UInt64](1...8))
func aColdStartGoesThroughTheRecordedStages(_ seed: UInt64) {
  let all = sights(start: .cold, seconds: 70, seed: seed)
  #expect(all[0].valid == 0 && all[0].year == 2021)
  #expect(all.contains { $0.valid == 2 && $0.year == 2021 && $0.timeAccuracy == UInt32.max })
  #expect(all.last?.valid == 7)
  #expect(all.last?.year == 2026)
  let first = all.firstIndex { $0.fixType >= 2 } ?? 0
  #expect((20...36).contains(first))
  #expect(all[..<first].allSatisfy { $0.horizontalAccuracy == UInt32.max })
  #expect(!all[first].isFixOK)
  #expect(all.last?.isFixOK == true)
}

@Test func someStartsHaveAFixBeforeTheyKnowTheTime() {
  let early = (1...12).filter { seed in
    sights(start: .cold, seconds: 60, seed: UInt64(seed)).contains {
      $0.isFixOK && $0.timeAccuracy == UInt32.max
    }
  }
  #expect(!early.isEmpty && early.count < 12)
}

@Test func afterTheTunnelTheOldPositionStandsWithAGrowingAccuracy() {
  let all = sights(seconds: 60, skies: [(0, 1), (20, 0), (40, 1)])
  let lost = all[22...36]
  #expect(lost.allSatisfy { $0.fixType == 0 && !$0.isFixOK && $0.latitude == all[21].latitude })
  #expect(zip(lost, lost.dropFirst()).allSatisfy { $0.horizontalAccuracy < $1.horizontalAccuracy })
  #expect(all.last?.isFixOK == true)
}

@Test func beyondTheLimitsOfTheModelThereIsSilentlyNoFix() {
  #expect(sights(path: .motorway, seconds: 20).last?.isFixOK == true)
  // Pedestrian: at most 30 m/s. Sea: at most 500 m of height.
  #expect(sights(path: .motorway, dynamicModel: 3, seconds: 20).last?.fixType == 0)
  #expect(sights(path: .flight, dynamicModel: 5, seconds: 20).last?.fixType == 0)
  #expect(sights(path: .flight, dynamicModel: 7, seconds: 20).last?.isFixOK == true)
}

@Test func atRestTheNoiseIsSmallAndTheHeadingFrozen() {
  let all = sights(seconds: 120).filter { $0.isFixOK }
  let speeds = all.map(\.groundSpeed).sorted()
  // ESP/Beitian at rest: median 0.019 m/s, 99th percentile 0.077 (Docs/SOURCES.md, U4).
  #expect((10...40).contains(speeds[speeds.count / 2]))
  #expect(speeds[speeds.count * 99 / 100] < 100)
  let steps = zip(all, all.dropFirst()).map { ($1.latitude - $0.latitude).magnitude }.sorted()
  // 1e-7 degrees of latitude are 11 mm; the accuracy is some meters.
  #expect(steps[steps.count / 2] < 20)
  #expect(Set(all.map(\.headingOfMotion)).count < 5)
}

@Test func thePathAroundTheBlockIsClosed() {
  for path in [Body.Path.journey, .walk] {
    let body = Body(path: path)
    let seconds = path.legSeconds
    let start = body.motion(after: .zero)
    let end = body.motion(after: .seconds(Int64(seconds)) - .milliseconds(1))
    #expect((start.latitude - end.latitude).magnitude < 2e-6)
    #expect((start.longitude - end.longitude).magnitude < 3e-6)
    #expect((start.course - end.course).magnitude < 0.01)
  }
}
