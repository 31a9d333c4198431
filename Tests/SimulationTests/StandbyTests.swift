import BinnacleBasics
import I2C
import Simulation
import Testing

/// Sleep and wakeup of simulated receivers, as the reference documents real receivers.
struct StandbyTests {
  /// RXM-PMREQ of 8 bytes.
  private static func short(milliseconds: UInt32 = 0, flags: UInt8 = 2) -> [UInt8] {
    word(milliseconds) + [flags, 0, 0, 0]
  }

  /// RXM-PMREQ of 16 bytes: backup and force; an edge at the receiver's line wakes the receiver.
  private static func long(
    milliseconds: UInt32 = 0, flags: UInt8 = 6, sources: UInt8 = 0x08
  ) -> [UInt8] {
    [0, 0, 0, 0] + word(milliseconds) + [flags, 0, 0, 0, sources, 0, 0, 0]
  }

  private static func word(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }

  private static func awake(
    _ generation: Generation, port: SimulatedPort = .uart1, seed: UInt64 = 1,
    start: StartKind = .hot, oddities: [ReceiverOddity] = []
  ) -> ReceiverDesk {
    var desk = ReceiverDesk(generation, port: port, start: start, seed: seed, oddities: oddities)
    desk.run(milliseconds: 4_000)
    return desk
  }

  /// Sends a request, and returns whether the receiver sleeps and how it answered.
  private static func ask(
    _ desk: inout ReceiverDesk, _ payload: [UInt8]
  ) -> (sleeps: Bool, answer: Bool?) {
    let answer = desk.isAcknowledged(0x02, 0x41, payload)
    return (desk.receiver.isAsleep, answer)
  }

  // MARK: Requests that are obeyed

  @Test(arguments: Generation.allCases)
  func theDocumentedFormPutsAReceiverToSleepWithoutAnAnswer(_ generation: Generation) {
    let hasLong = ![Generation.six, .seven].contains(generation)
    var desk = StandbyTests.awake(generation)
    let verdict = StandbyTests.ask(&desk, hasLong ? StandbyTests.long() : StandbyTests.short())
    #expect(verdict.sleeps && verdict.answer == nil)
    desk.bytes.removeAll()
    desk.run(milliseconds: 60_000)
    #expect(desk.bytes.isEmpty && desk.receiver.isAsleep)
    #expect(desk.receiver.counters.sleeps == 1)
  }

  @Test(arguments: [Generation.six, .seven, .m8])
  func theOlderGenerationsObeyEightBytes(_ generation: Generation) {
    var desk = StandbyTests.awake(generation)
    #expect(StandbyTests.ask(&desk, StandbyTests.short()).sleeps)
  }

  @Test func anM8NeedsNoForceAtItsSerialPort() {
    var desk = StandbyTests.awake(.m8)
    #expect(StandbyTests.ask(&desk, StandbyTests.long(flags: 2)).sleeps)
  }

  @Test(arguments: [Generation.m10, .m10SPG530])
  func anM10AcknowledgesTheWrongFormsAndStaysAwake(_ generation: Generation) {
    for payload in [
      StandbyTests.short(), StandbyTests.short(flags: 6), StandbyTests.long(flags: 2),
    ] {
      var desk = StandbyTests.awake(generation)
      let verdict = StandbyTests.ask(&desk, payload)
      #expect(!verdict.sleeps && verdict.answer == true)
    }
  }

  @Test func withoutTheBackupFlagNothingHappens() {
    var desk = StandbyTests.awake(.m10)
    let verdict = StandbyTests.ask(&desk, StandbyTests.long(flags: 4))
    #expect(!verdict.sleeps && verdict.answer == nil)
  }

  @Test func atUSBItSleepsOnlyWhenForcedAndIsGoneUntilItsTimeIsUp() {
    for payload in [StandbyTests.short(), StandbyTests.long(flags: 2)] {
      var desk = StandbyTests.awake(.m8, port: .usb)
      #expect(!StandbyTests.ask(&desk, payload).sleeps)
    }
    var desk = StandbyTests.awake(.m8, port: .usb)
    #expect(StandbyTests.ask(&desk, StandbyTests.long(milliseconds: 60_000, sources: 0xE8)).sleeps)
    desk.receiver.bytesArrived([0xFF, 0xFF], at: desk.speed, at: desk.now)
    desk.run(milliseconds: 50_000)
    #expect(desk.receiver.isAsleep)
    desk.run(milliseconds: 10_000)
    #expect(desk.receiver.isAwake)
  }

  @Test(arguments: Generation.allCases)
  func aReceiverThatIgnoresSleepAcknowledgesItAndKeepsSending(_ generation: Generation) {
    var desk = StandbyTests.awake(generation, oddities: [.ignoresSleep])
    let request = generation.hasKeys ? StandbyTests.long() : StandbyTests.short()
    let verdict = StandbyTests.ask(&desk, request)
    #expect(!verdict.sleeps && verdict.answer == true)
    desk.bytes.removeAll()
    desk.run(milliseconds: 3_000)
    #expect(desk.sentences.count > 10)
  }

