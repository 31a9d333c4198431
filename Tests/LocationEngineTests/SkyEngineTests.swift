import BinnacleBasics
import BinnacleModel
import Simulation
import Testing
import UBX

@testable import LocationEngine

/// The satellites in view, from the request of a client to the poll and back.
@Suite struct SkyEngineTests {
  private static let client = EngineDesk.client
  private static let stranger = ClientID(number: 2)

  /// A desk with an app that gets fixes.
  private static func running(
    _ generation: Generation = .m10, speed: Int? = nil, port: SimulatedPort = .uart1,
    oddities: [ReceiverOddity] = []
  ) -> EngineDesk {
    var desk = EngineDesk(generation, speed: speed, port: port, oddities: oddities)
    desk.open()
    desk.run(seconds: 20)
    desk.effects = []
    return desk
  }

  private static func asks(_ desk: inout EngineDesk, _ number: UInt32, of client: ClientID = client)
  {
    desk.send(.client(client, .requested(number, .sky)))
  }

  private static func watches(
    _ desk: inout EngineDesk, _ isWatching: Bool, _ client: ClientID = client
  ) {
    desk.send(.client(client, .skyWatched(isWatching)))
  }

  private static func polls(_ desk: EngineDesk) -> Int {
    desk.effects.count { $0.isSkyPoll }
  }

  private static func skies(_ effects: [Effect], of client: ClientID = client) -> [Sky] {
    effects.compactMap { if case .client(client, .sky(let sky)) = $0 { sky } else { nil } }
  }

  private static func reports(_ effects: [Effect]) -> [UInt32: Sky] {
    var found: [UInt32: Sky] = [:]
    for case .client(_, .skyReport(let number, let sky)) in effects { found[number] = sky }
    return found
  }

  private static func refusals(_ effects: [Effect]) -> [UInt32: SkyRefusal] {
    var found: [UInt32: SkyRefusal] = [:]
    for case .client(_, .skyRefusal(let number, let refusal)) in effects {
      found[number] = refusal
    }
    return found
  }

  // MARK: Answers

