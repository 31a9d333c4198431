import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import Testing

@testable import LocationEngine

/// Defaults of apps: stored before they are acknowledged, separate for each app, and within limits.
struct DefaultsTests {
  static let first = ClientID(number: 11)
  static let second = ClientID(number: 12)
  static let tracker = AppID.listed("org.example.tracker")

  /// A desk whose disk works, with a client of the tracker.
  static func desk(_ reading: StateReading = StateReading()) -> EngineDesk {
    var desk = EngineDesk(reading: reading)
    desk.run(seconds: 1)
    connect(first, tracker, &desk)
    return desk
  }

  static func connect(_ client: ClientID, _ app: AppID, _ desk: inout EngineDesk) {
    let peer = Peer(userID: 1_234, processID: 7, app: app)
    desk.send(.client(client, .connected(peer, program: "test")))
    desk.send(.client(client, .requested(1, .openDefaults)))
  }

  /// Sets entries and answers the effects.
  @discardableResult
  static func set(
    _ entries: [DefaultsEntry], by client: ClientID = first, request: UInt32 = 2,
    isLast: Bool = true, _ desk: inout EngineDesk
  ) -> [Effect] {
    let count = desk.effects.count
    desk.send(.client(client, .requested(request, .setDefaults(isLast: isLast, entries))))
    return Array(desk.effects[count...])
  }

  static func kept(_ client: ClientID = first, request: UInt32 = 2) -> Effect {
    .client(client, .defaultsSettled(request: request, nil))
  }

  static func refusal(_ effects: [Effect]) -> DefaultsRefusal? {
    for case .client(_, .defaultsSettled(_, let refusal?)) in effects { return refusal }
    return nil
  }

  /// The answer to a client that opens the defaults again.
  static func all(
    of app: AppID, _ desk: inout EngineDesk, client: ClientID = ClientID(number: 99)
  ) -> [DefaultsEntry]? {
    connect(client, app, &desk)
    defer { desk.send(.client(client, .disconnected)) }
    for case .client(client, .defaults(_, let entries)) in desk.effects.reversed() {
      return entries
    }
    return nil
  }

  static func appCommits(_ desk: EngineDesk) -> [[Change]] {
    desk.commits.filter { $0.contains { $0.name.kind == RecordTable.appDefaults.number } }
  }

  @Test func aChangeIsAcknowledgedAfterItsCommit() {
    var desk = DefaultsTests.desk()
    desk.holdsCommits = true
    let on = DefaultsEntry("on", .flag(true))
    let effects = DefaultsTests.set([on], &desk)
    #expect(!effects.contains(DefaultsTests.kept()))
    #expect(DefaultsTests.all(of: DefaultsTests.tracker, &desk) == [])
    desk.release()
    #expect(desk.effects.contains(DefaultsTests.kept()))
    #expect(DefaultsTests.all(of: DefaultsTests.tracker, &desk) == [on])
    desk.holdsCommits = false
    DefaultsTests.set([DefaultsEntry("on", nil)], request: 3, &desk)
    #expect(desk.effects.contains(DefaultsTests.kept(request: 3)))
    #expect(DefaultsTests.all(of: DefaultsTests.tracker, &desk) == [])
  }

