import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

@testable import Daemon

/// How many may come.
struct ClientLimitTests {
  @Test func theClientBeyondTheLimitGetsTheReasonAndIsDisconnected() throws {
    let directory = try TemporaryDirectory()
    var settings = ClientSettings()
    settings.clientsPerUserMax = 1_000
    let table = ClientTable(
      listener: try LocalListener(path: directory("s"), mode: 0o600),
      places: ClientPlaces(settings))
    var outcomes: [ClientTable.Outcome] = []
    var clients: [RawClient] = []
    for _ in 0..<65 {
      clients.append(try RawClient(directory("s")))
      table.connectionsArrived(at: .zero, into: &outcomes)
    }
    #expect(table.clients.count == 64)
    #expect(table.refusedCount == 1)
    #expect(try clients[64].reasonOfEnd() == .clientsTooMany)
    #expect(try clients[63].hear(within: .milliseconds(1)) == .nothing)
  }

  @Test func numbersAreGivenOutInOrderAndNeverAgain() throws {
    let directory = try TemporaryDirectory()
    let table = ClientTable(listener: try LocalListener(path: directory("s"), mode: 0o600))
    var outcomes: [ClientTable.Outcome] = []
    for number in UInt32(1)...5 {
      let raw = try RawClient(directory("s"))
      table.connectionsArrived(at: .zero, into: &outcomes)
      let client = try #require(table.clients.first)
      #expect(client.id.number == number)
      try raw.say([0])
      table.clientReady(client, readiness: .readable, at: .zero, into: &outcomes)
      #expect(table.clients.isEmpty)
    }
  }
}