  // MARK: Wakeup sources

  @Test(arguments: Generation.allCases)
  func itWakesByItselfWhenItsTimeIsUp(_ generation: Generation) {
    var desk = StandbyTests.awake(generation)
    let request =
      generation.hasKeys
      ? StandbyTests.long(milliseconds: 300_000, sources: 0)
      : StandbyTests.short(milliseconds: 300_000)
    let asked = desk.now
    #expect(StandbyTests.ask(&desk, request).sleeps)
    while desk.receiver.isAsleep, desk.now - asked < .seconds(400) { desk.run(milliseconds: 100) }
    #expect((299.9...300.3).contains((desk.now - asked).seconds))
  }

  @Test func longerThanTwelveDaysIsTwelveDays() {
    var desk = StandbyTests.awake(.m10)
    #expect(StandbyTests.ask(&desk, StandbyTests.long(milliseconds: .max, sources: 0)).sleeps)
    desk.run(milliseconds: 12 * 86_400_000 - 10_000)
    #expect(desk.receiver.isAsleep)
    desk.run(milliseconds: 10_000)
    #expect(desk.receiver.isAwake)
  }

  @Test(arguments: Generation.allCases, [UInt64](1...4))
  func anEdgeOnItsLineWakesItAndTheFirstBytesAreLost(_ generation: Generation, seed: UInt64) {
    var desk = StandbyTests.awake(generation, seed: seed)
    let request = generation.hasKeys ? StandbyTests.long() : StandbyTests.short()
    #expect(StandbyTests.ask(&desk, request).sleeps)
    // The receiver does not understand a poll as its first input.
    #expect(desk.answers(to: 0x0A, 0x04, [], within: 100).isEmpty)
    #expect(!desk.receiver.isAsleep && !desk.receiver.isAwake)
    // Meshtastic waits 500 ms.
    desk.run(milliseconds: 400)
    #expect(desk.answers(to: 0x0A, 0x04, []).count == 1)
    #expect(desk.receiver.lineSpeed == 9_600)
  }

  @Test(arguments: [UInt64](1...8))
  func aSlowReceiverAnswersBetweenHalfASecondAndTwoSeconds(_ seed: UInt64) {
    var desk = StandbyTests.awake(.m10, seed: seed, oddities: [.slowStart])
    #expect(StandbyTests.ask(&desk, StandbyTests.long()).sleeps)
    desk.receiver.bytesArrived([0xFF], at: 9_600, at: desk.now)
    desk.run(milliseconds: 500)
    #expect(!desk.receiver.isAwake)
    desk.run(milliseconds: 1_500)
    #expect(desk.receiver.isAwake)
  }

  @Test func onlyThePinsThatWereNamedWakeIt() {
    var onLine = StandbyTests.awake(.m10)
    #expect(StandbyTests.ask(&onLine, StandbyTests.long(sources: 0x08)).sleeps)
    onLine.receiver.interruptEdgeCame(at: onLine.now)
    #expect(onLine.receiver.isAsleep)
    var onPin = StandbyTests.awake(.m10)
    // ubxlib's mask "all sources" lacks the receiver's line.
    #expect(StandbyTests.ask(&onPin, StandbyTests.long(sources: 0xE4)).sleeps)
    onPin.receiver.bytesArrived([0xFF], at: 9_600, at: onPin.now)
    #expect(onPin.receiver.isAsleep)
    onPin.receiver.interruptEdgeCame(at: onPin.now)
    #expect(!onPin.receiver.isAsleep)
    var short = StandbyTests.awake(.m8)
    #expect(StandbyTests.ask(&short, StandbyTests.short()).sleeps)
    short.receiver.interruptEdgeCame(at: short.now)
    #expect(!short.receiver.isAsleep)
  }

  @Test func bytesRightBehindASleepRequestWakeTheReceiver() {
    var desk = StandbyTests.awake(.m10)
    desk.send(0x02, 0x41, StandbyTests.long())
    desk.run(milliseconds: 50)
    #expect(desk.receiver.isAsleep)
    desk.send(0x0A, 0x04, [])
    desk.run(milliseconds: 1_000)
    #expect(desk.receiver.isAwake)
  }

  @Test func aReceiverThatIgnoresItsLineWakesOnlyAtItsTime() {
    var desk = StandbyTests.awake(.m8, oddities: [.deafAsleep])
    #expect(StandbyTests.ask(&desk, StandbyTests.long(milliseconds: 120_000)).sleeps)
    for _ in 0..<10 {
      desk.receiver.bytesArrived([UInt8](repeating: 0xFF, count: 8), at: 9_600, at: desk.now)
      desk.run(milliseconds: 10_000)
      #expect(desk.receiver.isAsleep)
    }
    desk.run(milliseconds: 30_000)
    #expect(desk.receiver.isAwake)
  }

