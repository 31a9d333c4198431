import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import Testing

@testable import LocationEngine

@Suite struct ServiceSwitchTests {
  static let off = Update(
    fix: nil, flags: [.authorizationDenied, .authorizationDeniedGlobally])
  static let name = RecordName(kind: RecordTable.locationServices.number)

  /// A log that holds this of the switch.
  static func reading(_ value: [UInt8]?, isWithheld: Bool = false) -> StateReading {
    var records = RecordSet()
    if let value { records.apply(Change(name, .put(value, isCautious: true))) }
    return StateReading(records: records, withheld: isWithheld ? [name] : [])
  }

  /// A desk with an app that gets fixes.
  static func running(_ reading: StateReading = StateReading()) -> EngineDesk {
    var desk = EngineDesk(reading: reading)
    desk.open()
    desk.run(seconds: 15)
    return desk
  }

  static func wants(_ isOn: Bool, _ desk: inout EngineDesk, request: UInt32 = 5) {
    desk.send(.client(EngineDesk.client, .requested(request, .setServices(isOn: isOn))))
  }

  @Test func offIsReportedOnceToEveryAppAndEndsDelivery() {
    var desk = ServiceSwitchTests.running()
    let stranger = ClientID(number: 2)
    desk.open(user: 1_234, client: stranger)
    #expect(!desk.fixes.isEmpty)
    desk.effects = []
    ServiceSwitchTests.wants(false, &desk)
    desk.run(seconds: 60)
    #expect(desk.updates == [ServiceSwitchTests.off, ServiceSwitchTests.off])
    #expect(desk.report()["services.on"] == .flag(false))
    // A client that connects later is informed, too.
    desk.send(.client(EngineDesk.client, .updatesOpened(SequenceID(number: 9), .default)))
    #expect(desk.updates.count == 3)
    #expect(desk.updates.last == ServiceSwitchTests.off)
  }

  @Test func servicesThatAreTurnedOnResumeFixesAndReportOtherReasons() {
    var desk = ServiceSwitchTests.running()
    desk.open(user: 1_234, client: ClientID(number: 2))
    ServiceSwitchTests.wants(false, &desk)
    desk.run(seconds: 30)
    desk.effects = []
    ServiceSwitchTests.wants(true, &desk)
    desk.run(seconds: 10)
    #expect(desk.fixes.count >= 8)
    #expect(desk.updates.first == Update(fix: nil, flags: .insufficientlyInUse))
    #expect(desk.effects.contains(.client(EngineDesk.client, .answer(request: 5, failure: nil))))
  }

  /// Seed 908349902: the first fix after services had come on again was left out, and its dwell counted from it.
  @Test func aSequenceThatBeginsAgainGetsTheNextFixAtOnce() {
    var sequence = LiveSequence(
      id: SequenceID(number: 1), configuration: .default, dwell: .seconds(60),
      state: .waiting(until: .zero), at: .zero)
    let time = UTCTime(secondsSince1970: 1_790_000_000)
    let next = UTCTime(secondsSince1970: 1_790_000_000, nanoseconds: 500_000_000)
    let hasFirst = sequence.grid.admits(time, rateHz: 1)
    let hasNext = sequence.grid.admits(next, rateHz: 1)
    #expect(hasFirst && !hasNext)
    sequence.restarted(as: .waiting(until: .zero), at: .zero)
    let isAdmitted = sequence.grid.admits(next, rateHz: 1)
    #expect(isAdmitted)
  }

  @Test func aSequenceThatContinuesAfterAPauseGetsTheNextFixAtOnce() {
    var sequence = LiveSequence(
      id: SequenceID(number: 1), configuration: .default, dwell: .seconds(60),
      state: .waiting(until: .zero + .seconds(200)), at: .zero)
    sequence.pause.fixJudged(at: .zero)
    sequence.isResting = true
    let turns = [60, 70].map { sequence.restJudged(at: .zero + .seconds($0)) }
    #expect(turns.contains(.paused))
    let time = UTCTime(secondsSince1970: 1_790_000_000)
    let next = UTCTime(secondsSince1970: 1_790_000_000, nanoseconds: 500_000_000)
    _ = sequence.grid.admits(time, rateHz: 1)
    sequence.isResting = false
    let turn = sequence.restJudged(at: .zero + .seconds(71))
    #expect(turn == .resumed)
    let isAdmitted = sequence.grid.admits(next, rateHz: 1)
    #expect(isAdmitted)
  }

