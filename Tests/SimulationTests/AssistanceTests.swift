import BinnacleBasics
import Simulation
import Testing

/// The records that a simulated receiver sends from its memory and accepts again: only its own, and only right data.
@Suite struct AssistanceTests {
  static let receivers: [Generation] = [.m8, .m10, .m10SPG530]

  /// A receiver's records after two minutes, as class and payload.
  static func records(_ generation: Generation, seed: UInt64) -> [[UInt8]] {
    var desk = ReceiverDesk(generation, seed: seed)
    desk.run(milliseconds: 120_000)
    desk.bytes.removeAll()
    return desk.answers(to: 0x13, 0x80, [], within: 10_000)
      .filter { $0.messageClass == 0x13 && $0.id == 0x80 }.map(\.payload)
  }

  /// MGA-INI-TIME_UTC with an error of so many seconds.
  static func time(_ desk: ReceiverDesk, error: Int64, seconds: UInt16) -> [UInt8] {
    let time = desk.receiver.world.utc(at: desk.now) + .seconds(error)
    let fields = time.calendar
    var writer = ByteWriter()
    writer.put([0x10, 0, 0, 0x80])
    writer.u16(UInt16(fields.year))
    writer.put([
      UInt8(fields.month), UInt8(fields.day), UInt8(fields.hour), UInt8(fields.minute),
      UInt8(fields.second), 0,
    ])
    writer.u32(UInt32(time.nanoseconds))
    writer.u16(seconds)
    writer.u16(0)
    writer.u32(0)
    return writer.bytes
  }

  /// MGA-INI-POS_LLH within 20 km: right, or with an error of one degree of latitude.
  static func position(_ desk: ReceiverDesk, isRight: Bool) -> [UInt8] {
    let truth = desk.receiver.world.motion(at: desk.now)
    var writer = ByteWriter()
    writer.put([0x01, 0, 0, 0])
    writer.i32(Int32((truth.latitude + (isRight ? 0 : 1)) * 1e7))
    writer.i32(Int32(truth.longitude * 1e7))
    writer.i32(45_000)
    writer.u32(2_000_000)
    return writer.bytes
  }

  /// Assists a receiver one second after its cold start; returns the seconds until its first good position.
  static func secondsToFix(
    _ generation: Generation, seed: UInt64 = 5, records: [[UInt8]], timeError: Int64 = 0,
    isPositionRight: Bool = true
  ) -> Double {
    var desk = ReceiverDesk(generation, start: .cold, seed: seed)
    desk.run(milliseconds: 1_000)
    if !records.isEmpty {
      desk.send(0x13, 0x40, time(desk, error: timeError, seconds: 2))
      desk.run(milliseconds: 100)
      desk.send(0x13, 0x40, position(desk, isRight: isPositionRight))
      desk.run(milliseconds: 100)
      for record in records {
        desk.send(0x13, 0x80, record)
        desk.run(milliseconds: 100)
      }
    }
    while desk.now < .zero + .seconds(90) {
      desk.run(milliseconds: 500)
      let hasFix = desk.sentences.contains {
        $0.dropFirst(2).hasPrefix("RMC") && $0.contains(",A,")
      }
      if hasFix { break }
    }
    return (desk.now - .zero).seconds
  }

  @Test(arguments: receivers)
  func withItsOwnRecordsAColdStartIsAHotOne(_ generation: Generation) {
    let records = Self.records(generation, seed: 5)
    #expect(records.count >= 4)
    #expect(Self.secondsToFix(generation, records: records) <= 15)
    #expect(Self.secondsToFix(generation, records: []) >= 30)
  }

