import BinnacleBasics
import BinnacleModel
import Simulation
import Testing

@testable import LocationEngine

@Suite struct ReceiverSessionTests {
  @Test(arguments: Generation.allCases)
  func aReceiverWithFactorySettingsIsFoundConfiguredAndDelivers(generation: Generation) {
    var desk = EngineDesk(generation, path: .journey)
    desk.open()
    desk.run(seconds: 45)
    let report = desk.report()
    #expect(report["receiver.state"] == .text("running"))
    let names: [Generation: String] = [.six: "6", .seven: "7", .m8: "M8"]
    #expect(report["receiver.generation"] == .text(names[generation] ?? "M10"))
    #expect(report["receiver.differences"] == nil)
    #expect(report["rejected.jump"] == .integer(0))
    #expect(desk.fixes.count >= 35)
    #expect(desk.keptSpeeds.contains(9_600))
    let refused: Report.Value? =
      generation == .m10 ? .text("CFG-MSGOUT-UBX_SEC_SIG_UART1") : nil
    #expect(report["receiver.unsupported"] == refused)
  }

  /// Where the receiver was, with everything that a location has, from the messages that each generation has.
  @Test(arguments: Generation.allCases)
  func everyGenerationGivesWholeLocations(generation: Generation) throws {
    var desk = EngineDesk(generation, path: .motorway)
    desk.open()
    desk.run(seconds: 60)
    let fix = try #require(desk.fixes.last)
    #expect((38...42).contains(fix.speed))
    #expect((fix.course - 40).magnitude < 1)
    #expect(fix.courseAccuracy > 0 && fix.speedAccuracy > 0)
    #expect((1...8).contains(fix.horizontalAccuracy))
    #expect((1...12).contains(fix.verticalAccuracy))
    #expect((fix.ellipsoidalAltitude - fix.altitude - 47.5).magnitude < 0.01)
    #expect((fix.ellipsoidalAltitude - 450).magnitude < 15)
    let age = UTCTime(secondsSince1970: 1_790_000_000) + (desk.now - .zero) - fix.time
    #expect((0...1.3).contains(age.seconds))
  }

  @Test(arguments: [9_600, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600])
  func everySpeedIsFoundWithinEightSeconds(speed: Int) {
    var desk = EngineDesk(.m10, speed: speed)
    desk.run(seconds: 8)
    #expect(desk.lines.contains { $0.hasSuffix("at \(speed) baud") })
  }

  @Test func theReportLeavesOutUnknownValues() {
    var desk = EngineDesk(.m10, speed: 19_200)
    desk.run(seconds: 3)
    let report = desk.report()
    #expect(report["receiver.speed_baud"] != nil)
    #expect(report["receiver.last_frame_age_s"] == nil)
    #expect(report["receiver.unsupported"] == nil)
    #expect(report["fixes.last_age_s"] == nil)
    #expect(Set(report.items.map(\.name)).count == report.items.count)
  }

  @Test func theLastGoodSpeedIsTriedFirst() {
    var desk = EngineDesk(.m10, speed: 460_800, lastSpeed: 460_800)
    desk.run(seconds: 1.5)
    #expect(desk.lines.contains { $0.hasSuffix("at 460800 baud") })
    #expect(!desk.effects.contains { if case .receiver(.setSpeed) = $0 { true } else { false } })
  }

  @Test func aKeyThatTheFirmwareLacksIsFoundAndReportedOnce() {
    var desk = EngineDesk(.m10)
    desk.run(seconds: 20)
    let name = "CFG-MSGOUT-UBX_SEC_SIG_UART1"
    #expect(desk.report()["receiver.unsupported"] == .text(name))
    desk.open(.automotiveNavigation)
    desk.run(seconds: 10)
    #expect(desk.lines.filter { $0.contains(name) }.count == 1)
  }

  @Test(arguments: Generation.allCases)
  func rateAndModelFollowTheSequences(generation: Generation) {
    var desk = EngineDesk(generation)
    desk.run(seconds: 20)
    desk.open(.automotiveNavigation)
    desk.run(seconds: 10)
    #expect(desk.report()["receiver.rate_hz"] == .integer(2))
    #expect(desk.report()["receiver.model"] == .text("automotive"))
    let before = desk.fixes.count
    desk.run(seconds: 10)
    #expect(19...21 ~= desk.fixes.count - before)
    desk.send(.client(EngineDesk.client, .updatesOpened(SequenceID(number: 2), .fitness)))
    desk.run(seconds: 5)
    #expect(desk.report()["receiver.model"] == .text("portable"))
    desk.send(.client(EngineDesk.client, .disconnected))
    desk.run(seconds: 5)
    #expect(desk.report()["receiver.rate_hz"] == .integer(1))
  }

  @Test(arguments: Generation.allCases)
  func tenHertzRaisesTheLine(generation: Generation) {
    var desk = EngineDesk(generation) { $0.navigation.rateHz = 10 }
    desk.open()
    desk.run(seconds: 20)
    #expect(desk.lineSpeed == 115_200)
    #expect(desk.keptSpeeds.contains(115_200))
    let before = desk.fixes.count
    desk.run(seconds: 10)
    #expect(99...101 ~= desk.fixes.count - before)
  }

  /// The simulated receiver's epochs come up to 30 ms late at random, so that no lull can end within a frame.
  @Test func tenHertzWithLateEpochsWakesTheBoardThreeTimesAnEpochAndDelaysNothing() {
    var desk = EngineDesk(.m10, speed: 115_200, lastSpeed: 115_200) { $0.navigation.rateHz = 10 }
    desk.open()
    desk.run(seconds: 30)
    desk.readings = []
    desk.delays = []
    desk.run(seconds: 60)
    let delays = desk.delays.sorted()
    #expect(desk.readings.count <= 60 * 32)
    #expect(delays.count >= 595)
    #expect(delays[delays.count / 2] <= .milliseconds(1))
    #expect(delays[delays.count * 99 / 100] <= .milliseconds(5))
  }

