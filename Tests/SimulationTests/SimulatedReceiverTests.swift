import BinnacleBasics
import Simulation
import Testing

private let poll: [UInt8] = []

@Test(arguments: Generation.allCases)
func outOfTheBoxItSpeaksNMEAAt9600(_ generation: Generation) {
  var desk = ReceiverDesk(generation)
  desk.run(milliseconds: 5_000)
  let addresses = Set(desk.sentences.map { String($0.prefix(5)) })
  let talker = [.six, .seven].contains(generation) ? "GP" : "GN"
  #expect(
    addresses.isSuperset(
      of: ["TXT", "RMC", "VTG", "GGA", "GSA", "GLL"].map { talker + $0 } + ["GPGSV"]))
  #expect(desk.messages.isEmpty)
  let maker = talker == "GP" ? "u-blox ag" : "u-blox AG"
  #expect(desk.sentences.first == "\(talker)TXT,01,01,02,\(maker) - www.u-blox.com")
}

@Test func versionsNameTheGeneration() {
  let versions = [
    (Generation.seven, "PROTVER 14.00", 100), (.m8, "PROTVER=18.00", 160),
    (.m10, "PROTVER=34.10", 160), (.m10SPG530, "PROTVER=34.30", 160), (.six, "00040007", 40),
  ]
  for (generation, version, length) in versions {
    var desk = ReceiverDesk(generation)
    desk.run(milliseconds: 2_000)
    let answers = desk.answers(to: 0x0A, 0x04, poll)
    #expect(answers.count == 1)
    let text = String(decoding: answers.first?.payload ?? [], as: UTF8.self)
    #expect(text.contains(version))
    #expect(answers.first?.payload.count == length)
  }
}

@Test func onlyTheM10KnowsValues() {
  let values = ReceiverDesk.values([(0x2091_0007, [1])])
  var m8 = ReceiverDesk(.m8)
  var m10 = ReceiverDesk(.m10)
  m8.run(milliseconds: 1_000)
  m10.run(milliseconds: 1_000)
  #expect(m8.isAcknowledged(0x06, 0x8A, values) == false)
  #expect(m10.isAcknowledged(0x06, 0x8A, values) == true)
  #expect(m8.isAcknowledged(0x06, 0x01, [0x01, 0x07, 1]) == true)
  #expect(m10.isAcknowledged(0x06, 0x01, [0x01, 0x07, 1]) == false)
  #expect(m8.messages.contains { $0.messageClass == 1 && $0.id == 7 })
  #expect(m10.messages.contains { $0.messageClass == 1 && $0.id == 7 })
}

@Test func oneUnknownKeyRefusesTheWholeMessage() {
  var desk = ReceiverDesk(.m10)
  desk.run(milliseconds: 1_000)
  let mixed = ReceiverDesk.values([(0x2091_0007, [1]), (0x2091_0635, [1])])
  #expect(desk.isAcknowledged(0x06, 0x8A, mixed) == false)
  #expect(!desk.messages.contains { $0.messageClass == 1 })
}

@Test func theM8SendsTheOlderMessagesThatAreOrdered() {
  var desk = ReceiverDesk(.m8)
  desk.run(milliseconds: 1_000)
  for id: UInt8 in [0x02, 0x06, 0x12, 0x21, 0x61] {
    #expect(desk.isAcknowledged(0x06, 0x01, [0x01, id, 1]) == true)
  }
  desk.bytes.removeAll()
  desk.run(milliseconds: 5_000)
  let ids = desk.messages.filter { $0.messageClass == 1 }.map(\.id)
  let first = ids.firstIndex(of: 0x06) ?? 0
  #expect(ids.dropFirst(first).prefix(5) == [0x06, 0x02, 0x12, 0x21, 0x61])
}

@Test func messagesThatTheGenerationLacksAreRefused() {
  var m8 = ReceiverDesk(.m8)
  m8.run(milliseconds: 1_000)
  // NAV-ATT, HPPOSLLH, SIG; MON-RF and COMMS; SEC-SIG; an NMEA sentence and a PUBX sentence that do not exist.
  for message: [UInt8] in [
    [0x01, 0x05], [0x01, 0x14], [0x01, 0x43], [0x0A, 0x38], [0x0A, 0x36], [0x27, 0x09],
    [0xF0, 0x0B], [0xF1, 0x01],
  ] {
    #expect(m8.isAcknowledged(0x06, 0x01, message + [1]) == false, "\(message)")
    #expect(m8.isAcknowledged(0x06, 0x01, message) == false, "\(message)")
  }
  var m10 = ReceiverDesk(.m10)
  m10.run(milliseconds: 1_000)
  // The key numbers of the M8's rates inside the simulation are not keys of the M10.
  for key: UInt32 in [0x2091_0034, 0x2091_0635, 0x2091_F006, 0x2091_F030] {
    #expect(m10.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(key, [1])])) == false)
  }
  #expect(m10.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(0x2091_005C, [1])])) == true)
  #expect(m10.messages.contains { $0.messageClass == 1 && $0.id == 0x21 })
  m10.bytes.removeAll()
  m10.send(0x01, 0x06, poll)
  m10.run(milliseconds: 2_000)
  #expect(!m10.messages.contains { $0.messageClass == 1 && $0.id == 0x06 })
}

