import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Glibc
import LocationEngine
import TestSupport
import Testing

@testable import Daemon

/// Costly requests wait for their turn, and only clients of the user that asks too much wait.
struct CostlyRequestTests {
  private let directory: TemporaryDirectory
  private let table: ClientTable

  init() throws {
    directory = try TemporaryDirectory()
    table = ClientTable(listener: try LocalListener(path: directory("s"), mode: 0o600))
  }

  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private func connect() throws -> (Client, RawClient) {
    var outcomes: [ClientTable.Outcome] = []
    let raw = try RawClient(directory("s"))
    table.connectionsArrived(at: at(0), into: &outcomes)
    let client = try #require(table.clients.last)
    try raw.say(.hello(.init(versionMin: 1, versionMax: 2, program: "asker")))
    table.clientReady(client, readiness: .readable, at: at(0), into: &outcomes)
    return (client, raw)
  }

  @Test func aUserHasABurstAndThenOneRequestPerInterval() {
    var pace = CostlyRequestPace()
    let admitted = (0..<100).count { _ in pace.admits(1, of: 1_000, at: at(1_000)) }
    #expect(admitted == Int(CostlyRequestPace.burst))
    #expect(pace.turn(of: 1, of: 1_000) == at(1_000) + CostlyRequestPace.interval)
    #expect(pace.admits(8, of: 1_001, at: at(1_000)) == true)
    #expect(pace.admits(1, of: 1_000, at: at(1_050)) == true)
    #expect(pace.admits(1, of: 1_000, at: at(1_099)) == false)
    let afterARest = (0..<100).count { _ in pace.admits(8, of: 1_000, at: at(60_000)) }
    #expect(afterARest == Int(CostlyRequestPace.burst) / 8)
  }

  @Test func aWholeTraceOrStateCostsEightRequests() {
    typealias Request = ServerConnectionMachine.Request
    #expect(Request.requested(1, .trace).cost == 8)
    #expect(Request.requested(1, .state(.read)).cost == 8)
    #expect(Request.requested(1, .status).cost == 1)
    #expect(Request.closed(SequenceID(number: 1)).cost == nil)
  }

  @Test func theHistoryOfTheDayIsForOperatorsAndCostsEightRequests() {
    let request = ServerConnectionMachine.Request.requested(1, .day)
    func refusal(mayOperate: Bool) -> ServerMessage.RefusalKind? {
      let peer = Peer(
        userID: 1_000, processID: 1, app: .unresolved(userID: 1_000), mayOperate: mayOperate,
        isOperator: false)
      return request.refusal(for: peer, operators: Operators(groupID: { nil }))?.kind
    }
    #expect(request.cost == 8)
    #expect(refusal(mayOperate: false) == .notPermitted)
    #expect(refusal(mayOperate: true) == nil)
  }

  /// `binnacle doctor` prints this sentence, and the page has a listing of it.
  @Test func theStartPageShowsTheRefusalOfAReport() throws {
    let peer = Peer(
      userID: 1_000, processID: 1, app: .unresolved(userID: 1_000), mayOperate: false,
      isOperator: false)
    let request = ServerConnectionMachine.Request.requested(1, .status)
    let refusal = try #require(request.refusal(for: peer, operators: Operators(groupID: { nil })))
    let page = String(
      decoding: try Files.read(TestData.packageRoot + "/Docs/START.md"), as: UTF8.self)
    #expect(page.contains("is none: \(refusal.text)\n"))
  }

