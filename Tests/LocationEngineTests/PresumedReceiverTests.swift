import BinnacleModel
import LocationEngine
import Testing
import UBX

/// Receivers whose name, a long message, does not survive a line that their short messages survive.
@Suite struct PresumedReceiverTests {
  /// A receiver that never says who it is, on a line that damages so many sentences each second.
  private func desk(damagedCount: Int) -> OddReceiver {
    var desk = OddReceiver()
    desk.saysWhoItIs = false
    let damage = [[UInt8]](repeating: Array("$GPGGA,1200*00\r\n".utf8), count: damagedCount)
    desk.epoch = {
      ($0.values[.uart1OutputNMEA] == 0 ? $0.solution : $0.sentences) + damage.joined()
    }
    desk.open()
    return desk
  }

  private func briefQuestionCount(_ desk: OddReceiver) -> Int {
    let question = CfgVALGETPoll(layer: .ram, keys: [.rateMeasurement]).frame
    return desk.effects.count {
      guard case .receiver(.write(let bytes)) = $0 else { return false }
      return bytes.count > question.count && Array(bytes.suffix(question.count)) == question
    }
  }

  @Test func aShortAnswerIsEnoughToConfigureIt() {
    var desk = desk(damagedCount: 4)
    // Eight messages are the least that a line is judged by; the next question comes after a minute.
    desk.run(seconds: 80)
    var report = desk.report()
    #expect(report["receiver.is_configured"] == .flag(true))
    #expect(report["receiver.generation"] == .text("M9 or later"))
    #expect(report["receiver.firmware"] == nil)
    #expect(desk.lines.contains { $0.contains("whose name the line has damaged so far") })
    // It is asked on, and the rest follows from its name.
    desk.saysWhoItIs = true
    desk.run(seconds: 15)
    report = desk.report()
    #expect(report["receiver.generation"] == .text("M10"))
    #expect(report["receiver.firmware"] != nil)
    #expect(report["receiver.is_configured"] == .flag(true))
  }

  @Test func aCleanLineIsAskedForTheNameAlone() {
    var desk = desk(damagedCount: 0)
    desk.run(seconds: 130)
    #expect(desk.questionCount >= 3)
    #expect(briefQuestionCount(desk) == 0)
    #expect(desk.report()["receiver.generation"] == nil)
  }

  @Test func aRefusalShowsAReceiverWithoutKeys() {
    var desk = desk(damagedCount: 4)
    desk.answer = { if case .cfgVALGETPoll = $0 { .refused } else { .nothing } }
    desk.run(seconds: 80)
    #expect(briefQuestionCount(desk) >= 1)
    #expect(desk.report()["receiver.generation"] == .text("M8 or earlier"))
  }

  /// A source that is played, a recording for example, may hold such an answer.
  @Test func anAnswerThatWasNotAskedForIsNone() {
    var desk = desk(damagedCount: 0)
    desk.run(seconds: 20)
    let items = [ConfigurationItem(.rateMeasurement, 1_000)]
    let answer = CfgVALGET(layer: .ram, items: items).frame
    desk.epoch = { $0.sentences + answer }
    desk.run(seconds: 70)
    #expect(desk.report()["receiver.generation"] == nil)
  }
}
