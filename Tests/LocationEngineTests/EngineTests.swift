import BinnacleBasics
import BinnacleModel
import LocationEngine
import Simulation
import Testing
import UBX

@Suite struct EngineTests {
  @Test(arguments: Array(0..<20) as [UInt64])
  func noEventTrapsLoopsOrAnswersWithoutLimit(seed: UInt64) {
    var run = RandomRun(seed: seed)
    for _ in 0..<3_000 { run.step() }
    #expect(run.busyCount == 0)
    #expect(run.effectCountMax < 60)
  }

  @Test func equalEventsGiveEqualEnginesAndEffects() {
    var one = EngineDesk(.m10, seed: 4, path: .walk)
    var other = EngineDesk(.m10, seed: 4, path: .walk)
    one.open()
    other.open()
    one.run(seconds: 30)
    other.run(seconds: 30)
    #expect(one.engine == other.engine)
    #expect(one.effects == other.effects)
  }

  /// See ``Indirect``: what these hold is to be small, and theirs all the same.
  @Test func simulatedEnginesFitAThreadsStackAndCopiesAreIndependent() {
    #expect(MemoryLayout<EngineDesk>.size <= 2_560)
    #expect(MemoryLayout<RandomRun>.size <= 1_024)
    var one = EngineDesk()
    one.open()
    let other = one
    let before = other.engine
    one.run(seconds: 5)
    #expect(other.engine == before)
    #expect(one.engine != before)
  }

  @Test func theReportHasNoPosition() {
    var desk = EngineDesk(.m10)
    desk.open()
    desk.run(seconds: 20)
    let report = desk.report()
    #expect(report["fixes.accepted"] != .integer(0))
    #expect(
      !report.items.contains { $0.name.contains("latitude") || $0.name.contains("longitude") })
    #expect(Set(report.items.map(\.name)).count == report.items.count)
  }

  @Test func onlyAPseudoTerminalIsASimulatedReceiver() {
    for kind in Event.ReceiverPort.Kind.allCases where kind != .usb && !kind.isBus {
      var desk = EngineDesk(.m10, seed: 2)
      desk.kind = kind
      desk.open()
      desk.run(seconds: 25)
      #expect(desk.fixes.last?.isSimulatedBySoftware == (kind == .pseudoTerminal))
    }
  }

  @Test func spoofingIsLatchedAndReportedOnceForEachBeginning() {
    var desk = EngineDesk(.m10)
    desk.open()
    desk.run(seconds: 20)
    var status = NavSTATUS()
    status.uptimeMilliseconds = 4_000_000_000
    for bits in [0x08, 0x10, 0x10, 0x08] as [UInt8] {
      status.flags2 = bits
      status.uptimeMilliseconds += 1_000
      desk.send(.receiver(.bytesArrived(status.frame)))
    }
    #expect(desk.lines.filter { $0.contains("spoofing") }.count == 1)
    let report = desk.report()
    #expect(report["security.spoofing_indicated"] == .flag(true))
    #expect(report["security.spoofing_present"] == .flag(false))
  }

  /// "None" of NAV-STATUS is of one epoch alone.
  @Test func aStatusDoesNotClearTheIndicationOfSECSIG() {
    var desk = EngineDesk(.m10)
    desk.open()
    desk.run(seconds: 20)
    var signal = SecSIG()
    signal.spoofing = .indicated
    var status = NavSTATUS()
    status.flags2 = 0x08
    status.uptimeMilliseconds = 4_000_000_000
    for frame in [signal.frame, status.frame, signal.frame] {
      desk.send(.receiver(.bytesArrived(frame)))
    }
    #expect(desk.report()["security.spoofing_present"] == .flag(true))
    #expect(desk.report()["security.spoofing_beginnings"] == .integer(1))
    signal.spoofing = .none
    desk.send(.receiver(.bytesArrived(signal.frame)))
    #expect(desk.report()["security.spoofing_present"] == .flag(false))
  }
}