@Test func moreThan64ItemsAreRefused() {
  var desk = ReceiverDesk(.m10)
  desk.run(milliseconds: 1_000)
  let item: (key: UInt32, bytes: [UInt8]) = (0x2091_0007, [1])
  let full = ReceiverDesk.values(Array(repeating: item, count: 64))
  let tooMany = ReceiverDesk.values(Array(repeating: item, count: 65))
  #expect(desk.isAcknowledged(0x06, 0x8A, full) == true)
  #expect(desk.isAcknowledged(0x06, 0x8A, tooMany) == false)
}

@Test func valuesAreReadBackByLayer() {
  var desk = ReceiverDesk(.m10)
  desk.run(milliseconds: 1_000)
  let rate = ReceiverDesk.values([(0x3021_0001, [0xD0, 0x07])], layers: 1)
  #expect(desk.isAcknowledged(0x06, 0x8A, rate) == true)
  let key: [UInt8] = [0x01, 0x00, 0x21, 0x30]
  let current = desk.answers(to: 0x06, 0x8B, [0, 0, 0, 0] + key)
  #expect(current.first?.payload == [1, 0, 0, 0] + key + [0xD0, 0x07])
  // The data comes first, then the acknowledgement: recording pyubx2-f9p-configdebug.log.
  #expect(current.last?.payload == [0x06, 0x8B] && current.last?.id == 1)
  let factory = desk.answers(to: 0x06, 0x8B, [0, 7, 0, 0] + key)
  #expect(factory.first?.payload == [1, 7, 0, 0] + key + [0xE8, 0x03])
  // The battery-backed layer is empty.
  #expect(desk.isAcknowledged(0x06, 0x8B, [0, 1, 0, 0] + key) == false)
}

@Test func theWildcardOfTheRecordingIsAnsweredInPagesOf64() {
  var desk = ReceiverDesk(.m10)
  desk.run(milliseconds: 1_000)
  let all: [UInt8] = [0x00, 0x00, 0xFF, 0x0F]
  let first = desk.answers(to: 0x06, 0x8B, [0, 0, 0, 0] + all)
  let second = desk.answers(to: 0x06, 0x8B, [0, 0, 64, 0] + all)
  #expect(first.first?.payload.starts(with: [1, 0, 0, 0]) == true)
  #expect(second.first?.payload.starts(with: [1, 0, 64, 0]) == true)
  #expect(first.first?.payload != second.first?.payload)
}

@Test func acknowledgementsWaitBehindTheBurst() {
  var desk = ReceiverDesk(.m10)
  desk.run(milliseconds: 4_100)
  desk.send(0x06, 0x8A, ReceiverDesk.values([(0x2091_0007, [1])]))
  desk.run(milliseconds: 100)
  #expect(!desk.messages.contains { $0.messageClass == 5 })
  desk.run(milliseconds: 1_500)
  #expect(desk.messages.contains { $0.messageClass == 5 })
}

@Test func theWrongSpeedGivesGarbageBothWays() {
  var desk = ReceiverDesk(.m10)
  desk.speed = 38_400
  desk.run(milliseconds: 3_000)
  #expect(!desk.bytes.isEmpty)
  #expect(RecordedFrame.frames(in: desk.bytes).isEmpty)
  let before = desk.receiver.counters
  _ = desk.answers(to: 0x06, 0x8A, ReceiverDesk.values([(0x2091_0007, [1])]))
  #expect(desk.receiver.counters.acknowledged == before.acknowledged)
}

@Test(arguments: [UInt64](1...6))
func aNewSpeedHoldsAfterTheCommand(_ seed: UInt64) {
  for generation in Generation.allCases {
    var desk = ReceiverDesk(generation, seed: seed)
    desk.run(milliseconds: 1_000)
    desk.changeSpeed(to: 115_200)
    #expect(desk.receiver.lineSpeed == 115_200)
    #expect(desk.answers(to: 0x0A, 0x04, poll).count == 1)
  }
}