  @Test func aClientThatAsksTooMuchIsReadAgainWhenItsTurnComes() throws {
    let (client, raw) = try connect()
    for request in UInt32(1)...100 { try raw.say(.request(request, .status)) }
    var outcomes: [ClientTable.Outcome] = []
    for _ in 0..<50 {
      table.clientReady(client, readiness: .readable, at: at(100), into: &outcomes)
    }
    #expect(outcomes.count == Int(CostlyRequestPace.burst))
    #expect(outcomes.last == .statusRequested(client.id, request: 16))
    #expect(table.delayedCount == 1)
    #expect(table.nextDeadline == at(100) + CostlyRequestPace.interval)
    #expect(!table.waitingRequestTaken(at: at(149), into: &outcomes))
    #expect(table.waitingRequestTaken(at: at(150), into: &outcomes))
    #expect(outcomes.last == .statusRequested(client.id, request: 17))
    #expect(client.heldRequest == nil)
  }

  @Test func requestsOfOneUserTakeTurns() throws {
    let (first, rawFirst) = try connect()
    let (second, rawSecond) = try connect()
    for request in UInt32(1)...40 {
      try rawFirst.say(.request(request, .status))
      try rawSecond.say(.request(request, .status))
    }
    var outcomes: [ClientTable.Outcome] = []
    for step in Int64(0)..<50 {
      let now = at(100 + step * 50)
      for client in [first, second] {
        table.clientReady(client, readiness: .readable, at: now, into: &outcomes)
      }
      while table.waitingRequestTaken(at: now, into: &outcomes) {}
    }
    func count(_ client: Client) -> Int {
      outcomes.count { if case .statusRequested(client.id, _) = $0 { true } else { false } }
    }
    #expect(count(first) + count(second) == Int(CostlyRequestPace.burst) + 49)
    #expect(abs(count(first) - count(second)) <= Int(CostlyRequestPace.burst))
  }

  /// Connects a client that has used up its user's burst and said something more, which waits.
  private func connectWaiting(_ messages: [ClientMessage]) throws -> (Client, RawClient) {
    let (client, raw) = try connect()
    // A socket that is closed with unread bytes also drops the bytes that the other end has not read.
    #expect(try raw.hear() != .ended)
    for request in 1...UInt32(CostlyRequestPace.burst) {
      try raw.say(.request(request, .status))
    }
    for message in messages { try raw.say(message) }
    var outcomes: [ClientTable.Outcome] = []
    for _ in 0...CostlyRequestPace.burst {
      table.clientReady(client, readiness: .readable, at: at(100), into: &outcomes)
    }
    #expect(outcomes.count == Int(CostlyRequestPace.burst))
    #expect(client.heldRequest != nil)
    return (client, raw)
  }

  /// The client hangs up, and the table notices the end of the connection.
  private func hangUp(_ client: Client, _ raw: RawClient) throws -> [ClientTable.Outcome] {
    try raw.hangUp()
    // A program that is just being started may hold a copy of the socket a little longer.
    #expect(try eventually { client.isHungUp })
    var outcomes: [ClientTable.Outcome] = []
    // Each turn performs one costly request at most.
    for _ in 0..<4 {
      table.clientReady(client, readiness: .hungUp, at: at(101), into: &outcomes)
    }
    return outcomes
  }

