import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

@testable import Daemon

/// Slow clients, with time as an argument.
struct ClientTableTests {
  private let directory: TemporaryDirectory
  private let table: ClientTable

  init() throws {
    directory = try TemporaryDirectory()
    table = ClientTable(listener: try LocalListener(path: directory("s"), mode: 0o600))
  }

  private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  /// A client that has greeted, at 0 s.
  private func connect() throws -> (Client, RawClient) {
    var outcomes: [ClientTable.Outcome] = []
    let raw = try RawClient(directory("s"))
    table.connectionsArrived(at: at(0), into: &outcomes)
    let client = try #require(table.clients.last)
    try raw.say(.hello(.init(versionMin: 1, versionMax: 1, program: "slow")))
    table.clientReady(client, readiness: .readable, at: at(0), into: &outcomes)
    guard case .message(.welcome) = try raw.hear() else {
      Issue.record("no welcome")
      return (client, raw)
    }
    return (client, raw)
  }

  private static func packet(_ number: Int) -> UpdatePacket {
    let time = UTCTime(secondsSince1970: Int64(number))
    let fix = Fix(latitude: 1, longitude: 2, horizontalAccuracy: 3, time: time)
    return UpdatePacket(Update(fix: fix), sequence: SequenceID(number: 1))
  }

  @Test func aClientThatReadsLateLosesOldFixesAndGetsTheRestInOrder() throws {
    let (client, raw) = try connect()
    var outcomes: [ClientTable.Outcome] = []
    for number in 0..<5_000 {
      let packet = ClientTableTests.packet(number)
      table.send(packet.bytes, as: packet.kind, to: client, at: at(1), into: &outcomes)
    }
    #expect(outcomes == [])
    #expect(client.outbox.count == Outbox.countMax)
    #expect(client.blockedSince == at(1))
    var times: [Int64] = []
    while client.wantsToSend || times.last != 4_999 {
      guard case .message(.update(_, let update)) = try raw.hear(within: .seconds(1)) else { break }
      times.append(update.fix?.time.secondsSince1970 ?? -1)
      table.clientReady(client, readiness: .writable, at: at(2), into: &outcomes)
    }
    #expect(times == times.sorted())
    #expect(times.last == 4_999)
    #expect(times.count + client.outbox.droppedFixCount == 5_000)
    #expect(client.outbox.droppedFixCount > 3_000)
    #expect(table.droppedFixCount == client.outbox.droppedFixCount)
    #expect(client.blockedSince == nil)
  }

  @Test func aClientThatTakesNothingForAMinuteIsDropped() throws {
    let (client, raw) = try connect()
    var outcomes: [ClientTable.Outcome] = []
    for number in 0..<5_000 where client.blockedSince == nil {
      let packet = ClientTableTests.packet(number)
      table.send(packet.bytes, as: packet.kind, to: client, at: at(10), into: &outcomes)
    }
    #expect(table.nextDeadline == at(70))
    table.deadlineReached(at: at(69), into: &outcomes)
    #expect(table.clients.count == 1)
    table.deadlineReached(at: at(70), into: &outcomes)
    #expect(table.clients.isEmpty)
    #expect(outcomes.contains(.event(.client(client.id, .disconnected))))
    #expect(table.droppedCount == 1)
    _ = raw
  }

  @Test func aClientThatSentMoreThanWasReadCanStillReadWhyItWasDropped() throws {
    let raw = try connect().1
    var outcomes: [ClientTable.Outcome] = []
    for _ in 0..<20 { try raw.say([0]) }
    // Only the table holds the client, so the client's socket closes with the client.
    table.clientReady(table.clients[0], readiness: .readable, at: at(1), into: &outcomes)
    #expect(table.clients.isEmpty)
    #expect(try raw.reasonOfEnd() == .messageMalformed)
  }

  @Test func transitionsThatDoNotFitDropTheClient() throws {
    let (client, raw) = try connect()
    var outcomes: [ClientTable.Outcome] = []
    var number: UInt32 = 0
    while !client.isGone, number < 100_000 {
      number += 1
      let packet = UpdatePacket(
        Update(fix: nil, flags: .locationUnavailable), sequence: SequenceID(number: number))
      table.send(packet.bytes, as: packet.kind, to: client, at: at(1), into: &outcomes)
    }
    #expect(client.isGone)
    #expect(table.clients.isEmpty)
    _ = raw
  }

  @Test func otherUsersGetNeitherTheTraceNorTheReport() throws {
    let table = ClientTable(
      listener: try LocalListener(path: directory("t"), mode: 0o600),
      operators: Operators(userIDs: [], groupID: { nil }))
    let raw = try RawClient(directory("t"))
    var outcomes: [ClientTable.Outcome] = []
    table.connectionsArrived(at: at(0), into: &outcomes)
    let client = try #require(table.clients.last)
    try raw.say(.hello(.init(versionMin: 1, versionMax: 1, program: "stranger")))
    try raw.say(.request(1, .trace))
    try raw.say(.request(2, .status))
    try raw.say(.openUpdates(SequenceID(number: 3), .default))
    table.clientReady(client, readiness: .readable, at: at(0), into: &outcomes)
    #expect(
      outcomes == [
        .event(.client(client.id, .connected(client.peer, program: "stranger"))),
        .log(
          .debug, "\(client.name): connected as app \(client.peer.app)",
          from: .user(client.peer.userID)),
        .event(.client(client.id, .updatesOpened(SequenceID(number: 3), .default))),
      ])
    guard case .message(.welcome) = try raw.hear() else {
      Issue.record("no welcome")
      return
    }
    for _ in 1...2 {
      guard case .message(.refused(let refusal, isFinal: false)) = try raw.hear() else {
        Issue.record("it is not refused")
        return
      }
      #expect(refusal.kind == .notPermitted)
    }
  }

  @Test func aTraceGoesOutInPiecesAsTheClientReads() throws {
    let (client, raw) = try connect()
    var outcomes: [ClientTable.Outcome] = []
    let trace = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    client.answer(.trace, trace, request: 5)
    _ = client.flush(at: at(1))
    #expect(client.isBulkAnswerUnderWay)
    #expect(client.outbox.isEmpty)
    var got: [UInt8] = []
    while case .message(.trace(request: 5, let isLast, let piece)) = try raw.hear() {
      got += piece
      if isLast { break }
      table.clientReady(client, readiness: .writable, at: at(1), into: &outcomes)
    }
    #expect(got == trace)
    #expect(!client.wantsToSend)
  }
}
