import BinnacleBasics
import BinnacleModel
import LocationEngine
import Simulation
import Testing
import UBX

/// Receivers that take the order which switches their sentences off and do not do what follows.
@Suite struct MutedReceiverTests {
  private static let ports: [(Generation, SimulatedPort)] = Generation.allCases.flatMap {
    generation in
    SimulatedPort.allCases.filter { $0.isThere(on: generation) && $0 != .i2c }.map {
      (generation, $0)
    }
  }

  @Test(arguments: ports)
  func aReceiverThatAnswersNoPollGivesPositionsAsItWasOrdered(
    generation: Generation, port: SimulatedPort
  ) {
    var desk = EngineDesk(generation, path: .journey, port: port, oddities: [.answersNoPoll])
    desk.open()
    desk.run(seconds: 60)
    let report = desk.report()
    #expect(desk.fixes.count >= 30)
    #expect(report["receiver.position_from"] != .text("NMEA sentences"))
    #expect(report["receiver.is_configured"] == .flag(false))
    let line =
      "receiver: it acknowledges orders and answers no poll; its configuration cannot be read back"
    #expect(desk.lines.count { $0 == line } == 1)
    desk.run(seconds: 600)
    #expect(desk.fixes.count >= 600)
    #expect(desk.lines.count { $0 == line } == 1)
  }

  @Test(arguments: ports)
  func aReceiverThatObeysOnlyPortOrdersGetsItsSentencesBack(
    generation: Generation, port: SimulatedPort
  ) {
    var desk = EngineDesk(generation, path: .journey, port: port, oddities: [.obeysPortOnly])
    desk.open()
    desk.run(seconds: 60)
    #expect(desk.fixes.count >= 20)
    #expect(desk.report()["receiver.position_from"] == .text("NMEA sentences"))
  }

  @Test func aMutedReceiverThatLosesItsPowerIsReportedAsSilent() {
    var receiver = OddReceiver()
    receiver.answer = { _ in .nothing }
    receiver.epoch = { _ in [] }
    receiver.open()
    receiver.run(seconds: 4)
    receiver.saysWhoItIs = false
    receiver.run(seconds: 120)
    let report = receiver.report()
    #expect(report["receiver.state"] == .text("no answer at any speed"))
    #expect(report["receiver.trouble"] == .text("no byte comes from the receiver"))
  }

  @Test func aReceiverWithoutAWireToItsInputIsReadOnly() {
    var desk = EngineDesk(path: .journey, oddities: [.hearsNothing])
    desk.open()
    desk.run(seconds: 60)
    #expect(desk.fixes.count >= 20)
    #expect(desk.report()["receiver.state"] == .text("reading only, it does not answer"))
  }

  @Test func aReceiverWithoutSkyIsReportedAfterAMinute() {
    var desk = EngineDesk(skies: [World.Sky(start: .zero, visibility: 0)])
    desk.open()
    desk.run(seconds: 50)
    #expect(desk.report()["receiver.trouble"] == nil)
    desk.run(seconds: 30)
    #expect(
      desk.report()["receiver.trouble"]
        == .text("the receiver has no fix: it does not receive enough satellites"))
    #expect(desk.fixes.isEmpty)
  }

  @Test(arguments: [Generation.six, .m8, .m10], [ReceiverOddity.answersNoPoll, .obeysPortOnly])
  func mutedReceiversGivePositionsOverI2C(generation: Generation, oddity: ReceiverOddity) {
    var desk = BusDesk(generation, oddities: [oddity])
    desk.open()
    desk.run(seconds: 60)
    #expect(desk.fixes.count >= 10)
  }

  /// It obeys the order and never says so; the configuration fails at once.
  @Test func aReceiverThatObeysInSilenceIsUnmutedWhenItIsGivenUp() {
    var desk = OddReceiver()
    desk.obeysInSilence = true
    desk.answer = { _ in .nothing }
    desk.epoch = { $0.values[.uart1OutputNMEA] == 0 ? [] : $0.sentences }
    desk.open()
    desk.run(seconds: 60)
    #expect(desk.values[.uart1OutputNMEA] == 1)
    #expect(desk.fixes.count >= 40)
    #expect(desk.lines.contains { $0.contains("switching them on") })
  }

  /// The daemon is told to end while it is at it.
  @Test func aConfigurationThatIsCutShortLeavesTheSentencesOn() {
    var desk = OddReceiver()
    desk.obeysInSilence = true
    desk.answer = { _ in .nothing }
    desk.epoch = { _ in [] }
    desk.open()
    desk.run(seconds: 1)
    #expect(desk.values[.uart1OutputNMEA] == 0)
    desk.handle(.stopRequested)
    #expect(desk.values[.uart1OutputNMEA] == 1)
  }

  /// It has no position in a tunnel, and its line is silent for a while.
  @Test func aReceiverThatSendsSolutionsWithoutAPositionIsNotAdvisedToSendSentences() {
    var desk = OddReceiver()
    desk.epoch = { $0.values[.messageNavPVT] == 1 ? $0.solution : $0.sentences }
    desk.open()
    desk.run(seconds: 20)
    #expect(desk.values[.uart1OutputNMEA] == 0)
    desk.epoch = { _ in [] }
    desk.saysWhoItIs = false
    desk.run(seconds: 60)
    #expect(desk.lines.contains { $0.contains("no more data; searching") })
    #expect(!desk.lines.contains { $0.contains("switching them on") })
    #expect(desk.values[.uart1OutputNMEA] == 0)
  }

  /// Seeds 788234540 and 3092460576: sentences beside UBX at 2 Hz are more than 9600 baud carry.
  @Test func sentencesAreSwitchedOffAgainWhenSolutionsComeInUBX() {
    var desk = OddReceiver()
    desk.obeysInSilence = true
    desk.answer = { _ in .nothing }
    desk.epoch = { _ in [] }
    desk.open()
    desk.run(seconds: 20)
    #expect(desk.values[.uart1OutputNMEA] == 1)
    desk.saysWhoItIs = false
    desk.epoch = { $0.sentences }
    desk.run(seconds: 5)
    #expect(desk.values[.uart1OutputNMEA] == 1)
    #expect(!desk.fixes.isEmpty)
    desk.epoch = { $0.sentences + $0.solution }
    // A damaged line swallows the first order.
    desk.obeysInSilence = false
    desk.run(seconds: 1)
    #expect(desk.values[.uart1OutputNMEA] == 1)
    desk.obeysInSilence = true
    desk.run(seconds: 5)
    #expect(desk.values[.uart1OutputNMEA] == 0)
  }

  /// An operator switches its power, the wires stay: it is found silent and not at all.
  @Test func aReceiverThatWorkedIsNotAdvisedToSendSentences() {
    var desk = EngineDesk(.m10)
    desk.open()
    desk.run(seconds: 30)
    desk.receiver.removePower(at: desk.now)
    desk.run(seconds: 60)
    #expect(!desk.lines.contains { $0.contains("switching them on") })
  }
}
