import BinnacleBasics
import BinnacleModel
import LocationEngine
import Testing
import UBX

/// Refuses every order that switches one of these on.
private func refusing(_ keys: [ConfigurationKey]) -> (Message) -> OddReceiver.Answer {
  { message in
    guard case .cfgVALSET(let order) = message else { return .taken }
    return order.items.contains { keys.contains($0.key) && $0.value > 0 } ? .refused : .taken
  }
}

@Suite struct OddReceiverTests {
  @Test func withoutNAVPVTThePositionIsTakenFromItsParts() {
    var desk = OddReceiver()
    desk.answer = refusing([.messageNavPVT])
    desk.epoch = { _ in [] }
    desk.open()
    desk.run(seconds: 4)
    #expect(desk.values[.messageNavPVT] == nil)
    #expect(desk.values[.messageNavPOSLLH] == 1)
    #expect(desk.values[.messageNavVELNED] == 1)
    #expect(desk.values[.messageNavTIMEUTC] == 1)
    #expect(desk.values[.messageNavSTATUS] == 1)
    #expect(desk.values[.uart1OutputNMEA] == 0)
    #expect(desk.report()["receiver.is_configured"] == .flag(true))
    #expect(desk.report()["receiver.position_from"] == nil)
    #expect(desk.lines.filter { $0.contains("refuses NAV-PVT; asking for") }.count == 1)
  }

  @Test func withoutUBXPositionsSentencesAreUsedAndAreNoReset() {
    var desk = OddReceiver()
    desk.answer = refusing([.messageNavPVT, .messageNavPOSLLH])
    desk.epoch = { $0.values[.uart1OutputNMEA] == 0 ? [] : $0.sentences }
    desk.open()
    desk.run(seconds: 60)
    let report = desk.report()
    #expect(desk.values[.uart1OutputNMEA] == 1)
    #expect(report["receiver.state"] == .text("running"))
    #expect(report["receiver.position_from"] == .text("NMEA sentences"))
    #expect(report["receiver.resets"] == .integer(0))
    #expect(report["receiver.position_losses"] == .integer(0))
    #expect(desk.fixes.count >= 50)
  }

  /// The receiver acknowledges every order and sends no position.
  ///
  /// The engine reports this, counts the loss of positions, and sets up the receiver again.
  @Test func aReceiverThatSendsNoPositionsIsReportedAndSetUpAgain() {
    var desk = OddReceiver()
    desk.epoch = { _ in NavSTATUS().frame }
    desk.open()
    desk.run(seconds: 120)
    var report = desk.report()
    #expect(report["receiver.state"] == .text("configured, but it sends no positions"))
    #expect(report["receiver.resets"] == .integer(0))
    guard case .integer(let losses)? = report["receiver.position_losses"] else {
      Issue.record("losses are not counted")
      return
    }
    #expect((3...8).contains(losses))
    let lines = desk.lines.filter { $0.contains("sends no positions; configuring it again, for") }
    #expect(lines.count == Int(losses))
    #expect(lines[0].hasSuffix("NAV-PVT"))
    #expect(lines[1].hasSuffix("NAV-SOL and NAV-POSLLH"))
    #expect(lines[2].hasSuffix("NMEA sentences"))
    desk.epoch = { $0.solution }
    desk.run(seconds: 3)
    report = desk.report()
    #expect(report["receiver.state"] == .text("running"))
    #expect(desk.lines.contains("receiver: positions come again"))
  }

  /// The actual configuration is unknown, and nothing confirms the ordered configuration.
  @Test func aReceiverThatRefusesEveryOrderIsNotCalledConfigured() {
    var desk = OddReceiver()
    desk.answer = { _ in .refused }
    desk.open()
    desk.run(seconds: 30)
    let report = desk.report()
    #expect(report["receiver.state"] == .text("running, not configured as wanted"))
    #expect(report["receiver.is_configured"] == .flag(false))
    #expect(report["receiver.rate_hz"] == nil)
    #expect(report["receiver.model"] == nil)
    #expect(report["receiver.position_from"] == .text("NMEA sentences"))
    #expect(!desk.lines.contains { $0.hasPrefix("receiver: configured") })
    let line = "did not take all of its configuration: rate unknown, model unknown"
    #expect(desk.lines.contains { $0.contains(line) })
    #expect(desk.fixes.count >= 20)
  }

  @Test func aReceiverThatAcknowledgesAndIgnoresIsNotCalledConfigured() {
    var desk = OddReceiver()
    desk.ignoresOrders = true
    desk.open()
    desk.run(seconds: 30)
    let report = desk.report()
    #expect(report["receiver.is_configured"] == .flag(false))
    #expect(report["receiver.rate_hz"] == nil)
    // The actual configuration, as the receiver reads it back.
    #expect(report["receiver.model"] == .text("portable"))
    #expect(report["receiver.position_from"] == .text("NMEA sentences"))
    #expect(!desk.lines.contains { $0.hasPrefix("receiver: configured") })
  }

