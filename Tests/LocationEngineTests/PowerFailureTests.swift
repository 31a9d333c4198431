import BinnacleBasics
import BinnacleModel
import Simulation
import Testing
import UBX

@testable import LocationEngine

/// Receivers that do not sleep, do not wake, or go away meanwhile.
@Suite struct PowerFailureTests {
  @Test func aReceiverThatKeepsSendingStaysAwakeAndIsTriedAtGrowingIntervals() {
    var board = PowerDesk(oddities: [.ignoresSleep])
    board.desk.open()
    board.run(seconds: 3_700)
    #expect(board.sleepCount == 0)
    let report = board.desk.report()
    #expect(board.words("power.state", in: report) == "resting")
    #expect(
      board.words("power.sleeps_refused", in: report) == board.words("power.sleeps", in: report))
    // After 10 s, 40 s, 160 s, 640 s: each time the order is given three times.
    let orders = board.desk.writes(ofClass: 0x02, 0x41)
    #expect((9...18).contains(orders))
    #expect(
      board.desk.lines.contains { $0.contains("was ordered to sleep, but continues to send") })
    #expect(board.words("power.last_wake", in: report) == "-")
    let why = board.words("power.stays_on", in: report)
    #expect(why.hasPrefix("it did not sleep, or did not wake, 6 times; tried again in "))
    #expect(board.words("power.user_1.who", in: report) == "binnacled")
    #expect(
      board.words("power.user_1.what", in: report) == "keeps it ready, for updates that pause")
    let count = board.desk.updates.count
    board.depart()
    board.run(seconds: 3, shake: 60)
    #expect(board.desk.updates.count > count)
    #expect(board.desk.updates.last?.flags == [])
  }

  @Test func aReceiverThatDoesNotWakeOnTheLineIsBackAfterItsFirstShortSleepAndThenLeftAwake() {
    var board = PowerDesk(oddities: [.deafAsleep])
    board.desk.open()
    board.run(seconds: 125)
    #expect(board.sleepCount == 1)
    // The receiver sleeps for 60 s. The wake-up after 30 s has no effect, and the receiver wakes at the end of its
    // sleep.
    board.run(seconds: 80)
    #expect(board.desk.receiver.isAwake)
    #expect(board.word("receiver.state") == "running")
    #expect(board.word("power.wakes_failed") == "1")
    #expect(board.desk.lines.contains { $0.contains("no answer after the wake-up order") })
    board.run(seconds: 500)
    #expect(board.sleepCount == 1)
    #expect(board.desk.updates.filter { $0.flags.contains(.locationUnavailable) }.count <= 1)
  }

  @Test func aReceiverThatWakesByItselfIsSentToSleepAgain() {
    var board = PowerDesk()
    board.desk.open()
    board.fallAsleep()
    board.run(seconds: 60)
    board.desk.receiver.restart(at: board.desk.now)
    board.run(seconds: 10)
    #expect(board.word("power.wakes_by_itself") == "1")
    board.run(seconds: 120)
    #expect(board.isAsleep)
  }

  @Test func aNoisyReceiverIsOrderedToSleepALimitedNumberOfTimes() {
    var board = PowerDesk(oddities: [.noisyLine])
    board.desk.open()
    board.run(seconds: 3_600)
    guard case .integer(let count)? = board.desk.report()["power.sleeps"] else {
      Issue.record("there is no count")
      return
    }
    #expect((3...30).contains(count))
    #expect(board.desk.updates.filter { $0.flags.contains(.locationUnavailable) }.isEmpty)
  }

  @Test func aReceiverThatIsSlowToStartIsWaitedFor() {
    var board = PowerDesk(oddities: [.slowStart])
    board.desk.open()
    board.fallAsleep()
    board.run(seconds: 100)
    board.depart()
    board.run(seconds: 8, shake: 60)
    #expect(board.desk.updates.last?.flags == [])
    #expect(board.word("power.wakes_failed") == "0")
  }

  @Test func aDeviceThatIsPulledOutWhileItSleepsIsMissedAndFoundAgain() {
    var board = PowerDesk()
    board.desk.open()
    board.fallAsleep()
    board.run(seconds: 60)
    board.desk.plug(false)
    board.run(seconds: 5)
    #expect(board.word("receiver.state") == "waiting for the device")
    #expect(board.word("power.state") == "no receiver is set up")
    #expect(board.word("power.next_fix") == "-")
    board.desk.plug(true)
    board.run(seconds: 20)
    #expect(board.word("receiver.state") == "running")
    #expect(board.word("power.next_fix") != "-")
  }

  @Test func noFixIsPredictedForAMissingOrSilentReceiver() {
    var board = PowerDesk()
    board.desk.open()
    board.run(seconds: 100)
    #expect(board.word("power.next_fix") == "it has one")
    board.desk.plug(false)
    board.run(seconds: 0.5)
    #expect(board.word("power.state") == "no receiver is set up")
    #expect(board.word("power.next_fix") == "-")
    #expect(board.word("power.next_fix_s") == "-")
    // The device is back, and what is behind it has no power.
    board.desk.plug(true)
    board.desk.receiver.removePower(keepsBattery: true, at: board.desk.now)
    for _ in 0..<60 {
      board.run(seconds: 1)
      #expect(board.word("power.next_fix") == "-")
    }
    #expect(board.word("receiver.state") != "waiting for the device")
  }

  /// The daemon's clock runs since the board's start.
  @Test func aDaemonThatHasJustBegunCountsFromItsOwnStart() {
    var desk = EngineDesk()
    desk.now = .zero + .seconds(660)
    desk.isPlugged = false
    desk.run(seconds: 0.3)
    let report = desk.report()
    #expect(report["power.state"] == .text("no receiver is set up"))
    #expect(report["power.since_s"] == .number(0.3))
    #expect(report["power.user_1.for_s"] == .number(0.3))
  }

  @Test(arguments: [Generation.seven, .m8, .m10])
  func aDaemonThatStartsWhileItsReceiverSleepsWakesItAndFindsIt(_ generation: Generation) {
    var board = PowerDesk(generation)
    board.desk.open()
    board.fallAsleep()
    board.run(seconds: 600)
    #expect(board.isAsleep)
    let speed = board.desk.lineSpeed
    var configuration = Configuration(lastSpeed: speed)
    configuration.hasAccelerometer = true
    board.desk.engine = Engine(configuration: configuration, seed: 2)
    board.desk.send(.storage(.read(StateReading())))
    board.desk.send(.started)
    let count = board.desk.updates.count
    board.desk.open()
    board.run(seconds: 12)
    #expect(board.word("receiver.state") == "running")
    #expect(board.desk.updates.dropFirst(count).contains { $0.fix != nil })
  }

  @Test func aReceiverOnUSBRestsInsteadAndGivesTheReason() {
    var board = PowerDesk(.m8, kind: .usb)
    board.desk.open()
    board.run(seconds: 600)
    #expect(board.desk.writes(ofClass: 0x02, 0x41) == 0)
    #expect(board.word("power.state") == "resting")
    #expect(board.word("power.stays_on") == "a receiver on USB does not go to sleep")
  }

  @Test func theOrderToSleepHasTheFormThatEachGenerationObeys() {
    func order(hardware: String, protocolVersion: String?) -> RxmPMREQ {
      let version = MonVER(
        softwareVersion: "x", hardwareVersion: hardware,
        extensions: protocolVersion.map { ["PROTVER=" + $0] } ?? [])
      return ReceiverIdentity(version).sleepOrder(for: .seconds(65))
    }
    for (hardware, version) in [("00040007", nil), ("00070000", "14.00"), ("00080000", "15.00")] {
      #expect(
        order(hardware: hardware, protocolVersion: version).payload
          == [0xE8, 0xFD, 0, 0, 0x02, 0, 0, 0])
    }
    for (hardware, version) in [
      ("00080000", "18.00"), ("00190000", "32.01"), ("000A0000", "34.10"),
    ] {
      #expect(
        order(hardware: hardware, protocolVersion: version).payload
          == [0, 0, 0, 0, 0xE8, 0xFD, 0, 0, 0x06, 0, 0, 0, 0x28, 0, 0, 0])
    }
  }

  /// A client wants positions at the moment of the sleep order, and the receiver does not get the wake-up.
  @Test func bytesSentBeforeTheSleepProveNoWakeUp() {
    var machine = SleepMachine()
    let start = Instant.zero + .seconds(10)
    #expect(machine.fallAsleep(for: .seconds(60), at: start) == .order(.seconds(60)))
    #expect(machine.wake(listens: false, isProof: false, at: start) == .wake)
    #expect(machine.frameArrived(at: start + .milliseconds(5)) == .none)
    var heard = machine
    #expect(
      heard.frameArrived(at: start + .milliseconds(1_400))
        == .ended(.woken(after: .milliseconds(400), questions: 0, hasSlept: false)))
    var questions = 0
    while let due = machine.nextDeadline {
      let action = machine.deadlineReached(lastFrame: start, listens: false, at: due)
      if action != .ask {
        #expect(action == .ended(.gone))
        break
      }
      questions += 1
    }
    #expect(questions == 8)
  }

  /// Seed 905437737: the order to sleep was lost, and the receiver went on sending while it was being woken.
  @Test func onlyBytesAfterASilenceProveAWakeup() {
    let start = Instant.zero + .seconds(10)
    for delay in [Interval.milliseconds(20), .seconds(5)] {
      var machine = SleepMachine()
      _ = machine.fallAsleep(for: .seconds(60), at: start)
      let wanted = start + delay
      while let due = machine.nextDeadline, due < wanted {
        _ = machine.deadlineReached(lastFrame: start, listens: false, at: due)
      }
      _ = machine.wake(listens: false, isProof: false, at: wanted)
      var book = SleepStatistics()
      if case .ended(let ending) = machine.frameArrived(at: wanted + .milliseconds(1_400)) {
        book.add(ending)
      }
      #expect(book.wakes == 1)
      #expect(book.isWakeProven == (delay == .seconds(5)))
    }
  }
}