  @Test func offAndOnTakeEffectAfterTheirCommits() {
    var desk = ServiceSwitchTests.running()
    desk.holdsCommits = true
    ServiceSwitchTests.wants(false, &desk)
    desk.effects = []
    desk.run(seconds: 1.9)
    #expect(!desk.fixes.isEmpty)
    #expect(!desk.updates.contains(ServiceSwitchTests.off))
    desk.release()
    #expect(desk.updates.last == ServiceSwitchTests.off)
    desk.effects = []
    ServiceSwitchTests.wants(true, &desk)
    desk.run(seconds: 10)
    #expect(desk.updates.isEmpty)
    desk.release()
    desk.run(seconds: 3)
    #expect(desk.fixes.count >= 2)
  }

  @Test func onAFailingDiskOffTakesEffectAndOnDoesNot() {
    var desk = ServiceSwitchTests.running()
    desk.failure = .fault(.noSpace)
    desk.effects = []
    ServiceSwitchTests.wants(false, &desk)
    desk.run(seconds: 3)
    #expect(desk.updates.last == ServiceSwitchTests.off)
    let said =
      "done for now, but it is not kept: no space is left on the disk"
    #expect(desk.effects.contains(.client(EngineDesk.client, .answer(request: 5, failure: said))))
    // As soon as the disk has space the engine stores the decision by itself.
    desk.failure = nil
    desk.run(seconds: 31)
    let off = Change(ServiceSwitchTests.name, .put([0], isCautious: true))
    #expect(desk.commits.last?.contains(off) == true)
    desk.failure = .fault(.noSpace)
    desk.effects = []
    ServiceSwitchTests.wants(true, &desk, request: 6)
    desk.run(seconds: 5)
    #expect(desk.updates.isEmpty)
    #expect(
      desk.effects.contains(
        .client(
          EngineDesk.client,
          .answer(
            request: 6,
            failure: "not done, it cannot be kept: no space is left on the disk"))))
  }

  @Test func offOutlivesTheDaemon() {
    let desk = ServiceSwitchTests.running(ServiceSwitchTests.reading([0]))
    #expect(desk.updates == [ServiceSwitchTests.off])
    #expect(!ServiceSwitchTests.running(ServiceSwitchTests.reading([1])).fixes.isEmpty)
  }

  @Test func aLostSwitchCountsAsOffAndThatIsStored() {
    let desk = ServiceSwitchTests.running(ServiceSwitchTests.reading(nil, isWithheld: true))
    #expect(desk.updates == [ServiceSwitchTests.off])
    #expect(desk.commits.first == [Change(ServiceSwitchTests.name, .put([0], isCautious: true))])
    #expect(
      desk.lines.contains(
        "location services: off, because the last decision on them is lost; 'binnacle services on' "
          + "turns them on"))
  }

  @Test func theLogNamesTheCommandsThatTurnLostServicesOnInTheirOrder() {
    var reading = ServiceSwitchTests.reading(nil, isWithheld: true)
    reading.damage = "commits 5 to 9 are damaged"
    var desk = ServiceSwitchTests.running(reading)
    #expect(
      desk.lines.contains(
        "location services: off, because the last decision on them is lost; first 'sudo binnacle "
          + "state accept' accepts the loss ('binnacle state accept' for the daemon of an ordinary "
          + "user), then 'binnacle services on' turns them on"))
    // The order of the line is the order that the daemon accepts.
    ServiceSwitchTests.wants(true, &desk, request: 5)
    desk.run(seconds: 3)
    #expect(desk.report()["services.on"] == .flag(false))
    desk.send(.client(EngineDesk.client, .requested(6, .state(.accept))))
    desk.run(seconds: 3)
    #expect(desk.report()["services.on"] == .flag(false))
    ServiceSwitchTests.wants(true, &desk, request: 7)
    desk.run(seconds: 3)
    #expect(desk.report()["services.on"] == .flag(true))
  }

  @Test func aLostSwitchCountsAsOffBeforeThatIsStored() {
    var desk = EngineDesk(reading: ServiceSwitchTests.reading(nil, isWithheld: true))
    desk.holdsCommits = true
    desk.open()
    desk.run(seconds: 15)
    #expect(desk.updates == [ServiceSwitchTests.off])
    #expect(desk.report()["services.on"] == .flag(false))
  }

  @Test func afterDamageServicesAreOffUntilTheLossIsAccepted() throws {
    var reading = ServiceSwitchTests.reading([1])
    reading.damage = "commits 5 to 9 are damaged"
    var desk = ServiceSwitchTests.running(reading)
    #expect(desk.updates == [ServiceSwitchTests.off])
    #expect(
      desk.lines.contains { $0.contains("commits 5 to 9 are damaged; location services stay") })
    guard case .text(let damage)? = desk.report()["state.damage"] else {
      Issue.record("the damage is in the report")
      return
    }
    #expect(damage.contains("until the loss is accepted: binnacle state accept"))
    desk.effects = []
    ServiceSwitchTests.wants(true, &desk)
    desk.run(seconds: 3)
    #expect(desk.fixes.isEmpty)
    let answers = desk.effects.compactMap { effect -> String? in
      if case .client(_, .answer(5, let failure)) = effect { failure } else { nil }
    }
    #expect(answers.first?.contains("until the loss is accepted: binnacle state accept") == true)
    // The next start finds the record and nothing else, and is closed, too.
    var next = ServiceSwitchTests.running(StateReading(records: desk.engine.storage.state.records))
    #expect(next.updates == [ServiceSwitchTests.off])
    next.send(.client(EngineDesk.client, .requested(6, .state(.accept))))
    next.run(seconds: 10)
    #expect(next.effects.contains(.client(EngineDesk.client, .answer(request: 6, failure: nil))))
    #expect(!next.fixes.isEmpty)
    #expect(next.report()["state.damage"] == nil)
    #expect(next.engine.storage.state.records.count(ofKind: RecordTable.damage.number) == 0)
  }

  @Test func aLossThatTheStoreHasRecordedIsReportedOnce() {
    var reading = ServiceSwitchTests.reading(nil, isWithheld: true)
    reading.damage = "commit 5 is damaged"
    let changes = reading.carefulChanges
    #expect(changes.first == Change(ServiceSwitchTests.name, .put([0], isCautious: true)))
    for change in changes { reading.records.apply(change) }
    #expect(reading.carefulChanges.isEmpty)
    var desk = ServiceSwitchTests.running(reading)
    let text =
      "commit 5 is damaged; location services stay off until the loss is accepted: "
      + "binnacle state accept"
    #expect(desk.report()["state.damage"] == .text(text))
    // Another loss is added.
    reading.damage = "commit 9 is damaged"
    let kept = reading.carefulChanges.map(\.name.kind)
    #expect(kept == [RecordTable.damage.number])
    #expect(ServiceSwitchTests.running(reading).updates == [ServiceSwitchTests.off])
  }

  @Test func acceptanceThatCannotBeKeptIsRefused() {
    var reading = ServiceSwitchTests.reading([1])
    reading.damage = "commit 5 is damaged"
    var desk = ServiceSwitchTests.running(reading)
    desk.failure = .fault(.noSpace)
    desk.send(.client(EngineDesk.client, .requested(6, .state(.accept))))
    desk.run(seconds: 3)
    #expect(desk.report()["state.damage"] != nil)
    #expect(desk.fixes.isEmpty)
  }

  @Test func servicesAreOffUntilTheStateCanBeRead() {
    var reading = StateReading(obstacle: .init(.passing, "it cannot be read"))
    reading.damage = "it cannot be read"
    var desk = ServiceSwitchTests.running(reading)
    #expect(desk.updates == [ServiceSwitchTests.off])
    desk.send(.storage(.read(ServiceSwitchTests.reading([1]))))
    desk.run(seconds: 10)
    #expect(!desk.fixes.isEmpty)
    // An operator may accept it for this run.
    var accepted = ServiceSwitchTests.running(reading)
    accepted.send(.client(EngineDesk.client, .requested(6, .state(.accept))))
    accepted.run(seconds: 5)
    #expect(!accepted.fixes.isEmpty)
    accepted.send(.storage(.read(reading)))
    #expect(accepted.report()["services.on"] == .flag(true))
    accepted.send(.storage(.read(ServiceSwitchTests.reading([0]))))
    #expect(accepted.report()["services.on"] == .flag(false))
  }

  @Test func aFailedDiskIsTriedAgainWithoutWaitingRecords() {
    var desk = ServiceSwitchTests.running(ServiceSwitchTests.reading([0]))
    desk.failure = .fault(.noSpace)
    ServiceSwitchTests.wants(true, &desk)
    desk.run(seconds: 1)
    #expect(desk.report()["state.kept"] == .flag(false))
    desk.failure = nil
    desk.run(seconds: 31)
    #expect(desk.report()["state.kept"] == .flag(true))
    #expect(desk.report()["services.on"] == .flag(false))
  }

  @Test func aLongPressOfTheButtonServicesTurnsThem() {
    var desk = PanelDesk { $0.buttons = [PanelSettings.Button(name: "SERVICES")] }
    desk.start()
    for isOn in [false, true] {
      desk.press(milliseconds: 2_500)
      desk.run(milliseconds: 1_000)
      #expect(desk.engine.apps.services.isOn == isOn)
    }
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 1_000)
    #expect(desk.engine.apps.services.isOn)
  }

  @Test func theActionDecidesAndNotTheNameOfTheButton() {
    var desk = PanelDesk {
      var button = PanelSettings.Button(name: "SERVICES")
      button.actions = ButtonActions(short: .services)
      $0.buttons = [button]
    }
    desk.start()
    desk.press(milliseconds: 2_500)
    desk.run(milliseconds: 1_000)
    #expect(desk.engine.apps.services.isOn)
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 1_000)
    #expect(!desk.engine.apps.services.isOn)
  }
}
