import BinnacleBasics
import Testing
import UBX

@testable import LocationEngine

private func seconds(_ count: Double) -> Instant {
  .zero + Interval(nanoseconds: Int64(count * 1e9))
}

@Suite struct CommandMachineTests {
  private static let items = [
    ConfigurationItem(.rateMeasurement, 100), ConfigurationItem(.rateNavigation, 1),
    ConfigurationItem(.dynamicModel, 4),
  ]
  private static let step = SetupStep.values(items)
  private static let valset = SetupStep.Command(messageClass: 0x06, id: 0x8A)
  private static let valget = SetupStep.Command(messageClass: 0x06, id: 0x8B)

  private func machine(_ step: SetupStep = step) -> CommandMachine {
    CommandMachine(step, patience: .milliseconds(2_500), at: .zero)
  }

  private var question: [UInt8] { CommandMachineTests.step.question ?? [] }

  @Test func anAcknowledgedOrderIsReadBack() {
    var machine = machine()
    #expect(machine.acknowledged(CommandMachineTests.valset, at: .zero) == .write(question))
    let answer = SetupAnswer.values(CommandMachineTests.items)
    #expect(machine.answered(answer, at: .zero) == .done(differences: []))
  }

  @Test func anAcknowledgementOfSomethingElseIsNone() {
    var machine = machine()
    #expect(machine.acknowledged(CommandMachineTests.valget, at: .zero) == .none)
    #expect(machine.refused(CommandMachineTests.valget, at: .zero) == .none)
    #expect(machine.answered(.values(CommandMachineTests.items), at: .zero) == .none)
    #expect(machine.answered(.model(3), at: .zero) == .none)
  }

  @Test func aNAKSplitsTheGroupDownToTheKey() {
    var refused: [String] = []
    var orders = 0
    func order(_ step: SetupStep) {
      orders += 1
      var machine = CommandMachine(step, patience: .seconds(1), at: .zero)
      guard case .values(let items) = step else {
        Issue.record("no values are set")
        return
      }
      guard items.contains(where: { $0.key == .rateNavigation }) else { return }
      switch machine.refused(CommandMachineTests.valset, at: .zero) {
      case .split(let halves): halves.forEach(order)
      case .unsupported: refused.append(step.name)
      case .none, .write, .done, .unproven, .unanswered:
        Issue.record("a refusal was not understood")
      }
    }
    order(CommandMachineTests.step)
    #expect(refused == ["CFG-RATE-NAV"])
    #expect(orders == 5)
  }

  @Test func silenceIsReadBackBeforeTheOrderIsRepeated() {
    var machine = machine()
    #expect(machine.deadlineReached(at: seconds(2.4)) == .none)
    #expect(machine.deadlineReached(at: seconds(2.5)) == .write(question))
    // The order had been lost.
    let old = SetupAnswer.values([ConfigurationItem(.rateMeasurement, 1_000)])
    #expect(
      machine.answered(old, at: seconds(3)) == .write(CommandMachineTests.step.order))
    #expect(machine.deadlineReached(at: seconds(5.5)) == .write(question))
    // The acknowledgement had been lost.
    let done = SetupAnswer.values(CommandMachineTests.items)
    #expect(machine.answered(done, at: seconds(6)) == .done(differences: []))
  }

  @Test func threeOrdersAndTwoQuestionsAreEnough() {
    var silent = machine()
    var now = 0.0
    var writes = 0
    while true {
      now += 2.5
      let action = silent.deadlineReached(at: seconds(now))
      if action == .unanswered { break }
      writes += 1
      guard writes < 20 else { break }
    }
    #expect(writes == 2)
    var forgetful = machine()
    var orders = 1
    let old = SetupAnswer.values([ConfigurationItem(.rateMeasurement, 1_000)])
    for round in 1..<10 {
      _ = forgetful.deadlineReached(at: seconds(Double(round) * 5))
      let action = forgetful.answered(old, at: seconds(Double(round) * 5))
      if action == .unanswered { break }
      orders += 1
    }
    #expect(orders == 3)
  }

  @Test func anAcknowledgedOrderThatCannotBeReadBackIsUnproven() {
    var machine = machine()
    _ = machine.acknowledged(CommandMachineTests.valset, at: .zero)
    #expect(machine.deadlineReached(at: seconds(2.5)) == .write(question))
    #expect(machine.deadlineReached(at: seconds(5)) == .unproven)
  }

  @Test func aDamagedLineGetsMoreQuestionsAndNotWithoutEnd() {
    var machine = machine()
    let effort = LineQuality.Effort(tries: 5, patience: 6)
    var writes = 0
    for round in 1...40 {
      let action = machine.deadlineReached(effort, at: seconds(Double(round) * 2.5))
      if action == .unanswered { break }
      writes += 1
    }
    #expect(writes == 10)
  }

  @Test func aSettingThatReadsBackWrongIsRepeatedOnceAndReported() {
    var machine = machine()
    _ = machine.acknowledged(CommandMachineTests.valset, at: .zero)
    var items = CommandMachineTests.items
    items[0].value = 99
    #expect(
      machine.answered(.values(items), at: .zero) == .write(CommandMachineTests.step.order))
    _ = machine.acknowledged(CommandMachineTests.valset, at: .zero)
    #expect(
      machine.answered(.values(items), at: .zero)
        == .done(differences: ["CFG-RATE-MEAS is 99, not 100"]))
  }

  @Test func theOlderMessagesAreReadBackToo() {
    var port = CfgPRT()
    port.outputProtocols = .ubx
    let rates = CfgMSG.Rate.ports(ddc: 0, uart1: 5, uart2: 0, usb: 7, spi: 0, reserved: 0)
    let message = CfgMSG(targetClass: 1, targetID: 3, rate: rates)
    func rate(_ rate: UInt8, _ port: UInt8) -> SetupStep {
      .messageRate(messageClass: 1, id: 3, rate: rate, portID: port)
    }
    let quiet = SetupStep.port(.uart(speed: 9_600), hasSentences: false)
    let talking = SetupStep.port(.uart(speed: 9_600), hasSentences: true)
    #expect(quiet.differences(in: .port(port)) == [])
    #expect(talking.differences(in: .port(port))?.count == 1)
    let other = SetupStep.port(.usb, hasSentences: false)
    #expect(other.differences(in: .port(port)) == nil)
    port.outputProtocols = [.ubx, .nmea]
    #expect(quiet.differences(in: .port(port))?.count == 1)
    #expect(talking.differences(in: .port(port)) == [])
    #expect(rate(5, 1).differences(in: .messageRate(message)) == [])
    #expect(rate(7, 3).differences(in: .messageRate(message)) == [])
    #expect(rate(5, 3).differences(in: .messageRate(message))?.count == 1)
    #expect(SetupStep.model(.airborne2g).differences(in: .model(7)) == [])
    #expect(SetupStep.model(.airborne2g).differences(in: .model(6))?.count == 1)
    #expect(
      SetupStep.navigationPeriod(milliseconds: 100).differences(in: .navigationPeriod(100)) == [])
  }
}

