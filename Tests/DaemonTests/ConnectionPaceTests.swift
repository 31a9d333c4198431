import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Board
import Glibc
import TestSupport
import Testing

@testable import Daemon

/// A user that connects too often is refused before its peers are identified; no other user waits.
struct ConnectionPaceTests {
  private let directory: TemporaryDirectory
  private let apps = AppRegistry(AppShelf())

  init() throws { directory = try TemporaryDirectory() }

  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  /// A table in which the own user is an operator, or an ordinary user.
  private func table(ofOperator: Bool) throws -> ClientTable {
    ClientTable(
      listener: try LocalListener(path: directory("s"), mode: 0o600),
      operators: Operators(userIDs: ofOperator ? [getuid()] : [], groupID: { nil }))
  }

  @Test func aUserHasABurstAndThenOneConnectionPerInterval() {
    var pace = ConnectionPace()
    let admitted = (0..<1_000).count { _ in pace.verdict(on: 1_000, at: at(1_000)) == .admitted }
    #expect(admitted == Int(ConnectionPace.burst))
    var verdicts: [ConnectionPace.Verdict] = []
    for time in [1_019, 1_020, 1_020, 1_040] as [Int64] {
      verdicts.append(pace.verdict(on: 1_000, at: at(time)))
    }
    #expect(
      verdicts == [.refused(isFirst: false), .admitted, .refused(isFirst: true), .admitted])
    let afterARest = (0..<1_000).count { _ in pace.verdict(on: 1_000, at: at(60_000)) == .admitted }
    #expect(afterARest == Int(ConnectionPace.burst))
  }

  @Test func aLoopOfOneUserLeavesThePaceOfAnotherUser() {
    var pace = ConnectionPace()
    let verdicts = (0..<1_000).map { _ -> ConnectionPace.Verdict in
      pace.verdict(on: 1_000, at: at(0))
    }
    #expect(verdicts.last == .refused(isFirst: false))
    let other = pace.verdict(on: 1_001, at: at(0))
    #expect(other == .admitted)
  }

  @Test func usersBeyondTheLimitOfAccountsShareOneAccount() {
    var pace = ConnectionPace()
    for userID in 0..<UInt32(ConnectionPace.accountsMax) { _ = pace.verdict(on: userID, at: at(0)) }
    let admitted = (UInt32(1_000)..<2_000).count { pace.verdict(on: $0, at: at(0)) == .admitted }
    #expect(admitted == Int(ConnectionPace.burst))
    let afterARest = pace.verdict(on: 5_000, at: at(60_000))
    #expect(afterARest == .admitted)
  }

  @Test func manyUsersTogetherHaveALimitOfTheirOwn() {
    var pace = ConnectionPace()
    var door = ConnectionPace(limitsAll: false)
    let users = UInt32(100_000)..<100_040
    var (admitted, admittedByDoor) = (0, 0)
    // No user makes more connections than it may make alone.
    for _ in 0..<ConnectionPace.burst {
      admitted += users.count { pace.verdict(on: $0, at: at(0)) == .admitted }
      admittedByDoor += users.count { door.verdict(on: $0, at: at(0)) == .admitted }
    }
    #expect(admitted == Int(ConnectionPace.burstOfAll))
    #expect(admittedByDoor == users.count * Int(ConnectionPace.burst))
    var verdicts: [ConnectionPace.Verdict] = []
    for userID in UInt32(100_000)..<100_004 { verdicts.append(pace.verdict(on: userID, at: at(5))) }
    #expect(
      verdicts == [
        .admitted, .admitted, .refusedWithAll(isFirst: true), .refusedWithAll(isFirst: false),
      ])
    #expect(ArrivalFilter.reasonOfAll.contains("connect more than 400 times a second"))
  }

  @Test func aCrowdOfUsersLeavesAUserOfAManifestItsOwnPace() {
    var pace = ConnectionPace()
    let crowd = UInt32(100_000)..<102_000
    let admitted = crowd.count { pace.verdict(on: $0, at: at(0)) == .admitted }
    #expect(admitted < crowd.count)
    let ofApp = (0..<1_000).map { _ -> ConnectionPace.Verdict in
      pace.verdict(on: 990, isReserved: true, at: at(0))
    }
    #expect(ofApp.count { $0 == .admitted } == Int(ConnectionPace.burst))
    #expect(ofApp.last == .refused(isFirst: false))
  }

  @Test func aUserOfAManifestDoesNotCountWithAllUsers() {
    var pace = ConnectionPace()
    for userID in UInt32(1_000)..<1_020 {
      for _ in 0..<ConnectionPace.burst {
        _ = pace.verdict(on: userID, isReserved: true, at: at(0))
      }
    }
    let users = UInt32(100_000)..<100_040
    var admitted = 0
    for _ in 0..<ConnectionPace.burst {
      admitted += users.count { pace.verdict(on: $0, at: at(0)) == .admitted }
    }
    #expect(admitted == Int(ConnectionPace.burstOfAll))
  }

  @Test func theUserOfAManifestIsAdmittedWhileACrowdConnects() throws {
    var pace = ConnectionPace()
    for _ in 0..<ConnectionPace.burst {
      for userID in UInt32(100_000)..<100_040 { _ = pace.verdict(on: userID, at: at(0)) }
    }
    var filter = ArrivalFilter(Operators(userIDs: [], groupID: { nil }), pace: pace)
    var shelf = AppShelf()
    let manifest = "[App]\nIdentifier=org.example.a\nExecutable=/opt/a\nUser=\(getuid())\n"
    shelf.take([SettingsFile(path: "org.example.a", bytes: Array(manifest.utf8))])
    let ends = try LocalSocket.pair()
    var outcomes: [ClientTable.Outcome] = []
    let withoutManifest = filter.arrival(of: ends.0, among: apps, at: at(0), into: &outcomes)
    #expect(withoutManifest == nil && filter.refusedCount == 1)
    filter.manifestsChanged()
    let others = try LocalSocket.pair()
    let withManifest = filter.arrival(
      of: others.0, among: AppRegistry(shelf), at: at(0), into: &outcomes)
    #expect(withManifest != nil && filter.refusedCount == 1)
    withExtendedLifetime((ends.1, others.1)) {}
  }

  @Test func aMemberOfTheOperatorsGroupIsAdmittedWhileACrowdConnects() throws {
    var pace = ConnectionPace()
    for _ in 0..<ConnectionPace.burst {
      for userID in UInt32(100_000)..<100_040 { _ = pace.verdict(on: userID, at: at(0)) }
    }
    let ends = try LocalSocket.pair()
    for (group, isAdmitted) in [(UInt32(4_294_967_294), false), (getgid(), true)] {
      var filter = ArrivalFilter(Operators(userIDs: [], groupID: { group }), pace: pace)
      var outcomes: [ClientTable.Outcome] = []
      let near = isAdmitted ? ends.0 : ends.1
      let arrival = filter.arrival(of: near, among: apps, at: at(0), into: &outcomes)
      #expect((arrival != nil) == isAdmitted)
      #expect(filter.refusedCount == (isAdmitted ? 0 : 1))
    }
  }

  @Test func rootAndTheDaemonsOwnUserConnectAtAnyPace() throws {
    var filter = ArrivalFilter(Operators(userIDs: [getuid()], groupID: { nil }))
    let (near, far) = try LocalSocket.pair()
    var outcomes: [ClientTable.Outcome] = []
    var count = 0
    for _ in 0..<1_000
    where filter.arrival(of: near, among: apps, at: at(0), into: &outcomes) != nil {
      count += 1
    }
    #expect(count == 1_000)
    #expect(filter.refusedCount == 0 && outcomes == [])
    withExtendedLifetime(far) {}
  }

  @Test func aUserThatConnectsTooOftenIsRefusedWithAReason() throws {
    let table = try table(ofOperator: false)
    var outcomes: [ClientTable.Outcome] = []
    for _ in 0..<ConnectionPace.burst { _ = try RawClient(directory("s")) }
    table.connectionsArrived(at: at(0), into: &outcomes)
    #expect(table.refusedCount == 0)
    let refused = [try RawClient(directory("s")), try RawClient(directory("s"))]
    table.connectionsArrived(at: at(0), into: &outcomes)
    for client in refused { #expect(try client.reasonOfEnd() == .clientsTooMany) }
    #expect(table.refusedCount == 2)
    let line = ClientTable.Outcome.log(
      .warning,
      "clients: user \(getuid()) was refused: user \(getuid()) connects more than 50 times a "
        + "second, which is the limit",
      from: .user(getuid()))
    #expect(outcomes.count { $0 == line } == 1)
    let admitted = try RawClient(directory("s"))
    table.connectionsArrived(at: at(20), into: &outcomes)
    #expect(try admitted.hear(within: .milliseconds(1)) == .nothing)
    #expect(table.refusedCount == 2)
  }

  @Test func aPeerThatHasHungUpWithoutAMessageIsNotIdentified() throws {
    var filter = ArrivalFilter(Operators(userIDs: [getuid()], groupID: { nil }))
    var outcomes: [ClientTable.Outcome] = []
    var ends: (LocalSocket, LocalSocket)? = try LocalSocket.pair()
    let near = try #require(ends?.0)
    _ = try ends?.1.send([1])
    ends = nil
    let withMessage = filter.arrival(of: near, among: apps, at: at(0), into: &outcomes)
    #expect(withMessage != nil)
    var buffer: [UInt8] = [0]
    #expect(try near.receive(into: &buffer) == .packet(count: 1))
    // A program that is just being started may hold a copy of the socket a little longer.
    #expect(try eventually { near.isAbandoned })
    let withoutMessage = filter.arrival(of: near, among: apps, at: at(0), into: &outcomes)
    #expect(withoutMessage == nil)
    #expect(filter.refusedCount == 0 && outcomes == [])
  }

  @Test func aTurnIdentifiesSixteenPeers() throws {
    let table = try table(ofOperator: true)
    var outcomes: [ClientTable.Outcome] = []
    var clients: [RawClient] = []
    for _ in 0..<20 { clients.append(try RawClient(directory("s"))) }
    table.connectionsArrived(at: at(0), into: &outcomes)
    #expect(table.clients.count == 16)
    table.connectionsArrived(at: at(0), into: &outcomes)
    #expect(table.clients.count == 20)
    withExtendedLifetime(clients) {}
  }

  @Test func aTurnTakesAHundredConnectionsThatAreTurnedAway() throws {
    let table = try table(ofOperator: false)
    var outcomes: [ClientTable.Outcome] = []
    for _ in 0..<100 { _ = try RawClient(directory("s")) }
    let last = try RawClient(directory("s"))
    table.connectionsArrived(at: at(0), into: &outcomes)
    #expect(try last.reasonOfEnd() == .clientsTooMany)
    #expect(table.refusedCount == 101 - Int(ConnectionPace.burst))
  }
}
