import BinnacleBasics
import BinnacleModel
import Simulation
import Testing
import UBX

@testable import LocationEngine

/// The line to the receiver's pin EXTINT.
@Suite struct WakeLineTests {
  private static func asleep(
    _ generation: Generation = .m10, oddities: [ReceiverOddity] = [], isWired: Bool = true
  ) -> PowerDesk {
    var board = PowerDesk(generation, oddities: oddities) { $0.power.hasWakeLine = true }
    board.desk.isWakeWired = isWired
    board.desk.open()
    board.fallAsleep()
    return board
  }

  // MARK: On a serial line

  /// Asleep these hear nothing on their serial line.
  @Test(arguments: [Generation.seven, .m8, .m10])
  func aReceiverThatIsDeafOnItsLineIsWokenByItsPin(_ generation: Generation) {
    var board = WakeLineTests.asleep(generation, oddities: [.deafAsleep])
    #expect(board.isAsleep)
    #expect(board.word("power.woken_by") == "the line to its pin EXTINT")
    board.run(seconds: 100)
    let count = board.desk.updates.count
    board.depart()
    board.run(seconds: 6, shake: 60)
    #expect(board.desk.updates.count > count)
    #expect(board.word("power.wakes_failed") == "0")
  }

  @Test func aPulseIsLowForATenthOfASecondAndEndsHigh() {
    var board = WakeLineTests.asleep()
    let effects = board.desk.effects.count
    board.desk.open(sequence: 2)
    board.desk.run(seconds: 0.3)
    let levels = board.desk.effects[effects...].compactMap { effect -> Bool? in
      if case .line(.receiverWake, .set(let isActive)) = effect { isActive } else { nil }
    }
    #expect(levels == [true, false])
    var line = WakeLine(PanelSettings())
    var orders: [Effect] = []
    line.started(into: &orders)
    line.opened(isActive: false, at: .zero, into: &orders)
    line.wake(at: .zero + .seconds(5), into: &orders)
    #expect(line.nextDeadline(mayTry: true) == .zero + .milliseconds(5_100))
  }

