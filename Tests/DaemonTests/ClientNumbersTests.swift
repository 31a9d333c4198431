import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Board
import Glibc
import TestSupport
import Testing

@testable import Daemon

struct ClientNumbersTests {
  @Test func theNumbersBeginAgainAfterTheLargest() {
    let numbers = ClientNumbers(after: .max - 1)
    #expect(numbers.next() == ClientID(number: .max))
    #expect(numbers.next() == ClientID(number: 1))
  }

  @Test func aNumberInUseIsSkipped() {
    let numbers = ClientNumbers(after: .max, inUse: [1, 2, 3])
    numbers.release(ClientID(number: 2))
    #expect(numbers.next() == ClientID(number: 2))
    #expect(numbers.next() == ClientID(number: 4))
  }

  @Test func aClientThatDisconnectsReleasesItsNumber() throws {
    let directory = try TemporaryDirectory()
    let numbers = ClientNumbers()
    let table = ClientTable(
      listener: try LocalListener(path: directory("s"), mode: 0o600), numbers: numbers)
    let raw = try RawClient(directory("s"))
    var outcomes: [ClientTable.Outcome] = []
    table.connectionsArrived(at: .zero, into: &outcomes)
    let client = try #require(table.clients.last)
    #expect(numbers.inUse == [client.id.number])
    try raw.hangUp()
    table.clientReady(client, readiness: .readable, at: .zero, into: &outcomes)
    #expect(table.clients.isEmpty)
    #expect(numbers.inUse.isEmpty)
  }

  @Test func aReaderThatDisconnectsReleasesItsNumber() throws {
    let directory = try TemporaryDirectory()
    let numbers = ClientNumbers()
    var section = Profile.Door(.nmea)
    section.socket = "nmea.sock"
    section.group = "\(getgid())"
    let door = StreamDoor(
      StreamDoorSettings(section, runtimeDirectory: directory.path), numbers: numbers)
    var outcomes: [DoorOutcome] = []
    func serve() {
      var pollSet = PollSet()
      door.watch(with: &pollSet)
      _ = pollSet.wait(until: Clock.now)
      door.handleReady(pollSet, at: Clock.now, into: &outcomes)
    }
    do {
      let reader = try StreamDoorTests.Reader(socket: directory("nmea.sock"))
      serve()
      #expect(numbers.inUse.count == 1)
      withExtendedLifetime(reader) {}
    }
    serve()
    #expect(numbers.inUse.isEmpty)
  }
}