  @Test(arguments: receivers)
  func aChangedByteAnotherReceiverOrAWrongTimeLeavesItCold(_ generation: Generation) {
    let records = Self.records(generation, seed: 5)
    for byte in [0, 11, 12, 40, 79] {
      var changed = records
      changed[changed.count / 2][byte] ^= 0x10
      #expect(Self.secondsToFix(generation, records: changed) >= 30, "byte \(byte)")
    }
    #expect(
      Self.secondsToFix(generation, records: Self.records(generation, seed: 6)) >= 30)
    #expect(Self.secondsToFix(generation, records: records, timeError: 3) >= 30)
    #expect(Self.secondsToFix(generation, records: records, timeError: -3) >= 30)
    #expect(Self.secondsToFix(generation, records: records, isPositionRight: false) >= 30)
  }

  @Test func recordsBeforeTheTimeAreRefusedWithAMessage() {
    let records = Self.records(.m10, seed: 5)
    var desk = ReceiverDesk(.m10, start: .cold, seed: 5)
    desk.run(milliseconds: 1_000)
    // CFG-NAVSPG-ACKAIDING.
    #expect(desk.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(0x1011_0025, [1])])) == true)
    let refused = desk.answers(to: 0x13, 0x80, records[0])
    #expect(refused.map(\.payload) == [[0, 0, 1, 0x80] + records[0].prefix(4)])
    desk.send(0x13, 0x40, Self.time(desk, error: 0, seconds: 2))
    desk.run(milliseconds: 500)
    let taken = desk.answers(to: 0x13, 0x80, records[0])
    #expect(taken.map(\.payload) == [[1, 0, 0, 0x80] + records[0].prefix(4)])
    var changed = records[0]
    changed[30] ^= 1
    let foreign = desk.answers(to: 0x13, 0x80, changed)
    #expect(foreign.map(\.payload) == [[0, 0, 4, 0x80] + records[0].prefix(4)])
  }

  @Test func assistanceIsNotAcknowledgedAsDelivered() {
    for generation in Self.receivers {
      var desk = ReceiverDesk(generation, start: .cold, seed: 5)
      desk.run(milliseconds: 1_000)
      #expect(desk.answers(to: 0x13, 0x40, Self.time(desk, error: 0, seconds: 2)).isEmpty)
    }
  }

  @Test func thePollEndsWithTheNumberOfRecords() {
    for seed in UInt64(1)...4 {
      var desk = ReceiverDesk(.m10, seed: seed)
      desk.run(milliseconds: 60_000)
      _ = desk.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(0x1011_0025, [1])]))
      let answers = desk.answers(to: 0x13, 0x80, [], within: 10_000)
      let count = answers.filter { $0.messageClass == 0x13 && $0.id == 0x80 }.count
      #expect(answers.last?.payload == [1, 0, 0, 0x80, UInt8(count), 0, 0, 0])
    }
  }

  @Test func eachChipHasItsNumberAndGenerations6And7HaveNone() {
    for generation in Self.receivers {
      var numbers: Set<[UInt8]> = []
      for seed in UInt64(1)...5 {
        var desk = ReceiverDesk(generation, seed: seed)
        desk.run(milliseconds: 1_000)
        let payload = desk.answers(to: 0x27, 0x03, []).first?.payload ?? []
        #expect(payload.count == (generation == .m8 ? 9 : 10))
        #expect(payload.first == (generation == .m8 ? 1 : 2))
        numbers.insert(payload)
      }
      #expect(numbers.count == 5)
    }
    for generation in [Generation.six, .seven] {
      var desk = ReceiverDesk(generation)
      desk.run(milliseconds: 30_000)
      #expect(desk.answers(to: 0x27, 0x03, []).isEmpty)
      #expect(desk.answers(to: 0x13, 0x80, []).isEmpty)
    }
  }

  @Test func aBoardWithoutABatteryStartsColdAndAsDelivered() {
    var desk = ReceiverDesk(.m10, seed: 3)
    desk.changeSpeed(to: 115_200)
    desk.run(milliseconds: 10_000)
    desk.receiver.removePower(keepsBattery: false, at: desk.now)
    desk.run(milliseconds: 1_000)
    desk.receiver.applyPower(at: desk.now)
    desk.speed = 9_600
    desk.bytes.removeAll()
    desk.run(milliseconds: 20_000)
    #expect(desk.receiver.lineSpeed == 9_600)
    let fixes = desk.sentences.filter { $0.dropFirst(2).hasPrefix("RMC") && $0.contains(",A,") }
    #expect(fixes.isEmpty)
  }
}