@Suite struct BaudRateMachineTests {
  private func raising() -> BaudRateMachine {
    var machine = BaudRateMachine(from: 9_600, to: 115_200, at: .zero)
    #expect(machine.drained(at: seconds(0.1)) == .none)
    #expect(machine.deadlineReached(at: seconds(0.19)) == .none)
    #expect(machine.deadlineReached(at: seconds(0.2)) == .change(115_200))
    #expect(machine.speedChanged(at: seconds(0.25)) == .ask)
    return machine
  }

  @Test func anAnswerAtTheNewSpeedConfirmsIt() {
    var machine = raising()
    #expect(machine.answered() == .raised)
  }

  @Test func silenceAtTheNewSpeedRestoresTheOldSpeed() {
    var machine = raising()
    #expect(machine.deadlineReached(at: seconds(2)) == .ask)
    #expect(machine.deadlineReached(at: seconds(4)) == .change(9_600))
    #expect(machine.speedChanged(at: seconds(4)) == .ask)
    var silent = machine
    #expect(machine.answered() == .stayed(why: "no answer at 115200 baud"))
    #expect(silent.deadlineReached(at: seconds(6)) == .ask)
    #expect(silent.deadlineReached(at: seconds(8)) == .lost)
  }

  @Test func aRefusedSpeedIsNotUsed() {
    var machine = BaudRateMachine(from: 9_600, to: 115_200, at: .zero)
    #expect(machine.refused() == .stayed(why: "it refuses 115200 baud"))
  }

  @Test func aLineThatRefusesTheSpeedReturnsToTheOldSpeed() {
    var machine = BaudRateMachine(from: 9_600, to: 115_200, at: .zero)
    _ = machine.deadlineReached(at: seconds(2))
    #expect(machine.deadlineReached(at: seconds(3)) == .change(115_200))
    #expect(machine.speedRefused(at: seconds(3)) == .change(9_600))
  }
}

