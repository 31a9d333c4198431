import BinnacleBasics
import BinnacleModel
import BinnacleWire
import Testing

struct ClientMachineTests {
  private static let welcome = ServerMessage.welcome(version: 2, daemon: "d").encoded()
  private static let hello = ClientMessage.hello(
    .init(versionMin: 1, versionMax: WireLimits.versionMax, program: "p")
  ).encoded()

  private func machine() -> ClientMachine { ClientMachine(program: "p", seed: 1) }

  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  /// A machine whose handshake is done at 0 ms.
  private func readyMachine(version: UInt16 = 2) -> ClientMachine {
    var machine = machine()
    _ = machine.started(at: at(0))
    _ = machine.connected(at: at(0))
    let welcome = ServerMessage.welcome(version: version, daemon: "d").encoded()
    _ = machine.packetArrived(welcome, at: at(0))
    return machine
  }

  @Test func theClientGreetsAndThenOpensItsSequencesInOrder() {
    var machine = machine()
    let (first, none) = machine.openUpdates(.fitness, at: at(0))
    let (second, _) = machine.openUpdates(.airborne, at: at(0))
    #expect(none == [])
    #expect(machine.started(at: at(1)) == [.connect])
    #expect(machine.connected(at: at(2)) == [.send(ClientMachineTests.hello)])
    #expect(
      machine.packetArrived(ClientMachineTests.welcome, at: at(3)) == [
        .ready(version: 2),
        .send(ClientMessage.openUpdates(first, .fitness).encoded()),
        .send(ClientMessage.openUpdates(second, .airborne).encoded()),
      ])
    #expect(machine.isReady)
    #expect(machine.nextDeadline == nil)
  }

  @Test func aDaemonOfVersionTwoIsNotAskedToAcceptALoss() {
    var machine = machine()
    _ = machine.started(at: at(0))
    _ = machine.connected(at: at(0))
    _ = machine.packetArrived(
      ServerMessage.welcome(version: 2, daemon: "old").encoded(), at: at(0))
    #expect(
      machine.request(.state(.read), at: at(1)) == [
        .send(ClientMessage.request(1, .state(.read)).encoded())
      ])
    guard case .answered(let refusal?)? = machine.request(.state(.accept), at: at(1)).first else {
      Issue.record("the wish is sent")
      return
    }
    #expect(refusal.kind == .versionUnsupported)
    #expect(refusal.text.contains("version 2 of the protocol, and this takes version 3"))
  }

  @Test func anOlderDaemonGetsOnlyKnownRequests() {
    var machine = machine()
    #expect(machine.request(.setServices(isOn: false), at: at(0)) == [])
    _ = machine.request(.status, at: at(0))
    _ = machine.started(at: at(0))
    _ = machine.connected(at: at(0))
    let welcome = ServerMessage.welcome(version: 1, daemon: "old").encoded()
    let actions = machine.packetArrived(welcome, at: at(0))
    #expect(machine.version == 1)
    #expect(actions.first == .ready(version: 1))
    guard actions.count == 3, case .answered(let refusal?) = actions[1] else {
      Issue.record("\(actions)")
      return
    }
    #expect(refusal.kind == .versionUnsupported)
    #expect(actions[2] == .send(ClientMessage.request(2, .status).encoded()))
    #expect(machine.request(.setServices(isOn: false), at: at(1)) == [.answered(refusal)])
    // Both are answered; a newer daemon is not asked again.
    _ = machine.disconnected(at: at(2))
    _ = machine.deadlineReached(at: at(200))
    _ = machine.connected(at: at(200))
    #expect(
      machine.packetArrived(ClientMachineTests.welcome, at: at(201)) == [
        .ready(version: 2),
        .send(ClientMessage.request(2, .status).encoded()),
      ])
  }

  /// The actions after a reconnect to a daemon of a version.
  private func reconnect(_ machine: inout ClientMachine, version: UInt16)
    -> [ClientMachine.Action]
  {
    _ = machine.disconnected(at: at(20_000))
    _ = machine.deadlineReached(at: at(30_000))
    _ = machine.connected(at: at(30_000))
    let welcome = ServerMessage.welcome(version: version, daemon: "d").encoded()
    return machine.packetArrived(welcome, at: at(30_000))
  }

  @Test func aReducedSequenceIsAnOrdinaryOneForADaemonOfVersionSix() {
    var machine = readyMachine(version: 7)
    let (id, opening) = machine.openUpdates(.fitness, .reduced, at: at(1))
    let reduced = ClientMessage.openReducedUpdates(id, .fitness).encoded()
    #expect(opening == [.send(reduced)])
    #expect(reconnect(&machine, version: 7).contains(.send(reduced)))
    let ordinary = ClientMessage.openUpdates(id, .fitness).encoded()
    #expect(reconnect(&machine, version: 6).contains(.send(ordinary)))
  }

  @Test func aSearchIsAnOrdinarySequenceForADaemonOfVersionEleven() {
    var machine = readyMachine(version: 12)
    let (id, opening) = machine.openUpdates(.default, [.search, .reduced], at: at(1))
    #expect(opening == [.send(ClientMessage.openSearch(id, isReduced: true).encoded())])
    let reduced = ClientMessage.openReducedUpdates(id, .default).encoded()
    #expect(reconnect(&machine, version: 11).contains(.send(reduced)))
    let ordinary = ClientMessage.openUpdates(id, .default).encoded()
    #expect(reconnect(&machine, version: 6).contains(.send(ordinary)))
  }

  @Test func buttonsAreWatchedAgainAfterAReconnect() {
    var machine = readyMachine(version: 7)
    let watch = ClientMessage.watchButtons.encoded()
    #expect(machine.watchButtons(at: at(1)) == [.send(watch)])
    #expect(machine.watchButtons(at: at(1)) == [])
    let press = ButtonPress(button: "MARK", gesture: .long, time: Samples.fix.time)
    #expect(
      machine.packetArrived(ServerMessage.button(press).encoded(), at: at(2)) == [.button(press)])
    #expect(reconnect(&machine, version: 6) == [.ready(version: 6)])
    #expect(reconnect(&machine, version: 7) == [.ready(version: 7), .send(watch)])
  }

  @Test func thePhaseIsWatchedAgainAfterAReconnectToADaemonOfVersionEight() {
    var machine = readyMachine(version: 8)
    let watch = ClientMessage.watchPhase.encoded()
    #expect(machine.watchPhase(at: at(1)) == [.send(watch)])
    #expect(machine.watchPhase(at: at(1)) == [])
    #expect(
      machine.packetArrived(ServerMessage.phase(.suspending).encoded(), at: at(2)) == [
        .phase(.suspending)
      ])
    #expect(reconnect(&machine, version: 7) == [.ready(version: 7)])
    #expect(reconnect(&machine, version: 8) == [.ready(version: 8), .send(watch)])
  }

  @Test func aLiveActivityIsKeptForTheNextDaemonOfVersionEight() {
    var machine = readyMachine(version: 7)
    let (id, opening) = machine.openSession(.liveActivity(text: "on the way"), at: at(1))
    #expect(opening == [])
    let message = ClientMessage.openSession(id, .liveActivity(text: "on the way")).encoded()
    #expect(reconnect(&machine, version: 8) == [.ready(version: 8), .send(message)])
    #expect(reconnect(&machine, version: 7) == [.ready(version: 7)])
    #expect(machine.closeSession(id, at: at(40_000)) == [])
    let (task, _) = machine.openSession(.backgroundTask, at: at(1))
    #expect(reconnect(&machine, version: 7) == [.ready(version: 7)])
    #expect(machine.closeSession(task, at: at(40_000)) == [])
  }

  @Test func aWatchOfPromptsIsAnsweredAtEachChangeAndMadeAgainAfterAReconnect() {
    var machine = readyMachine(version: 7)
    let request = ClientMessage.request(1, .consent(.watchPrompts)).encoded()
    #expect(machine.request(.consent(.watchPrompts), at: at(1)) == [.send(request)])
    let rows = ServerMessage.rows(request: 1, isLast: true, [Samples.report]).encoded()
    for _ in 0..<2 {
      #expect(
        machine.packetArrived(rows, at: at(2)) == [.rows([Samples.report], isLast: true)])
    }
    #expect(reconnect(&machine, version: 7) == [.ready(version: 7), .send(request)])
  }

  @Test func aListOfOwnAppsIsAnnouncedForARequestThatIsOpen() {
    var machine = readyMachine(version: 11)
    _ = machine.request(.consent(.who), at: at(1))
    let announcement = ServerMessage.ownApps(request: 1).encoded()
    #expect(machine.packetArrived(announcement, at: at(2)) == [.ownApps])
    let other = ServerMessage.ownApps(request: 2).encoded()
    #expect(machine.packetArrived(other, at: at(3)) == [])
    let rows = ServerMessage.rows(request: 1, isLast: true, []).encoded()
    #expect(machine.packetArrived(rows, at: at(4)) == [.rows([], isLast: true)])
    #expect(machine.packetArrived(announcement, at: at(5)) == [])
  }

  @Test func updatesAreHandedOnWhileTheirSequenceIsOpen() {
    var machine = readyMachine()
    let (sequence, opening) = machine.openUpdates(.default, at: at(1))
    #expect(opening == [.send(ClientMessage.openUpdates(sequence, .default).encoded())])
    let update = Update(fix: Samples.fix)
    let packet = ServerMessage.update(sequence, update).encoded()
    #expect(machine.packetArrived(packet, at: at(2)) == [.updates([sequence], update)])
    #expect(
      machine.closeUpdates(sequence, at: at(3)) == [
        .send(ClientMessage.closeUpdates(sequence).encoded())
      ])
    #expect(machine.packetArrived(packet, at: at(4)) == [])
    #expect(machine.closeUpdates(sequence, at: at(5)) == [])
  }

  @Test func anUpdateOfSeveralSequencesIsHandedOnForEachThatIsOpen() {
    var machine = readyMachine()
    let first = machine.openUpdates(.default, at: at(1)).0
    let second = machine.openUpdates(.default, at: at(1)).0
    let third = machine.openUpdates(.default, at: at(1)).0
    _ = machine.closeUpdates(second, at: at(2))
    let update = Update(fix: Samples.fix)
    let packet = ServerMessage.updates([first, second, third], update).encoded()
    #expect(machine.packetArrived(packet, at: at(3)) == [.updates([first, third], update)])
    _ = machine.closeUpdates(first, at: at(4))
    _ = machine.closeUpdates(third, at: at(4))
    #expect(machine.packetArrived(packet, at: at(5)) == [])
  }

  @Test func theClientReconnectsEachSecondAtFirstAndThenEachFiveSeconds() {
    var machine = machine()
    #expect(machine.started(at: at(0)) == [.connect])
    var now = at(0)
    var expected = Interval.milliseconds(100)
    for attempt in 1...50 {
      #expect(machine.connectFailed(at: now) == [])
      guard let deadline = machine.nextDeadline else {
        Issue.record("no new attempt")
        return
      }
      #expect(deadline - now >= expected / 2 && deadline - now <= expected)
      #expect(machine.deadlineReached(at: deadline - .milliseconds(1)) == [])
      #expect(machine.deadlineReached(at: deadline) == [.connect])
      now = deadline
      expected = min(expected * 2, attempt < 20 ? .seconds(1) : .seconds(5))
    }
  }

  /// The lamp must be lit within 2 s of the daemon's start; the service manager starts the daemon 2 s after its end.
  @Test func aDaemonThatIsBackAfterSecondsHasTheClientAfterASecond() {
    for seed in UInt64(0)..<50 {
      var machine = ClientMachine(program: "p", seed: seed)
      _ = machine.started(at: at(0))
      _ = machine.connected(at: at(0))
      _ = machine.packetArrived(ClientMachineTests.welcome, at: at(0))
      var now = at(60_000)
      _ = machine.disconnected(at: now)
      let back = now + .milliseconds(2_000 + Int64(seed) * 100)
      while let due = machine.nextDeadline {
        now = due
        #expect(machine.deadlineReached(at: now) == [.connect])
        if now >= back { break }
        _ = machine.connectFailed(at: now)
      }
      #expect(now - back <= .seconds(1))
    }
  }

  @Test func afterAReconnectItOpensItsSequencesAndAsksAgain() {
    var machine = readyMachine()
    let (first, _) = machine.openUpdates(.default, at: at(1))
    let (second, _) = machine.openUpdates(.fitness, at: at(1))
    _ = machine.closeUpdates(first, at: at(2))
    #expect(
      machine.request(.status, at: at(2))
        == [.send(ClientMessage.request(1, .status).encoded())])
    #expect(machine.disconnected(at: at(10_000)) == [])
    let (third, nothing) = machine.openUpdates(.airborne, at: at(10_001))
    #expect(nothing == [])
    #expect(machine.deadlineReached(at: at(10_101)) == [.connect])
    _ = machine.connected(at: at(10_101))
    #expect(
      machine.packetArrived(ClientMachineTests.welcome, at: at(10_102)) == [
        .ready(version: 2),
        .send(ClientMessage.openUpdates(second, .fitness).encoded()),
        .send(ClientMessage.openUpdates(third, .airborne).encoded()),
        .send(ClientMessage.request(1, .status).encoded()),
      ])
  }

  /// The daemon keeps what was open for 10 s after its start (`RejoinWindow`).
  @Test func aDaemonThatWasAwayForAnHourHasTheSequencesBackInHalfItsWindow() {
    for seed in UInt64(0)..<50 {
      var machine = ClientMachine(program: "p", seed: seed)
      _ = machine.started(at: at(0))
      _ = machine.connected(at: at(0))
      _ = machine.packetArrived(ClientMachineTests.welcome, at: at(0))
      let (kept, _) = machine.openUpdates(.fitness, at: at(1))
      let (ended, _) = machine.openUpdates(.default, at: at(1))
      var now = at(60_000)
      _ = machine.disconnected(at: now)
      // The end of a loop is not sent, because there is no connection.
      #expect(machine.closeUpdates(ended, at: now) == [])
      let back = at(3_600_000 + Int64(seed) * 97)
      while let due = machine.nextDeadline {
        now = due
        #expect(machine.deadlineReached(at: now) == [.connect])
        if now >= back { break }
        _ = machine.connectFailed(at: now)
      }
      #expect(now - back <= .seconds(5))
      _ = machine.connected(at: now)
      #expect(
        machine.packetArrived(ClientMachineTests.welcome, at: now) == [
          .ready(version: 2), .send(ClientMessage.openUpdates(kept, .fitness).encoded()),
        ])
    }
  }

  @Test func answersBelongToTheirRequests() {
    var machine = readyMachine()
    _ = machine.request(.status, at: at(1))
    _ = machine.request(.trace, at: at(1))
    let stranger = ServerMessage.status(request: 9, Samples.report).encoded()
    #expect(machine.packetArrived(stranger, at: at(2)) == [])
    let piece = ServerMessage.trace(request: 2, isLast: false, [1]).encoded()
    #expect(machine.packetArrived(piece, at: at(2)) == [.trace([1], isLast: false)])
    let answer = ServerMessage.status(request: 1, Samples.report).encoded()
    #expect(machine.packetArrived(answer, at: at(3)) == [.status(Samples.report)])
    #expect(machine.packetArrived(answer, at: at(4)) == [])
    let last = ServerMessage.trace(request: 2, isLast: true, [2]).encoded()
    #expect(machine.packetArrived(last, at: at(5)) == [.trace([2], isLast: true)])
    #expect(machine.packetArrived(last, at: at(6)) == [])
  }

  @Test func aSequenceThatTheDaemonEndedIsNotOpenedAgain() {
    var machine = readyMachine()
    let (sequence, _) = machine.openUpdates(.default, at: at(1))
    let refusal = ServerMessage.Refusal(.sequencesTooMany, "32")
    let packet = ServerMessage.updatesEnded(sequence, refusal).encoded()
    #expect(machine.packetArrived(packet, at: at(2)) == [.updatesEnded(sequence, refusal)])
    _ = machine.disconnected(at: at(3))
    _ = machine.deadlineReached(at: at(200))
    _ = machine.connected(at: at(200))
    #expect(machine.packetArrived(ClientMachineTests.welcome, at: at(201)) == [.ready(version: 2)])
  }

  @Test(arguments: [1, 60_000] as [Int64])
  func aFinalRefusalIsReportedAndTriedAgainLater(afterMilliseconds age: Int64) {
    var machine = readyMachine()
    let refusal = ServerMessage.Refusal(.clientsTooMany, "64")
    let packet = ServerMessage.refused(refusal, isFinal: true).encoded()
    #expect(machine.packetArrived(packet, at: at(age)) == [.refused(refusal), .hangUp])
    #expect(machine.disconnected(at: at(age + 1)) == [])
    let times = at(age + 2_500)...at(age + 5_000)
    #expect(machine.nextDeadline.map(times.contains) == true)
    #expect(machine.deadlineReached(at: at(age + 5_000)) == [.connect])
  }

  @Test func aDaemonThatStopsIsTriedAgainSoon() {
    var machine = readyMachine()
    let refusal = ServerMessage.Refusal(.stopping, "bye")
    let packet = ServerMessage.refused(refusal, isFinal: true).encoded()
    #expect(machine.packetArrived(packet, at: at(6_000)) == [.refused(refusal), .hangUp])
    #expect(machine.deadlineReached(at: at(6_100)) == [.connect])
  }

  @Test func aRequestThatIsRefusedDoesNotEndTheConnection() {
    var machine = readyMachine()
    let refusal = ServerMessage.Refusal(.notPermitted, "no")
    let packet = ServerMessage.refused(refusal, isFinal: false).encoded()
    #expect(machine.packetArrived(packet, at: at(1)) == [.refused(refusal)])
    #expect(machine.isReady)
  }

  @Test func malformedBytesEndTheConnectionAndItComesBack() {
    for packet in [[], [0], [131, 1], ClientMachineTests.welcome] {
      var machine = readyMachine()
      #expect(machine.packetArrived(packet, at: at(1)) == [.hangUp])
      #expect(machine.deadlineReached(at: at(101)) == [.connect])
    }
  }

  @Test func aDaemonThatDoesNotAnswerTheGreetingIsLeft() {
    var machine = machine()
    _ = machine.started(at: at(0))
    _ = machine.connected(at: at(0))
    #expect(machine.nextDeadline == at(5_000))
    #expect(machine.deadlineReached(at: at(5_000)) == [.hangUp])
    #expect(machine.deadlineReached(at: at(5_100)) == [.connect])
  }

  @Test func aWelcomeInAVersionThatWasNotOfferedIsNotAccepted() {
    var machine = machine()
    _ = machine.started(at: at(0))
    _ = machine.connected(at: at(0))
    let packet = ServerMessage.welcome(version: WireLimits.versionMax + 1, daemon: "d").encoded()
    #expect(machine.packetArrived(packet, at: at(1)) == [.hangUp])
  }
}