  @Test func noiseOnItsLineWakesItAndAQuietLineDoesNot() {
    for isNoisy in [true, false] {
      var desk = StandbyTests.awake(.m10, oddities: isNoisy ? [.noisyLine] : [])
      #expect(StandbyTests.ask(&desk, StandbyTests.long()).sleeps)
      desk.run(milliseconds: 70_000)
      #expect(desk.receiver.isAsleep == !isNoisy)
    }
  }

  @Test func overI2CAnM8WakesAndAnM10DoesNot() {
    for generation in [Generation.m8, .m10] {
      let world = World(
        utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: .still))
      var device = SimulatedDDC(
        generation: generation, world: world, start: .hot, seed: 1, at: .zero)
      var now = Instant.zero + .seconds(3)
      let desk = ReceiverDesk(generation, port: .i2c)
      let request = desk.frame(0x02, 0x41, StandbyTests.long())
      let address = SimulatedDDC.deliveredAddress
      #expect(
        device.carryOut(.init(address: address, parts: [.write(request)]), at: now) == .answers([]))
      now = now + .seconds(1)
      device.advance(to: now)
      #expect(device.receiver.isAsleep && !device.hasBytes)
      let look = I2CTransfer(address: address, parts: [.write([0xFD]), .read(2)])
      #expect(device.carryOut(look, at: now) == .noAcknowledge)
      now = now + .seconds(1)
      device.advance(to: now)
      #expect(device.receiver.isAwake == (generation == .m8))
    }
  }

  // MARK: State after standby

  /// Seconds from a wakeup by an edge to the first usable fix.
  private static func secondsToFix(_ desk: inout ReceiverDesk) -> Double {
    let woken = desk.now
    desk.receiver.bytesArrived([0xFF], at: 9_600, at: desk.now)
    desk.bytes.removeAll()
    while desk.now - woken < .seconds(90) {
      desk.run(milliseconds: 100)
      // GGA with a position: quality 1 or more.
      let fixed = desk.sentences.contains { text in
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        return text.dropFirst(2).hasPrefix("GGA") && fields.count > 6
          && !["", "0"].contains(fields[6])
      }
      if fixed { break }
    }
    return (desk.now - woken).seconds
  }

  @Test(arguments: [UInt64](1...6))
  func ephemeridesYoungerThanFourHoursMakeAHotStartAndOlderOnesAWarmOne(_ seed: UInt64) {
    for (hours, range) in [(Int64(1), 0.0...4.0), (3, 0.0...4.0), (5, 15.0...35.0)] {
      var desk = StandbyTests.awake(.m10, seed: seed)
      #expect(StandbyTests.ask(&desk, StandbyTests.long()).sleeps)
      desk.run(milliseconds: hours * 3_600_000)
      let seconds = StandbyTests.secondsToFix(&desk)
      #expect(range.contains(seconds), "\(hours) h: \(seconds) s")
    }
  }

  @Test func withoutABatteryItIsAColdStart() {
    var desk = StandbyTests.awake(.m10)
    #expect(StandbyTests.ask(&desk, StandbyTests.long()).sleeps)
    desk.receiver.removePower(keepsBattery: false, at: desk.now)
    desk.receiver.applyPower(at: desk.now)
    #expect(StandbyTests.secondsToFix(&desk) > 22)
  }

  @Test(arguments: [UInt64](1...6))
  func aRefreshOfFortySecondsEveryTwoHoursKeepsItHotAndOneOfTenDoesNot(_ seed: UInt64) {
    for (seconds, isHot) in [(Int64(40), true), (10, false)] {
      var desk = StandbyTests.awake(.m8, seed: seed)
      for _ in 0..<3 {
        #expect(StandbyTests.ask(&desk, StandbyTests.long()).sleeps)
        desk.run(milliseconds: 7_200_000)
        desk.receiver.bytesArrived([0xFF], at: 9_600, at: desk.now)
        desk.run(milliseconds: seconds * 1_000)
      }
      #expect(StandbyTests.ask(&desk, StandbyTests.long()).sleeps)
      desk.run(milliseconds: 60_000)
      let toFix = StandbyTests.secondsToFix(&desk)
      #expect(isHot ? toFix < 4 : toFix > 15, "\(seconds) s: \(toFix) s")
    }
  }

  @Test func theOnTimeIsCounted() {
    var desk = StandbyTests.awake(.m10)
    #expect(desk.receiver.timeOn(at: desk.now) == .seconds(4))
    desk.send(0x02, 0x41, StandbyTests.long(milliseconds: 60_000))
    desk.run(milliseconds: 50_000)
    let asleep = desk.receiver.timeOn(at: desk.now)
    #expect((4.0...4.1).contains(asleep.seconds))
    desk.run(milliseconds: 20_000)
    // The wakeup comes a minute after the request, which takes effect within some milliseconds.
    #expect((9.9...10.1).contains((desk.receiver.timeOn(at: desk.now) - asleep).seconds))
  }
}