@Suite struct WatchTests {
  @Test func aSilentReceiverIsAskedTwice() {
    var watch = SilenceWatch()
    #expect(
      watch.deadlineReached(lastFrame: .zero, rateHz: 10, questionsMax: 2, at: seconds(1.9))
        == .none)
    #expect(
      watch.deadlineReached(lastFrame: .zero, rateHz: 10, questionsMax: 2, at: seconds(2)) == .ask)
    #expect(
      watch.deadlineReached(lastFrame: .zero, rateHz: 10, questionsMax: 2, at: seconds(3.2)) == .ask
    )
    var alive = watch
    #expect(
      watch.deadlineReached(lastFrame: .zero, rateHz: 10, questionsMax: 2, at: seconds(4.4))
        == .lost)
    alive.frameArrived()
    #expect(
      alive.deadlineReached(lastFrame: seconds(4), rateHz: 10, questionsMax: 2, at: seconds(4.4))
        == .none)
  }

  @Test func aSlowReceiverIsGivenThreeEpochs() {
    #expect(SilenceWatch.silenceMax(rateHz: 1) == .seconds(3))
    #expect(SilenceWatch.silenceMax(rateHz: 0) == .seconds(3))
    #expect(SilenceWatch.silenceMax(rateHz: 10) == .seconds(2))
  }

  @Test func uptimeThatGoesBackwardsIsAReset() {
    var watch = ResetWatch(at: .zero)
    #expect(watch.uptimeTold(10_000, at: seconds(1)) == nil)
    #expect(watch.uptimeTold(11_000, at: seconds(2)) == nil)
    #expect(watch.uptimeTold(500, at: seconds(3)) == .uptime)
    #expect(watch.uptimeTold(1_500, at: seconds(4)) == nil)
    #expect(watch.uptimeTold(4_294_967_000, at: seconds(5)) == nil)
    // 49.7 days.
    #expect(watch.uptimeTold(700, at: seconds(6)) == nil)
  }

  @Test func returningSentencesCountAsAResetForALimitedTime() {
    var watch = ResetWatch(at: .zero)
    var resets = 0
    for tenth in 0..<36_000 {
      if watch.sentenceArrived(at: seconds(Double(tenth) / 10)) != nil { resets += 1 }
    }
    #expect(resets >= 2)
    #expect(resets <= 14)
  }

  @Test func oneStartWithTwoSignsIsOneReset() {
    var watch = ResetWatch(at: .zero)
    #expect(watch.uptimeTold(60_000, at: seconds(60)) == nil)
    #expect(watch.sentenceArrived(at: seconds(61)) == nil)
    #expect(watch.sentenceArrived(at: seconds(61)) == nil)
    #expect(watch.sentenceArrived(at: seconds(61)) == .sentences)
    #expect(watch.uptimeTold(2_000, at: seconds(62)) == nil)
    #expect(watch.uptimeTold(1_000, at: seconds(63)) == .uptime)
  }

  @Test func missingPositionsAreOrderedAgainALimitedNumberOfTimes() {
    var watch = PositionWatch(at: .zero)
    for second in 1...20 {
      let isBack = watch.positionArrived(at: seconds(Double(second)))
      #expect(!isBack)
      #expect(watch.otherArrived(.plain, at: seconds(Double(second) + 0.5)) == nil)
    }
    #expect(watch.otherArrived(.plain, at: seconds(24)) == nil)
    #expect(watch.otherArrived(.plain, at: seconds(26)) == 1)
    #expect(watch.state == .missing(times: 1))
    var times: [Int] = []
    for second in 27..<3_600 {
      if let time = watch.otherArrived(.plain, at: seconds(Double(second))) { times.append(time) }
    }
    #expect(times == Array(2..<(2 + times.count)))
    #expect((3...14).contains(times.count))
    let isBack = watch.positionArrived(at: seconds(3_600))
    #expect(isBack)
    #expect(watch.state == .flowing)
    #expect(watch.otherArrived(.plain, at: seconds(4_300)) == 1)
  }

  @Test func theFirstSecondsMayStillHoldOldSentences() {
    var watch = ResetWatch(at: .zero)
    for _ in 0..<100 { #expect(watch.sentenceArrived(at: seconds(4)) == nil) }
    #expect(watch.textArrived(at: seconds(4)) == nil)
    #expect(watch.textArrived(at: seconds(6)) == .bootText)
  }
}

@Suite struct ReceiverIdentityTests {
  private func identity(_ hardware: String, _ extensions: [String] = []) -> ReceiverIdentity {
    ReceiverIdentity(
      MonVER(softwareVersion: "x", hardwareVersion: hardware, extensions: extensions))
  }

  @Test(arguments: [
    ("00040007", "", ReceiverIdentity.Generation.six, false),
    ("00070000", "PROTVER 14.00", .seven, false), ("00080000", "PROTVER=18.00", .m8, false),
    ("00080000", "PROTVER=23.01", .m8, false), ("00190000", "PROTVER=32.01", .m9, true),
    ("00190000", "PROTVER=27.31", .m9, true), ("000A0000", "PROTVER=34.10", .m10, true),
    ("000A0000", "PROTVER=40.00", .later, true), ("000A0000", "", .m10, true),
    ("FFFFFFFF", "", .six, false),
  ])
  func protocolAndHardwareIdentifyTheGeneration(
    hardware: String, line: String, generation: ReceiverIdentity.Generation, usesKeys: Bool
  ) {
    let identity = identity(hardware, line.isEmpty ? [] : [line])
    #expect(identity.generation == generation)
    #expect(identity.usesKeys == usesKeys)
  }

  @Test func tenHertzDoesNotFitTheSlowestLine() {
    let plan = SetupPlan(identity("000A0000", ["PROTVER=34.10"]), port: .uart)
    #expect(!plan.needsFasterLine(rateHz: 1, speed: 9_600))
    #expect(plan.needsFasterLine(rateHz: 10, speed: 9_600))
    #expect(!plan.needsFasterLine(rateHz: 10, speed: 38_400))
    #expect(plan.rateMaxHz(speed: 9_600) == 6)
    let usb = SetupPlan(identity("000A0000", ["PROTVER=34.10"]), port: .usb)
    #expect(!usb.needsFasterLine(rateHz: 10, speed: 9_600))
  }
}