@Test func standbyForgetsRAMAndKeepsTheBattery() {
  for (layers, sends) in [(UInt8(1), false), (UInt8(3), true)] {
    var desk = ReceiverDesk(.m10)
    desk.run(milliseconds: 1_000)
    #expect(
      desk.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(0x2091_0007, [1])], layers: layers))
        == true)
    desk.send(0x02, 0x41, [0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0x28, 0, 0, 0])
    desk.run(milliseconds: 100)
    #expect(!desk.receiver.isAwake)
    desk.bytes.removeAll()
    desk.run(milliseconds: 5_000)
    #expect(desk.bytes.isEmpty)
    desk.receiver.bytesArrived([0xFF], at: 9_600, at: desk.now)
    desk.run(milliseconds: 3_000)
    #expect(desk.receiver.isAwake)
    #expect(desk.messages.contains { $0.messageClass == 1 } == sends)
  }
}

@Test func withoutForceTheM10StaysAwake() {
  var desk = ReceiverDesk(.m10)
  desk.run(milliseconds: 1_000)
  desk.send(0x02, 0x41, [0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0x28, 0, 0, 0])
  desk.send(0x02, 0x41, [0, 0, 0, 0, 2, 0, 0, 0])
  desk.run(milliseconds: 1_000)
  #expect(desk.receiver.isAwake)
}

@Test func aResetSendsTheNoticesAgain() {
  var desk = ReceiverDesk(.m8)
  desk.run(milliseconds: 2_000)
  desk.send(0x06, 0x04, [0, 0, 1, 0])
  desk.run(milliseconds: 2_000)
  let greetings = desk.sentences.filter { $0.hasSuffix("www.u-blox.com") }
  #expect(greetings.count == 2)
  #expect(desk.receiver.counters.starts == 2)
}

@Test(arguments: [UInt32(0), 1_234, UInt32.max])
func aBadSpeedInTheBatteryBackedLayerIsNotStartedWith(_ speed: UInt32) {
  var desk = ReceiverDesk(.m10)
  desk.run(milliseconds: 1_000)
  let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: speed >> UInt32($0)) }
  // Only values for RAM are checked.
  #expect(
    desk.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(0x4052_0001, bytes)], layers: 2)) == true)
  #expect(
    desk.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(0x4052_0001, bytes)], layers: 3)) == false
  )
  desk.send(0x06, 0x04, [0, 0, 1, 0])
  desk.run(milliseconds: 2_000)
  #expect(desk.receiver.lineSpeed == 9_600)
  #expect(desk.answers(to: 0x0A, 0x04, poll).count == 1)
}

@Test func generation6LacksNAVPVTAndGeneration7SendsAShorterOne() {
  var six = ReceiverDesk(.six)
  var seven = ReceiverDesk(.seven)
  six.run(milliseconds: 3_000)
  seven.run(milliseconds: 3_000)
  #expect(six.isAcknowledged(0x06, 0x01, [0x01, 0x07, 1]) == false)
  #expect(seven.isAcknowledged(0x06, 0x01, [0x01, 0x07, 1]) == true)
  seven.run(milliseconds: 2_000)
  let lengths = seven.messages.filter { $0.messageClass == 1 && $0.id == 7 }.map(\.payload.count)
  #expect(!lengths.isEmpty && lengths.allSatisfy { $0 == 84 })
  // The receiver answers neither a poll of NAV-PVT nor the request to sleep that came with M8.
  #expect(six.answers(to: 0x01, 0x07, poll).isEmpty)
  for var desk in [six, seven] {
    desk.send(0x02, 0x41, [0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0x28, 0, 0, 0])
    desk.run(milliseconds: 100)
    #expect(desk.receiver.isAwake)
    desk.send(0x02, 0x41, [0, 0, 0, 0, 2, 0, 0, 0])
    desk.run(milliseconds: 100)
    #expect(!desk.receiver.isAwake)
  }
}

@Test func otherMakersSentencesAreAnsweredAsInTheRecording() {
  var desk = ReceiverDesk(.m8)
  desk.run(milliseconds: 1_000)
  desk.receiver.bytesArrived(Array("$PMTK605*31\r\n".utf8), at: 9_600, at: desk.now)
  desk.run(milliseconds: 2_000)
  #expect(desk.sentences.contains("GNTXT,01,01,01,PMTK inv format"))
}

@Test func tooMuchForTheLineIsDroppedAndReported() {
  var desk = ReceiverDesk(.m8)
  desk.run(milliseconds: 1_000)
  // All messages at 10 Hz do not fit 9600 baud.
  desk.send(0x06, 0x08, [100, 0, 1, 0, 1, 0])
  desk.run(milliseconds: 20_000)
  #expect(desk.sentences.contains("GNTXT,01,01,00,txbuf alloc"))
}

@Test func equalSeedsGiveEqualBytes() {
  func bytes(_ seed: UInt64) -> [UInt8] {
    var desk = ReceiverDesk(.m10, start: .cold, seed: seed)
    desk.run(milliseconds: 8_000)
    return desk.bytes
  }
  #expect(bytes(3) == bytes(3))
  #expect(bytes(3) != bytes(4))
}