  @Test(arguments: [true, false])
  func aLineFullOfNoiseIsDistinguishedFromADeadOne(isNoisy: Bool) {
    var desk = OddReceiver()
    desk.saysWhoItIs = false
    desk.epoch = { _ in isNoisy ? (0..<200).map { UInt8($0 % 32) } : [] }
    desk.open(.uart)
    desk.run(seconds: 60)
    let lines = desk.lines.filter { $0.contains("no answer at any speed") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("bytes come, but no message is in them") == isNoisy)
    #expect(lines.first?.contains("is it powered and wired?") == !isNoisy)
  }

  @Test func aReceiverThatAnswersNoOrdersIsReadFromTheFirstMomentOn() {
    var desk = OddReceiver()
    desk.answer = { _ in .nothing }
    desk.open()
    desk.run(seconds: 5)
    #expect(desk.fixes.count >= 3)
    #expect(desk.report()["receiver.state"] == .text("reading only, it answers no orders"))
    #expect(desk.report()["receiver.module"] == .text("ODD-1"))
    desk.run(seconds: 600)
    #expect(desk.fixes.count >= 600)
    #expect(desk.lines.filter { $0.contains("does not answer orders") }.count == 1)
    // Asked after 60 s, 120 s, 240 s: not at every opportunity. Each try ends with the order that switches the sentences on.
    let orders = desk.effects.filter {
      guard case .receiver(.write(let bytes)) = $0 else { return false }
      return bytes.count > 3 && bytes[2] == 0x06
    }
    #expect((8...18).contains(orders.count))
    desk.answer = { _ in .taken }
    desk.epoch = { $0.solution }
    desk.run(seconds: 600)
    #expect(desk.report()["receiver.state"] == .text("running"))
    #expect(desk.lines.filter { $0 == "receiver: it answers orders now" }.count == 1)
  }

  @Test func aReceiverThatOnlySendsDeliversPositionsDuringTheSearch() {
    var desk = OddReceiver()
    desk.saysWhoItIs = false
    desk.open(.uart)
    desk.run(seconds: 3)
    #expect(desk.fixes.count >= 1)
    desk.run(seconds: 3)
    #expect(desk.report()["receiver.state"] == .text("reading only, it does not answer"))
    #expect(desk.fixes.count >= 4)
  }

  /// It is asked once a minute, and `status` counts down to that.
  @Test func theTimeOfTheNextQuestionToASilentReceiverIsReported() throws {
    var desk = OddReceiver()
    desk.saysWhoItIs = false
    desk.open(.uart)
    desk.run(seconds: 6)
    #expect(desk.report()["receiver.state"] == .text("reading only, it does not answer"))
    let soon = desk.askedNextInSeconds()
    let first = try #require(soon)
    #expect((54...60).contains(first))
    desk.run(seconds: 40)
    #expect(((desk.askedNextInSeconds() ?? 0) - (first - 40)).magnitude < 0.001)
    let questions = desk.questionCount
    desk.run(seconds: 21)
    #expect(desk.questionCount == questions + 1)
    #expect(desk.askedNextInSeconds() ?? 0 > 30)
    desk.saysWhoItIs = true
    desk.run(seconds: 65)
    #expect(desk.report()["receiver.state"] == .text("running"))
    #expect(desk.askedNextInSeconds() == nil)
  }

  /// A line without a receiver: a round, a pause, a round, each pause longer up to 20 s.
  @Test func everyRoundThroughTheSpeedsIsCounted() throws {
    var desk = OddReceiver()
    desk.saysWhoItIs = false
    desk.epoch = { _ in [] }
    desk.open(.uart)
    var isPausing = false
    var rounds: Int64 = 1
    for _ in 0..<200 {
      desk.run(seconds: 1)
      let report = desk.report()
      let wasPausing = isPausing
      isPausing = report["receiver.state"] == .text("no answer at any speed")
      if wasPausing, !isPausing { rounds += 1 }
      #expect(report["receiver.searches"] == .integer(rounds))
      #expect((report["receiver.asked_next_in_s"] != nil) == isPausing)
    }
    #expect(rounds > 5)
  }

  /// A short log that a player hands over at once.
  @Test func sentencesInOneBurstGiveTheirFixes() {
    var desk = OddReceiver()
    desk.saysWhoItIs = false
    desk.epoch = { _ in [] }
    desk.open()
    let burst = (10..<14).flatMap { OddReceiver.sentences(at: "1200\($0).00") }
    desk.handle(.receiver(.bytesArrived(burst)))
    #expect(desk.report()["fixes.accepted"] == .integer(4))
  }
}