  @Test func anUnconnectedWakeLineIsReportedOnceAndTheSerialLineIsUsed() {
    var board = WakeLineTests.asleep(isWired: false)
    let told = board.desk.lines.filter { $0.contains("does not wake it, its own port does") }
    #expect(told.count == 1)
    #expect(
      board.word("power.woken_by")
        == "edges on its serial line; the line to its pin EXTINT does not wake it")
    board.run(seconds: 100)
    #expect(board.isAsleep)
    let count = board.desk.updates.count
    board.depart()
    board.run(seconds: 6, shake: 60)
    #expect(board.desk.updates.count > count)
    #expect(board.word("power.wakes_failed") == "0")
  }

  @Test func aWakeLineHeldByAnotherProcessIsTriedAgainAndTheSerialLineIsUsed() {
    var board = PowerDesk { $0.power.hasWakeLine = true }
    board.desk.wakeLineFault = LineFault(.busy, "GPIO27: held by 'led0'")
    board.desk.open()
    board.fallAsleep()
    #expect(board.isAsleep)
    #expect(board.word("power.woken_by") == "edges on its serial line")
    #expect(board.word("power.wake_line.fault") == "GPIO27: held by 'led0'")
    board.desk.wakeLineFault = nil
    board.run(seconds: 40)
    #expect(board.isAsleep)
    #expect(board.word("power.wake_line.fault") == "-")
    #expect(board.word("power.woken_by") == "the line to its pin EXTINT, not tried yet")
  }

  @Test func aChipThatIsUnpluggedWhileItSleepsLeavesTheSerialLine() {
    var board = WakeLineTests.asleep()
    board.desk.wakeLineFault = LineFault(.gone, "the chip has gone")
    board.desk.send(.line(.receiverWake, .lost(LineFault(.gone, "the chip has gone"))))
    board.run(seconds: 100)
    #expect(board.isAsleep)
    let count = board.desk.updates.count
    board.depart()
    board.run(seconds: 6, shake: 60)
    #expect(board.desk.updates.count > count)
  }

  @Test func aLineThatDoesNotFollowIsNotTrustedAndIsTriedAgainEverLater() {
    func seconds(_ count: Double) -> Instant { .zero + Interval(nanoseconds: Int64(count * 1e9)) }
    var line = WakeLine(PanelSettings())
    var effects: [Effect] = []
    /// Its pulse, of which the level that it has is read back twice.
    func pulse(at now: Instant) {
      let before = line.pulseCount
      line.deadlineReached(mayTry: true, at: now, into: &effects)
      #expect(line.pulseCount == before + 1)
      line.levelRead(isActive: false, at: now, into: &effects)
      let end = now + WakeLine.pulseLength
      line.deadlineReached(mayTry: true, at: end, into: &effects)
      line.levelRead(isActive: false, at: end, into: &effects)
    }
    line.started(into: &effects)
    line.opened(isActive: false, at: .zero, into: &effects)
    #expect(line.isUsable)
    line.wake(at: .zero, into: &effects)
    line.levelRead(isActive: false, at: .zero, into: &effects)
    #expect(!line.isUsable)
    #expect(line.fault == "it does not follow: the wiring or another circuit holds it")
    line.deadlineReached(mayTry: true, at: .zero + .milliseconds(100), into: &effects)
    line.levelRead(isActive: false, at: .zero + .milliseconds(100), into: &effects)
    #expect(!line.isUsable)
    // A receiver that sleeps would wake.
    #expect(line.nextDeadline(mayTry: false) == nil)
    line.deadlineReached(mayTry: false, at: seconds(0.9), into: &effects)
    line.deadlineReached(mayTry: false, at: seconds(1), into: &effects)
    #expect(line.pulseCount == 1)
    var due = 1.0
    for wait in [2.0, 4, 8, 16, 30, 30, 30] {
      #expect(line.nextDeadline(mayTry: true) == seconds(due))
      pulse(at: seconds(due))
      due += wait
    }
    // Before that, another component wakes the receiver, and the engine follows.
    line.wake(at: seconds(due - 5), into: &effects)
    line.levelRead(isActive: true, at: seconds(due - 5), into: &effects)
    line.deadlineReached(mayTry: true, at: seconds(due - 4.9), into: &effects)
    line.levelRead(isActive: false, at: seconds(due - 4.9), into: &effects)
    #expect(line.isUsable)
    #expect(line.nextDeadline(mayTry: true) == nil)
    #expect(effects.filter { if case .log(.warning, _) = $0 { true } else { false } }.count == 1)
    #expect(effects.filter { if case .log(.notice, _) = $0 { true } else { false } }.count == 1)
    // As soon as at first.
    line.wake(at: seconds(500), into: &effects)
    line.levelRead(isActive: false, at: seconds(500), into: &effects)
    line.deadlineReached(mayTry: true, at: seconds(500.1), into: &effects)
    line.levelRead(isActive: false, at: seconds(500.1), into: &effects)
    #expect(line.nextDeadline(mayTry: true) == seconds(501))
  }

  // MARK: On a bus

  private static func asleepOnBus(
    _ generation: Generation, oddities: [ReceiverOddity] = []
  ) -> BusDesk {
    var desk = BusDesk(generation, hasWakeLine: true, oddities: oddities)
    desk.open()
    desk.run(seconds: 30)
    desk.handle(.client(BusDesk.client, .updatesClosed(SequenceID(number: 1))))
    desk.run(seconds: 120)
    return desk
  }

  @Test(arguments: [Generation.seven, .m8, .m10])
  func aReceiverOnABusSleepsIsLeftAloneAndIsWokenByItsPin(_ generation: Generation) {
    var desk = WakeLineTests.asleepOnBus(generation)
    #expect(desk.device.receiver.isAsleep)
    #expect(desk.word("power.state") == "off")
    #expect(desk.word("power.wakes") == "1")
    #expect(desk.word("power.woken_by") == "the line to its pin EXTINT")
    let transfers = desk.transferCount
    desk.run(seconds: 3_600)
    #expect(desk.transferCount == transfers)
    #expect(desk.device.receiver.isAsleep)
    let count = desk.updates.count
    desk.handle(.client(BusDesk.client, .updatesOpened(SequenceID(number: 2), .default)))
    desk.run(seconds: 5)
    #expect(desk.updates[count...].contains { $0.fix != nil })
    #expect(desk.word("receiver.openings") == "1")
    #expect(desk.word("power.settings_mended") == "0")
  }

  @Test func withoutALineAReceiverOnABusStaysOnAndGivesTheReason() {
    var desk = BusDesk(.m10)
    desk.open()
    desk.run(seconds: 30)
    desk.handle(.client(BusDesk.client, .updatesClosed(SequenceID(number: 1))))
    desk.run(seconds: 600)
    #expect(desk.device.receiver.counters.sleeps == 0)
    #expect(
      desk.word("power.stays_on").hasPrefix("I2C does not wake it; a line to its pin"))
    #expect(desk.word("power.woken_by") == "-")
  }

  /// The engine does not search for a receiver that answers.
  @Test func aBusReceiverSleepsWhenAnotherProcessReleasesItsLine() {
    var desk = BusDesk(.m10, hasWakeLine: true)
    desk.plugLine(false)
    desk.open()
    desk.run(seconds: 30)
    desk.handle(.client(BusDesk.client, .updatesClosed(SequenceID(number: 1))))
    desk.run(seconds: 600)
    #expect(desk.device.receiver.counters.sleeps == 0)
    #expect(desk.word("receiver.searches") == "1")
    #expect(
      desk.word("power.stays_on")
        == "I2C does not wake it, and the line to its pin EXTINT cannot be used")
    desk.plugLine(true)
    desk.run(seconds: 31)
    #expect(desk.word("power.wake_line.fault") == "-")
    desk.run(seconds: 200)
    #expect(desk.device.receiver.isAsleep)
    #expect(desk.word("power.woken_by") == "the line to its pin EXTINT")
    #expect(desk.word("receiver.searches") == "1")
  }

  @Test(arguments: [false, true])
  func aBusReceiverSleepsWhenAnotherCircuitReleasesItsLine(isLow: Bool) {
    var desk = BusDesk(.m10, hasWakeLine: true)
    desk.wire?.heldLow = isLow
    desk.open()
    desk.run(seconds: 30)
    desk.handle(.client(BusDesk.client, .updatesClosed(SequenceID(number: 1))))
    desk.run(seconds: 600)
    #expect(desk.device.receiver.counters.sleeps == 0)
    #expect(desk.word("power.wake_line.fault").hasPrefix("it does not follow"))
    let pulses = desk.pulseCount
    desk.run(seconds: 300)
    #expect((9...11).contains(desk.pulseCount - pulses))
    #expect(desk.lines.count { $0.contains("EXTINT cannot be used") } == 1)
    desk.wire?.heldLow = nil
    desk.run(seconds: 31)
    #expect(desk.word("power.wake_line.fault") == "-")
    desk.run(seconds: 200)
    #expect(desk.device.receiver.isAsleep)
    #expect(desk.word("receiver.searches") == "1")
    let asleep = desk.pulseCount
    desk.run(seconds: 1_800)
    #expect(desk.pulseCount == asleep)
  }

  @Test func aBusReceiverThatDidNotSleepIsDetectedAndItsOldBytesAreDropped() {
    var desk = WakeLineTests.asleepOnBus(.m10, oddities: [.ignoresSleep])
    #expect(desk.word("power.sleeps_refused") != "0")
    #expect(desk.word("power.wakes") == "0")
    #expect(desk.lines.contains { $0.contains("was ordered to sleep, but continues to send") })
    desk.handle(.client(BusDesk.client, .updatesOpened(SequenceID(number: 2), .default)))
    let before = desk.now
    let count = desk.updates.count
    desk.run(seconds: 5)
    let start = UTCTime(secondsSince1970: 1_790_000_000)
    let oldest = Interval(nanoseconds: before.nanoseconds) - Interval.seconds(2)
    let fixes = desk.updates[count...].compactMap(\.fix)
    #expect(!fixes.isEmpty)
    for fix in fixes { #expect(fix.time - start > oldest) }
  }

  @Test func aBusReceiverThatItsLineDoesNotWakeStaysAwakeAfterAShortSleep() {
    var desk = BusDesk(.m10, hasWakeLine: true)
    desk.isWired = false
    desk.open()
    desk.run(seconds: 30)
    desk.handle(.client(BusDesk.client, .updatesClosed(SequenceID(number: 1))))
    desk.run(seconds: 180)
    #expect(desk.device.receiver.counters.sleeps == 1)
    #expect(desk.word("power.wakes_failed") == "1")
    desk.run(seconds: 60)
    #expect(desk.word("receiver.state") == "running")
    desk.run(seconds: 300)
    #expect(desk.device.receiver.counters.sleeps == 1)
  }

  @Test func aDaemonThatStartsWhileItsReceiverOnABusSleepsWakesIt() {
    var old = WakeLineTests.asleepOnBus(.m10)
    old.run(seconds: 600)
    #expect(old.device.receiver.isAsleep)
    var configuration = Configuration()
    configuration.power.hasWakeLine = true
    var desk = BusDesk(
      engine: Engine(configuration: configuration, seed: 2), device: old.device, wire: WakeWire())
    desk.startClock(at: old.now)
    desk.open()
    desk.run(seconds: 10)
    #expect(desk.word("receiver.state") == "running")
    #expect(desk.updates.contains { $0.fix != nil })
  }

  @Test func aBusReceiverWhoseLineIsLostIsBackWithinTwoHours() {
    var desk = WakeLineTests.asleepOnBus(.m10)
    desk.plugLine(false)
    desk.run(seconds: 600)
    #expect(desk.word("power.stays_on") == "-")
    desk.run(seconds: 7_300)
    #expect(desk.word("receiver.state") == "running")
    #expect(
      desk.word("power.stays_on")
        == "I2C does not wake it, and the line to its pin EXTINT cannot be used")
  }

  // MARK: The order

  @Test func theOrderNamesThePinsThatCanWakeIt() {
    let version = MonVER(
      softwareVersion: "x", hardwareVersion: "000A0000", extensions: ["PROTVER=34.10"])
    let identity = ReceiverIdentity(version)
    #expect(
      identity.sleepOrder(for: .seconds(65)).wakeupSources == [.uartReceive, .externalInterrupt0])
    #expect(
      identity.sleepOrder(for: .seconds(65), isOnBus: true).payload
        == [0, 0, 0, 0, 0xE8, 0xFD, 0, 0, 0x06, 0, 0, 0, 0x20, 0, 0, 0])
  }
}