  @Test func aFailedChangeIsUndoneAndReported() {
    var desk = DefaultsTests.desk()
    desk.failure = .fault(.noSpace)
    let effects = DefaultsTests.set([DefaultsEntry("on", .flag(true))], &desk)
    #expect(DefaultsTests.refusal(effects)?.kind == .notKept)
    #expect(DefaultsTests.all(of: DefaultsTests.tracker, &desk) == [])
    // The answer does not come later, when no client expects it any more.
    desk.failure = nil
    desk.run(seconds: 120)
    #expect(DefaultsTests.all(of: DefaultsTests.tracker, &desk) == [])
    #expect(
      DefaultsTests.set([DefaultsEntry("on", .flag(true))], request: 3, &desk)
        .contains(DefaultsTests.kept(request: 3)))
  }

  @Test func otherProgramsOfTheAppAreReportedAndTheSetterIsNot() {
    var desk = DefaultsTests.desk()
    DefaultsTests.connect(DefaultsTests.second, DefaultsTests.tracker, &desk)
    DefaultsTests.connect(ClientID(number: 13), .listed("org.example.other"), &desk)
    let entries = [DefaultsEntry("on", .flag(true))]
    let effects = DefaultsTests.set(entries, &desk)
    #expect(
      effects.suffix(2) == [
        DefaultsTests.kept(), .client(DefaultsTests.second, .defaultsChanged(entries)),
      ])
  }

  @Test func noAppSeesAnothersKeys() {
    var desk = DefaultsTests.desk()
    let apps: [AppID] = [
      DefaultsTests.tracker, .listed("org.example.tracker2"), .listed("org.example"),
      .unlisted(userID: 1, executable: "/usr/bin/x"),
      .unlisted(userID: 11, executable: "/usr/bin/x"),
      .unlisted(userID: 1, executable: "/usr/bin/x2"),
    ]
    for (index, app) in apps.enumerated() {
      let client = ClientID(number: 20 + UInt32(index))
      DefaultsTests.connect(client, app, &desk)
      DefaultsTests.set([DefaultsEntry("2key", .integer(Int64(index)))], by: client, &desk)
    }
    for (index, app) in apps.enumerated() {
      #expect(
        DefaultsTests.all(of: app, &desk) == [DefaultsEntry("2key", .integer(Int64(index)))])
    }
  }

  @Test func aProgramThatCannotBeDistinguishedFromOthersKeepsNothing() {
    var desk = DefaultsTests.desk()
    let long = "/" + String(repeating: "x", count: DefaultsKey.nameSizeMax)
    for app in [AppID.unresolved(userID: 5), .unlisted(userID: 5, executable: long)] {
      let count = desk.effects.count
      DefaultsTests.connect(DefaultsTests.second, app, &desk)
      #expect(DefaultsTests.refusal(Array(desk.effects[count...]))?.kind == .notPermitted)
      let effects = DefaultsTests.set(
        [DefaultsEntry("on", .flag(true))], by: DefaultsTests.second, &desk)
      #expect(DefaultsTests.refusal(effects)?.kind == .notPermitted)
      desk.send(.client(DefaultsTests.second, .disconnected))
    }
    #expect(DefaultsTests.appCommits(desk).isEmpty)
  }

  @Test func anEqualValueCausesNoWrite() {
    var desk = DefaultsTests.desk()
    let entries = [DefaultsEntry("nan", .number(.nan)), DefaultsEntry("gone", nil)]
    for request in UInt32(2)..<200 {
      let effects = DefaultsTests.set(entries, request: request, &desk)
      #expect(effects.contains(DefaultsTests.kept(request: request)))
    }
    #expect(DefaultsTests.appCommits(desk).count == 1)
  }

  @Test func changesDuringACommitShareTheNextCommit() {
    var desk = DefaultsTests.desk()
    let clients = (20..<60).map { ClientID(number: $0) }
    for client in clients { DefaultsTests.connect(client, DefaultsTests.tracker, &desk) }
    desk.holdsCommits = true
    DefaultsTests.set([DefaultsEntry("a", .integer(0))], &desk)
    for client in clients {
      let value = DefaultsValue.integer(Int64(client.number))
      let other = DefaultsEntry("b \(client.number % 2)", value)
      DefaultsTests.set([DefaultsEntry("a", value), other], by: client, &desk)
    }
    desk.release()
    desk.release()
    #expect(DefaultsTests.appCommits(desk).map(\.count) == [1, 3])
    for client in clients { #expect(desk.effects.contains(DefaultsTests.kept(client))) }
    #expect(
      DefaultsTests.all(of: DefaultsTests.tracker, &desk) == [
        DefaultsEntry("a", .integer(59)), DefaultsEntry("b 0", .integer(58)),
        DefaultsEntry("b 1", .integer(59)),
      ])
  }

  @Test func frequentChangesWaitAndOtherAppsCommitAtOnce() {
    var desk = DefaultsTests.desk()
    DefaultsTests.connect(DefaultsTests.second, .listed("org.example.other"), &desk)
    for request in UInt32(2)..<62 {
      let entry = DefaultsEntry("n", .integer(Int64(request)))
      #expect(
        DefaultsTests.set([entry], request: request, &desk)
          .contains(DefaultsTests.kept(request: request)))
    }
    let late = DefaultsEntry("n", .integer(62))
    #expect(DefaultsTests.set([late], request: 62, &desk).isEmpty)
    #expect(
      DefaultsTests.set([late], by: DefaultsTests.second, &desk)
        .contains(DefaultsTests.kept(DefaultsTests.second)))
    desk.run(seconds: 9.9)
    #expect(!desk.effects.contains(DefaultsTests.kept(request: 62)))
    desk.run(seconds: 0.2)
    #expect(desk.effects.contains(DefaultsTests.kept(request: 62)))
    // A day of a program that sets something as often as it is answered.
    let before = DefaultsTests.appCommits(desk).count
    for request in UInt32(63)..<423 {
      DefaultsTests.set([DefaultsEntry("n", .integer(Int64(request)))], request: request, &desk)
      desk.run(seconds: 10)
    }
    #expect((355...361).contains(DefaultsTests.appCommits(desk).count - before))
    #expect(desk.engine.nextDeadline.map { $0 > desk.now } ?? true)
  }

  @Test func aKeyOrValueThatIsTooLargeIsRefusedWithItsSize() {
    var desk = DefaultsTests.desk()
    let long = String(repeating: "k", count: DefaultsLimits.keySizeMax)
    let large = DefaultsValue.data(
      [UInt8](repeating: 1, count: DefaultsLimits.valueSizeMax - 1))
    #expect(
      DefaultsTests.set([DefaultsEntry(long, large)], &desk).contains(DefaultsTests.kept()))
    let tooMuch = [
      DefaultsEntry("", .flag(true)), DefaultsEntry(long + "k", .flag(true)),
      DefaultsEntry("v", .text(String(repeating: "v", count: DefaultsLimits.valueSizeMax))),
    ]
    for entry in tooMuch {
      let refusal = DefaultsTests.refusal(
        DefaultsTests.set([DefaultsEntry("good", .flag(true)), entry], request: 3, &desk))
      #expect(refusal?.kind == .limitReached)
      #expect(
        refusal?.text.contains("129") == true || refusal?.text.contains("38") == true
          || entry.key.isEmpty)
    }
    // The other values of the change are not stored either.
    #expect(DefaultsTests.all(of: DefaultsTests.tracker, &desk)?.count == 1)
  }

  @Test func anAppHasSoManyKeysAndBytesAndMayAlwaysRemove() {
    var desk = DefaultsTests.desk()
    func keys(_ range: Range<Int>, _ value: DefaultsValue?) -> [DefaultsEntry] {
      range.map { DefaultsEntry("\($0)", value) }
    }
    let many = keys(0..<DefaultsLimits.countMax, .flag(true))
    #expect(DefaultsTests.set(many, &desk).contains(DefaultsTests.kept()))
    let one = [DefaultsEntry("one", .flag(true))]
    #expect(
      DefaultsTests.refusal(DefaultsTests.set(one, request: 3, &desk))?.kind == .limitReached)
    // One goes and one comes, all at once.
    let exchange = one + [DefaultsEntry("0", nil)]
    #expect(
      DefaultsTests.set(exchange, request: 4, &desk).contains(DefaultsTests.kept(request: 4)))
    let all = keys(1..<DefaultsLimits.countMax, nil)
    #expect(DefaultsTests.set(all, request: 5, &desk).contains(DefaultsTests.kept(request: 5)))
    let large = DefaultsValue.data([UInt8](repeating: 1, count: 3_000))
    var request: UInt32 = 6
    while DefaultsTests.set([DefaultsEntry("\(request)", large)], request: request, &desk)
      .contains(DefaultsTests.kept(request: request))
    { request += 1 }
    #expect(request == 6 + UInt32(DefaultsLimits.sizeMax / 3_002))
    let removal = [DefaultsEntry("6", nil)]
    #expect(
      DefaultsTests.set(removal, request: 90, &desk).contains(DefaultsTests.kept(request: 90)))
  }

  @Test func appsWithoutAManifestShareTheirRoomAndLeaveOthersTheirs() {
    var desk = DefaultsTests.desk()
    let large = DefaultsValue.data([UInt8](repeating: 1, count: 3_000))
    /// Fills the room of an app, and answers how many values went in.
    func fill(_ app: AppID) -> Int {
      DefaultsTests.connect(DefaultsTests.second, app, &desk)
      defer { desk.send(.client(DefaultsTests.second, .disconnected)) }
      for count in 0..<50 {
        let effects = DefaultsTests.set(
          [DefaultsEntry("\(count)", large)], by: DefaultsTests.second, &desk)
        if let refusal = DefaultsTests.refusal(effects) {
          #expect(refusal.kind == .limitReached && !refusal.text.isEmpty)
          return count
        }
      }
      return 50
    }
    let ownMax = DefaultsLimits.sizeMax / 3_002
    #expect(fill(.unlisted(userID: 1, executable: "/a")) == ownMax)
    #expect(fill(.unlisted(userID: 1, executable: "/b")) == 0)
    #expect(fill(.unlisted(userID: 2, executable: "/b")) == ownMax)
    #expect(fill(.unlisted(userID: 3, executable: "/b")) <= 1)
    #expect(fill(.listed("org.example.a")) == ownMax)
    #expect(fill(.listed("org.example.b")) == ownMax)
    #expect(fill(.listed("org.example.c")) < 3)
    // And the board's own promises still go in.
    let size = DefaultsTests.appCommits(desk).joined().reduce(0) { $0 + $1.encodedSize }
    #expect(size <= DefaultsLimits.recordSizeMax)
    #expect(DefaultsLimits.recordSizeMax * 2 < LogGeometry.ofFile.liveSizeMax + 8_192)
  }

  @Test func piecesAreOneChangeAndAnIncompleteChangeIsDropped() {
    var desk = DefaultsTests.desk()
    let a = DefaultsEntry("a", .flag(true))
    #expect(DefaultsTests.set([a], request: 2, isLast: false, &desk).isEmpty)
    DefaultsTests.set([DefaultsEntry("b", .flag(true))], request: 3, &desk)
    #expect(DefaultsTests.appCommits(desk).map(\.count) == [2])
    DefaultsTests.set([DefaultsEntry("c", .flag(true))], request: 4, isLast: false, &desk)
    desk.send(.client(DefaultsTests.first, .disconnected))
    DefaultsTests.connect(DefaultsTests.first, DefaultsTests.tracker, &desk)
    DefaultsTests.set([DefaultsEntry("d", .flag(true))], request: 5, &desk)
    #expect(DefaultsTests.all(of: DefaultsTests.tracker, &desk)?.map(\.key) == ["a", "b", "d"])
  }

  @Test func aChangeWithoutEndIsRefusedAndTakesNoRoom() {
    var desk = DefaultsTests.desk()
    // A million keys.
    for request in UInt32(2)..<2_502 {
      let entries = (0..<400).map { DefaultsEntry("\(request) \($0)", .flag(true)) }
      #expect(DefaultsTests.set(entries, request: request, isLast: false, &desk).isEmpty)
    }
    let effects = DefaultsTests.set([], request: 2_502, &desk)
    #expect(DefaultsTests.refusal(effects)?.kind == .limitReached)
    #expect(DefaultsTests.appCommits(desk).isEmpty)
  }

  @Test func aSecondChangeBeforeTheAnswerIsRefused() {
    var desk = DefaultsTests.desk()
    desk.holdsCommits = true
    DefaultsTests.set([DefaultsEntry("a", .flag(true))], &desk)
    let effects = DefaultsTests.set([DefaultsEntry("b", .flag(true))], request: 3, &desk)
    #expect(DefaultsTests.refusal(effects)?.kind == .limitReached)
  }

  @Test func changesOfAClientThatDiedAreKept() {
    var desk = DefaultsTests.desk()
    desk.holdsCommits = true
    DefaultsTests.set([DefaultsEntry("a", .integer(1))], &desk)
    DefaultsTests.connect(DefaultsTests.second, DefaultsTests.tracker, &desk)
    DefaultsTests.set([DefaultsEntry("a", .integer(2))], by: DefaultsTests.second, &desk)
    desk.send(.client(DefaultsTests.second, .disconnected))
    desk.release()
    desk.release()
    #expect(
      DefaultsTests.all(of: DefaultsTests.tracker, &desk) == [DefaultsEntry("a", .integer(2))])
  }

  @Test func defaultsOfAnUnreadableLogComeWhenTheLogIsRead() {
    var desk = DefaultsTests.desk(
      StateReading(obstacle: .init(.passing, "no space is left")))
    #expect(DefaultsTests.refusal(desk.effects)?.kind == .notKept)
    let effects = DefaultsTests.set([DefaultsEntry("a", .integer(1))], &desk)
    #expect(DefaultsTests.refusal(effects)?.kind == .notKept)
    desk.run(seconds: 40)
    #expect(desk.effects.contains(.client(DefaultsTests.first, .defaults(request: 1, []))))
    #expect(
      DefaultsTests.set([DefaultsEntry("a", .integer(1))], request: 3, &desk)
        .contains(DefaultsTests.kept(request: 3)))
  }

  @Test func recordsOfANewerVersionStayUnchanged() throws {
    var records = RecordSet()
    let name = try #require(
      RecordTable.appDefaults.named(Array("org.example.tracker\u{0}new".utf8)))
    records.apply(Change(name, .put([200, 1, 2], isCautious: false)))
    var desk = DefaultsTests.desk(StateReading(records: records))
    #expect(DefaultsTests.all(of: DefaultsTests.tracker, &desk) == [])
    DefaultsTests.set([DefaultsEntry("on", .flag(true))], &desk)
    #expect(!DefaultsTests.appCommits(desk).joined().contains { $0.name == name })
  }

  @Test func aStopWritesWaitingChangesAtOnce() {
    var desk = DefaultsTests.desk()
    for request in UInt32(2)..<63 {
      DefaultsTests.set([DefaultsEntry("n", .integer(Int64(request)))], request: request, &desk)
    }
    #expect(!desk.engine.outlook.isStateSettled)
    desk.send(.stopRequested)
    #expect(desk.effects.contains(DefaultsTests.kept(request: 62)))
    #expect(DefaultsTests.set([DefaultsEntry("n", nil)], request: 63, &desk).isEmpty)
  }
}
