import BinnacleBasics
import BinnacleModel
import Testing

@testable import Daemon

struct LogFollowersTests {
  private static let (first, second) = (ClientID(number: 1), ClientID(number: 2))

  private let log = LogRing()

  private func write(_ text: String, _ level: LogLevel = .info) {
    log.append(text, level: level, at: UTCTime(secondsSince1970: 1_790_000_000))
  }

  /// The lines that each client gets now, as `client/request: line`.
  private func news(
    _ followers: inout LogFollowers, connected: [ClientID] = [first, second]
  ) -> [String] {
    followers.takeRows(of: log, connected.contains).flatMap { client, request, rows in
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
    write("a")
    #expect(news(&followers, connected: []) == [])
    write("b")
    #expect(news(&followers) == [])
  }
}