  @Test(arguments: Generation.allCases)
  func aResetIsNoticedAndTheReceiverConfiguredAgain(generation: Generation) {
    var desk = EngineDesk(generation)
    desk.open(.automotiveNavigation)
    desk.run(seconds: 30)
    desk.receiver.restart(at: desk.now)
    desk.run(seconds: 30)
    #expect(desk.report()["receiver.state"] == .text("running"))
    #expect(desk.report()["receiver.rate_hz"] == .integer(2))
    let before = desk.fixes.count
    desk.run(seconds: 10)
    #expect(19...21 ~= desk.fixes.count - before)
  }

  /// Spoofing is told by NAV-STATUS since M8, both by SEC-SIG alone; each is latched until the daemon ends.
  @Test(arguments: Generation.allCases, World.Threat.Kind.allCases)
  func threatsAreReportedAndLatched(generation: Generation, kind: World.Threat.Kind) {
    var desk = EngineDesk(generation)
    desk.open()
    desk.run(seconds: 30)
    desk.receiver.world.threats = [
      World.Threat(kind: kind, start: desk.now, end: desk.now + .seconds(20))
    ]
    let name = kind == .spoofing ? "spoofing" : "jamming"
    let hasSignal = generation == .m10SPG530
    let isTold = hasSignal || (kind == .spoofing && (generation == .m8 || generation == .m10))
    #expect(desk.report()["security.\(name)_indicated"] == .flag(false))
    desk.run(seconds: 19)
    #expect(desk.report()["security.\(name)_indicated"] == .flag(isTold))
    #expect(desk.report()["security.\(name)_present"] == .flag(hasSignal))
    desk.run(seconds: 20)
    #expect(desk.report()["security.\(name)_indicated"] == .flag(isTold))
    #expect(desk.report()["security.\(name)_present"] == .flag(false))
    #expect(desk.report()["security.\(name)_beginnings"] == .integer(isTold ? 1 : 0))
    #expect(desk.lines.filter { $0.contains(name) }.count == (isTold ? 1 : 0))
    let other = kind == .spoofing ? "jamming" : "spoofing"
    #expect(desk.report()["security.\(other)_indicated"] == .flag(false))
    // Interference that blocks everything costs the fixes, nothing else does.
    let isLost = desk.updates.contains { $0.flags.contains(.locationUnavailable) }
    #expect(isLost == (kind == .blockingJamming))
    #expect(desk.updates.last?.fix != nil)
  }

  @Test func anUnpluggedReceiverIsWaitedForWithoutABusyLoop() {
    var desk = EngineDesk(.m10)
    desk.open()
    desk.run(seconds: 20)
    desk.plug(false)
    let before = desk.effects.count
    func openingCount() -> Int {
      desk.effects[before...].count { if case .receiver(.open) = $0 { true } else { false } }
    }
    desk.run(seconds: 60)
    #expect(55...61 ~= openingCount())
    desk.run(seconds: 600)
    #expect(170...185 ~= openingCount())
    #expect(desk.lines.filter { $0.contains("no such device") }.count == 1)
    desk.plug(true)
    desk.run(seconds: 40)
    #expect(desk.report()["receiver.state"] == .text("running"))
    #expect(desk.fixes.count > 20)
  }

  /// At whatever moment of the first minute.
  @Test(arguments: [0.3, 2.9, 7.5, 31.2, 55.1])
  func aReceiverThatIsPluggedInAgainIsOpenedWithinASecond(absence: Double) {
    var desk = EngineDesk(.m10)
    desk.run(seconds: 20)
    desk.plug(false)
    desk.run(seconds: absence)
    desk.plug(true)
    desk.run(seconds: 1)
    #expect(desk.report()["receiver.openings"] == .integer(2))
  }

  @Test func aReceiverThatFallsSilentIsSearchedFor() {
    var desk = EngineDesk(.m10)
    desk.open()
    desk.run(seconds: 20)
    desk.receiver.removePower(at: desk.now)
    desk.run(seconds: 12)
    #expect(desk.lines.contains("receiver: no more data; searching for the receiver"))
    #expect(desk.updates.last?.flags == .locationUnavailable)
    desk.receiver.applyPower(at: desk.now)
    desk.run(seconds: 60)
    #expect(desk.report()["receiver.state"] == .text("running"))
    #expect(desk.updates.last?.fix != nil)
  }

  @Test func noAdviceAboutTheSkyIsGivenWhileNoByteComes() throws {
    var desk = EngineDesk(.m10)
    desk.open()
    desk.run(seconds: 30)
    #expect(desk.report()["receiver.silent_s"] == nil)
    let clients = desk.engine.apps.clients
    let app = try #require(clients.first).peer.app
    desk.receiver.removePower(at: desk.now)
    desk.run(seconds: 10)
    for _ in 0..<80 {
      desk.run(seconds: 1)
      let report = desk.report()
      #expect(report["receiver.trouble"] == .text("no byte comes from the receiver"))
      let rows = desk.engine.reasonRows(of: app, at: desk.now)
      let fix = rows.first { $0[.rowKey] == "fix" }
      #expect(fix?[.rowChange] == "check its power and the wire at its TX; binnacle doctor")
    }
  }

  @Test func aSilentLineIsReportedOnceAndSearchedWithPauses() {
    var desk = EngineDesk(.m10)
    desk.receiver.removePower(at: .zero)
    desk.run(seconds: 300)
    #expect(desk.lines.filter { $0.contains("no answer at any speed") }.count == 1)
    #expect(desk.effects.count < 500)
  }
}