  @Test(arguments: Generation.allCases)
  func everyGenerationReportsItsSatellites(generation: Generation) throws {
    var desk = Self.running(generation)
    Self.asks(&desk, 5)
    desk.run(seconds: 4)
    let sky = try #require(Self.reports(desk.effects)[5])
    #expect(sky.satellites.count >= 8)
    #expect(sky.usedCount >= 4)
    #expect(sky.horizontalDilution ?? 0 > 0.3 && sky.horizontalDilution ?? 99 < 5)
    #expect(sky.verticalDilution != nil && sky.positionDilution != nil)
    let time = try #require(sky.time)
    let newest = try #require(desk.fixes.last?.time)
    #expect(newest - time >= .zero && newest - time < .seconds(6))
    for satellite in sky.satellites {
      #expect((-90...90).contains(satellite.elevationDegrees ?? 0))
      #expect((0...360).contains(satellite.azimuthDegrees ?? 0))
      if satellite.isUsed { #expect(satellite.carrierToNoiseDBHz ?? 0 > 0) }
    }
    // One answer, and nothing more is asked.
    desk.effects = []
    desk.run(seconds: 30)
    #expect(Self.polls(desk) == 0 && Self.reports(desk.effects).isEmpty)
  }

  @Test func withoutAClientThatWantsItNothingIsPolled() {
    var desk = EngineDesk()
    desk.open()
    desk.run(seconds: 120)
    #expect(desk.fixes.count > 90)
    #expect(Self.polls(desk) == 0)
    #expect(!desk.engine.receiver.decoder.isSkyWanted)
    // The same run with an app that watched and stopped before the receiver was found is the same.
    var other = EngineDesk()
    Self.watches(&other, true)
    Self.watches(&other, false)
    other.open()
    other.run(seconds: 120)
    #expect(other.effects == desk.effects)
  }

  @Test func aWatcherGetsEachNewSkyUntilItStops() {
    var desk = Self.running(speed: 115_200)
    Self.watches(&desk, true)
    desk.run(seconds: 20)
    let skies = Self.skies(desk.effects)
    #expect((17...20).contains(skies.count))
    let times = skies.compactMap(\.time)
    #expect(times.count == skies.count)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    Self.watches(&desk, false)
    desk.run(seconds: 2)
    desk.effects = []
    desk.run(seconds: 30)
    #expect(Self.skies(desk.effects).isEmpty && Self.polls(desk) == 0)
  }

  @Test func aWatcherThatLeavesIsNotPolledFor() {
    var desk = Self.running()
    Self.watches(&desk, true)
    desk.run(seconds: 5)
    desk.send(.client(Self.client, .disconnected))
    desk.effects = []
    desk.run(seconds: 30)
    #expect(Self.polls(desk) == 0)
  }

  @Test func aSlowLineIsAskedEveryFiveSecondsAndAFastOneEverySecond() {
    var slow = Self.running(.six)
    #expect(slow.lineSpeed < 38_400)
    Self.watches(&slow, true)
    slow.run(seconds: 60)
    #expect((11...13).contains(Self.polls(slow)))
    #expect((10...13).contains(Self.skies(slow.effects).count))
    var fast = Self.running(speed: 115_200)
    #expect(fast.lineSpeed >= 38_400)
    Self.watches(&fast, true)
    fast.run(seconds: 60)
    #expect((58...61).contains(Self.polls(fast)))
  }

  @Test func manyRequestsAreOnePoll() {
    var desk = Self.running()
    for number in 1...20 { Self.asks(&desk, UInt32(number)) }
    desk.run(seconds: 2)
    #expect(Self.reports(desk.effects).count == 20)
    #expect(Self.polls(desk) == 1)
    // A sky that is newer than the time between two polls answers at once.
    desk.effects = []
    Self.asks(&desk, 21)
    #expect(Self.reports(desk.effects).count <= 1)
  }

  @Test func positionsAreNotDelayed() {
    var plain = Self.running(speed: 115_200)
    plain.delays = []
    plain.run(seconds: 60)
    var watched = Self.running(speed: 115_200)
    Self.watches(&watched, true)
    watched.delays = []
    watched.run(seconds: 60)
    #expect(watched.fixes.count == plain.fixes.count)
    let longest = plain.delays.max() ?? .zero
    #expect(watched.delays.max() ?? .zero <= longest + .milliseconds(3))
  }

  @Test func aPollComesBehindTheUpdateOfItsEpoch() throws {
    var desk = Self.running(speed: 115_200)
    Self.watches(&desk, true)
    desk.run(seconds: 10)
    let kinds = desk.effects.compactMap { effect -> Character? in
      if effect.isSkyPoll { return "p" }
      if case .client(_, .deliver) = effect { return "f" }
      if case .client(_, .sky) = effect { return "y" }
      return nil
    }
    // Each epoch: its fix, the poll, the sky.
    #expect(String(kinds).contains("fpyfpyfpyfpy"))
  }

  // MARK: Refusals

  @Test func aDeniedClientGetsNoSkyAndCausesNoPoll() {
    var desk = Self.running()
    desk.open(user: 1_234, client: Self.stranger)
    desk.effects = []
    Self.asks(&desk, 6, of: Self.stranger)
    Self.watches(&desk, true, Self.stranger)
    desk.run(seconds: 10)
    #expect(Self.refusals(desk.effects)[6]?.kind == .notPermitted)
    #expect(Self.polls(desk) == 0)
    #expect(Self.skies(desk.effects, of: Self.stranger).isEmpty)
    // Beside a client that may have it, too.
    Self.watches(&desk, true)
    desk.run(seconds: 5)
    #expect(!Self.skies(desk.effects).isEmpty)
    #expect(Self.skies(desk.effects, of: Self.stranger).isEmpty)
  }

  /// The control is a second request without a decision between: it is answered at once.
  @Test(arguments: [true, false])
  func aSkyFromBeforeAPersonAllowsLocationsIsNotDelivered(isAllowedBetween: Bool) {
    var desk = Self.running()
    Self.asks(&desk, 1)
    desk.run(seconds: 2)
    #expect(Self.reports(desk.effects)[1] != nil)
    if isAllowedBetween {
      desk.send(.client(Self.client, .requested(8, .setServices(isOn: false))))
      desk.send(.client(Self.client, .requested(9, .setServices(isOn: true))))
    }
    desk.effects = []
    Self.asks(&desk, 2)
    #expect((Self.reports(desk.effects)[2] == nil) == isAllowedBetween)
    desk.run(seconds: 4)
    #expect(Self.reports(desk.effects)[2] != nil)
  }

  /// `binnacle audit` and `binnacle who` count a sky like a location.
  @Test(arguments: [true, false])
  func eachSkyIsCountedInTheUseOfItsClient(isOperator: Bool) {
    var desk = Self.running(speed: 115_200)
    let client = isOperator ? Self.client : Self.stranger
    if !isOperator {
      desk.open(user: 1_234, app: .listed("org.example.tracker"), client: client)
      desk.engine.apps.foreground.connected(.listed("org.example.tracker"), hasTerminal: true)
    }
    func use() -> LocationUse? {
      desk.engine.uses.uses.first { ($0.right == .operator) == isOperator }
    }
    let before = use()?.updateCount ?? 0
    desk.effects = []
    Self.watches(&desk, true, client)
    desk.run(seconds: 10)
    let skies = Self.skies(desk.effects, of: client).count
    let locations = desk.effects.count { effect in
      if case .client(client, .deliver(_, let update)) = effect { update.fix != nil } else { false }
    }
    #expect(skies >= 7)
    #expect((use()?.updateCount ?? 0) - before == skies + locations)
  }

  @Test func whileServicesAreOffThereIsNoSky() {
    var desk = Self.running()
    Self.watches(&desk, true)
    desk.run(seconds: 3)
    desk.send(.client(Self.client, .requested(9, .setServices(isOn: false))))
    desk.effects = []
    Self.asks(&desk, 10)
    desk.run(seconds: 10)
    #expect(Self.refusals(desk.effects)[10]?.text.contains("services are off") == true)
    #expect(Self.skies(desk.effects).isEmpty && Self.polls(desk) == 0)
    desk.send(.client(Self.client, .requested(11, .setServices(isOn: true))))
    desk.run(seconds: 5)
    #expect(!Self.skies(desk.effects).isEmpty)
  }

  @Test func aRequestThatWaitsWhenServicesAreTurnedOffIsRefused() {
    var desk = Self.running()
    Self.asks(&desk, 10)
    desk.send(.client(Self.client, .requested(11, .setServices(isOn: false))))
    desk.run(seconds: 5)
    #expect(Self.reports(desk.effects).isEmpty)
    #expect(Self.refusals(desk.effects)[10]?.kind == .notPermitted)
  }

  @Test func anAbsentReceiverIsReportedAtOnce() {
    var desk = Self.running()
    desk.plug(false)
    Self.asks(&desk, 12)
    #expect(Self.refusals(desk.effects)[12]?.text.contains("no receiver is there") == true)
  }

  @Test func aReceiverThatSleepsIsNotAsked() {
    var board = PowerDesk(hasAccelerometer: true)
    board.desk.open()
    board.fallAsleep()
    #expect(board.isAsleep)
    board.desk.effects = []
    Self.watches(&board.desk, true)
    Self.asks(&board.desk, 13)
    #expect(Self.refusals(board.desk.effects)[13]?.text.contains("sleeps") == true)
    board.run(seconds: 30)
    #expect(Self.polls(board.desk) == 0)
    #expect(board.isAsleep)
  }

  @Test func aReceiverThatDoesNotAnswerIsReportedWithinFiveSeconds() {
    var desk = EngineDesk()
    desk.open()
    desk.plug(true)
    // Its line is dead from the start.
    desk.receiver.removePower(keepsBattery: true, at: .zero)
    desk.run(seconds: 2)
    Self.asks(&desk, 14)
    desk.run(seconds: 5)
    #expect(Self.refusals(desk.effects)[14]?.kind == .unavailable)
  }

  /// A receiver with keys that acknowledges orders, sends NAV-PVT, and answers no poll of class NAV.
  @Test func pollsWithoutAnAnswerAreRepeatedAndTheRequestIsRefused() {
    var desk = OddReceiver()
    desk.epoch = { $0.solution }
    desk.open()
    desk.run(seconds: 30)
    desk.effects = []
    desk.handle(.client(OddReceiver.client, .requested(15, .sky)))
    desk.run(seconds: 5)
    #expect((2...3).contains(desk.effects.count { $0.isSkyPoll }))
    #expect(
      Self.refusals(desk.effects)[15]?.text.contains("has not answered for 4 s") == true)
    desk.effects = []
    desk.run(seconds: 30)
    #expect(!desk.effects.contains { $0.isSkyPoll })
  }