  @Test func aDecisionOfAClientThatGoesAwayWhileItWaitsIsCarriedOut() throws {
    let (client, raw) = try connectWaiting([
      .request(100, .setServices(isOn: false)), .request(101, .status),
      .request(102, .setServices(isOn: true)),
    ])
    #expect(
      try hangUp(client, raw) == [
        .event(.client(client.id, .requested(100, .setServices(isOn: false)))),
        .event(.client(client.id, .requested(102, .setServices(isOn: true)))),
        .event(.client(client.id, .disconnected)),
      ])
    #expect(table.clients.isEmpty)
    var outcomes: [ClientTable.Outcome] = []
    #expect(!table.waitingRequestTaken(at: at(60_000), into: &outcomes))
    #expect(table.nextDeadline == nil)
  }

  @Test func aQuestionOfAClientThatGoesAwayWhileItWaitsIsNotAnswered() throws {
    let (client, raw) = try connectWaiting([.request(100, .status)])
    #expect(try hangUp(client, raw) == [.event(.client(client.id, .disconnected))])
    #expect(table.nextDeadline == nil)
  }

  @Test func requestsWithinATenthOfASecondGetTheSameReport() throws {
    let daemon = try RunningDaemon(
      receiver: "/dev/binnacle-none", directory: TemporaryDirectory())
    let client = try RawClient(daemon.socketPath)
    let other = try RawClient(daemon.socketPath)
    try client.greet()
    try other.greet()
    let first = try client.report()
    // On a busy machine two requests may lie further apart.
    #expect(try eventually { try client.report() == other.report() })
    #expect(
      try eventually {
        try other.report()?["daemon.turns"] != first?["daemon.turns"]
      })
  }

  /// The ages of a report, in milliseconds, with which the door still answers a request.
  private func answeredAges(mayOperate: Bool) throws -> [Int64] {
    let users = ConsoleUsers { mayOperate ? nil : getuid() }
    let table = ClientTable(
      listener: try LocalListener(path: directory("door"), mode: 0o600), consoleUsers: users)
    let door = CoreLocationDoor(table, socketWatch: SocketWatch(directory: directory("")))
    let raw = try RawClient(directory("door"))
    var taken: [ClientTable.Outcome] = []
    table.connectionsArrived(at: at(0), into: &taken)
    let client = try #require(table.clients.last)
    try raw.say(.hello(.init(versionMin: 1, versionMax: 2, program: "asker")))
    table.clientReady(client, readiness: .readable, at: at(0), into: &taken)
    return ([0, 99, 100, 999, 1_000] as [Int64]).filter { age -> Bool in
      var outcomes: [DoorOutcome] = []
      let madeAt = at(age * 10_000)
      _ = door.send(
        .report(request: 1, Report()), to: client.id, at: madeAt, into: &outcomes)
      door.settle(
        [.statusRequested(client.id, request: 2)], at: madeAt + .milliseconds(age),
        into: &outcomes)
      let asked = Event.client(client.id, .requested(2, .status))
      if outcomes.contains(.event(asked)) {
        // The engine's answer.
        _ = door.send(
          .report(request: 2, Report()), to: client.id, at: madeAt, into: &outcomes)
        return false
      }
      return true
    }
  }

  @Test func aReportAnswersOrdinaryUsersForASecondAndOperatorsForATenthOfASecond() throws {
    #expect(try answeredAges(mayOperate: false) == [0, 99, 100, 999])
    #expect(try answeredAges(mayOperate: true) == [0, 99])
  }

  @Test func aChangeByAnOperatorShowsInTheNextReport() throws {
    let daemon = try RunningDaemon(
      receiver: "/dev/binnacle-none", directory: TemporaryDirectory())
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    #expect(try client.status()?["services.on"] == .flag(true))
    try client.say(.request(1_000, .setServices(isOn: false)))
    let answer = try client.hear { if case .answered = $0 { true } else { false } }
    #expect(answer == .answered(request: 1_000, nil))
    try client.say(.request(1_001, .status))
    guard
      case .status(_, let report) = try client.hear(where: {
        if case .status = $0 { true } else { false }
      })
    else {
      Issue.record("there is no report")
      return
    }
    #expect(report["services.on"] == .flag(false))
  }
  /// Found on the bench: an app that had ended updates was told that they were outstanding.
  @Test func anOpenedSequenceShowsInTheNextReport() throws {
    let daemon = try RunningDaemon(
      receiver: "/dev/binnacle-none", directory: TemporaryDirectory())
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    func isShown(_ number: UInt32) throws -> Bool {
      let report = try #require(try client.report())
      return report.items.contains { $0.name.hasSuffix(".sequence.\(number)") }
    }
    for number in UInt32(1)...20 {
      #expect(try !isShown(number))
      try client.say(.openUpdates(SequenceID(number: number), .default))
      #expect(try isShown(number))
      try client.say(.closeUpdates(SequenceID(number: number)))
      #expect(try !isShown(number))
    }
  }
}
