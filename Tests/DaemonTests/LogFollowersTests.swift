import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import LocationEngine
import TestSupport
import Testing

@testable import Daemon

struct LogFollowersTests {
  private static let (first, second) = (ClientID(number: 1), ClientID(number: 2))

  private let log = LogRing()

  private func write(_ text: String, _ level: LogLevel = .info) {
    log.append(text, level: level, at: UTCTime(secondsSince1970: 1_790_000_000))
  }

  /// The lines that each client gets now, as `client/request: line`.
  private func news(_ followers: inout LogFollowers) -> [String] {
    followers.takeRows(of: log).flatMap { client, request, rows in
      rows.map { "\(client.number)/\(request): \($0[.rowLogText] ?? "")" }
    }
  }

  @Test func eachFollowerGetsEachFurtherLineOnce() {
    var followers = LogFollowers()
    write("a")
    followers.add(LogFollowersTests.first, request: 1, level: .debug, to: log)
    write("b")
    // The second client has this line with its first answer.
    followers.add(LogFollowersTests.second, request: 7, level: .debug, to: log)
    write("c")
    #expect(news(&followers) == ["1/1: b", "1/1: c", "2/7: c"])
    #expect(news(&followers) == [])
  }

  @Test func aFollowerGetsOnlyLinesAsUrgentAsItWants() {
    var followers = LogFollowers()
    followers.add(LogFollowersTests.first, request: 1, level: .warning, to: log)
    write("a")
    write("b", .error)
    #expect(news(&followers) == ["1/1: b"])
  }

  @Test func aLaterRequestOfAClientReplacesTheEarlierOne() {
    var followers = LogFollowers()
    followers.add(LogFollowersTests.first, request: 1, level: .debug, to: log)
    followers.add(LogFollowersTests.first, request: 2, level: .debug, to: log)
    write("a")
    #expect(news(&followers) == ["1/2: a"])
  }

  @Test func aClientThatHasGoneGetsNothing() {
    var followers = LogFollowers()
    followers.add(LogFollowersTests.first, request: 1, level: .debug, to: log)
    followers.add(LogFollowersTests.second, request: 7, level: .debug, to: log)
    followers.remove(LogFollowersTests.first)
    write("a")
    #expect(news(&followers) == ["2/7: a"])
    followers.remove(LogFollowersTests.second)
    #expect(followers.isEmpty)
  }

  @Test func theDoorForgetsTheFollowedAppsOfAClientThatDisconnects() throws {
    let directory = try TemporaryDirectory()
    let table = ClientTable(listener: try LocalListener(path: directory("s"), mode: 0o600))
    let door = CoreLocationDoor(table, socketWatch: SocketWatch(directory: directory.path))
    let raw = try RawClient(directory("s"))
    var taken: [ClientTable.Outcome] = []
    var outcomes: [DoorOutcome] = []
    table.connectionsArrived(at: .zero, into: &taken)
    let client = try #require(table.clients.last)
    try raw.say(.hello(.init(versionMin: 1, versionMax: 2, program: "follower")))
    table.clientReady(client, readiness: .readable, at: .zero, into: &taken)
    door.settle(
      taken + [.logRequested(client.id, request: 1, .debug, isFollowed: true)], at: .zero,
      into: &outcomes)
    _ = door.send(
      .output(request: 2, .listed("org.example.a"), isFollowed: true), to: client.id, at: .zero,
      into: &outcomes)
    #expect(!door.logFollowers.isEmpty)
    #expect(door.followers.count == 1)
    try raw.hangUp()
    taken = []
    table.clientReady(client, readiness: .readable, at: .zero, into: &taken)
    door.settle(taken, at: .zero, into: &outcomes)
    #expect(door.logFollowers.isEmpty)
    #expect(door.followers.isEmpty)
  }
}