  // MARK: Receivers that only send

  private static func listening(_ lists: [String]) -> OddReceiver {
    var desk = OddReceiver()
    desk.saysWhoItIs = false
    desk.epoch = { $0.sentences + lists.flatMap { NMEASentence(text: $0).frame } }
    desk.open(speed: 9_600)
    desk.run(seconds: 60)
    desk.effects = []
    return desk
  }

  @Test func aReceiverThatOnlySendsReportsTheSkyByItsSentences() throws {
    var desk = Self.listening([
      "GPGSV,2,1,05,02,54,286,47,05,30,100,,07,10,020,30,13,80,010,50",
      "GPGSV,2,2,05,33,25,190,38",
    ])
    desk.handle(.client(OddReceiver.client, .requested(16, .sky)))
    desk.run(seconds: 4)
    let sky = try #require(Self.reports(desk.effects)[16])
    #expect(sky.satellites.count == 5)
    #expect(sky.satellites.filter(\.isUsed).map(\.number) == [2, 5, 7, 13])
    #expect(sky.satellites.last?.constellation == .sbas)
    #expect(sky.horizontalDilution == 0.9)
    #expect(sky.verticalDilution == 1.3)
    #expect(!desk.effects.contains { $0.isSkyPoll })
    desk.handle(.client(OddReceiver.client, .skyWatched(true)))
    desk.run(seconds: 10)
    let skies: [Sky] = Self.skies(desk.effects, of: OddReceiver.client)
    #expect((7...10).contains(skies.count))
  }

  @Test func aReceiverWithoutListsOfSatellitesIsReported() {
    var desk = Self.listening([])
    desk.handle(.client(OddReceiver.client, .requested(17, .sky)))
    desk.run(seconds: 5)
    #expect(Self.refusals(desk.effects)[17]?.text.contains("GSV") == true)
  }
}

extension Effect {
  /// Whether this asks for NAV-DOP and a list of satellites.
  fileprivate var isSkyPoll: Bool {
    guard case .receiver(.write(let bytes)) = self else { return false }
    let dilutions = Poll(NavDOP.self).frame
    return bytes == dilutions + Poll(NavSAT.self).frame
      || bytes == dilutions + Poll(NavSVINFO.self).frame
  }
}
