import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Board
import Glibc
import LocationEngine
import TestSupport
import Testing

@testable import Daemon

/// The limits of readers at the socket of a door.
struct StreamDoorLimitTests {
  private static let userID = getuid()
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A door in which the own user is an operator, or an ordinary user.
  private func door(ofOperator: Bool, hasTerminal: Bool = false) -> StreamDoor {
    var section = Profile.Door(.nmea)
    section.socket = "nmea.sock"
    section.terminal = hasTerminal ? "nmea" : nil
    section.group = "\(getgid())"
    return StreamDoor(
      StreamDoorSettings(section, runtimeDirectory: directory.path), numbers: ClientNumbers(),
      operators: Operators(userIDs: ofOperator ? [Self.userID] : [], groupID: { nil }))
  }

  /// Connects readers and lets the door serve them.
  private func connect(
    _ count: Int, to door: StreamDoor, into outcomes: inout [DoorOutcome]
  ) throws -> [StreamDoorTests.Reader] {
    var readers: [StreamDoorTests.Reader] = []
    for _ in 0..<count {
      readers.append(try StreamDoorTests.Reader(socket: directory("nmea.sock")))
    }
    serve(door, into: &outcomes)
    return readers
  }

  private func serve(_ door: StreamDoor, into outcomes: inout [DoorOutcome]) {
    var pollSet = PollSet()
    door.watch(with: &pollSet)
    _ = pollSet.wait(until: Clock.now)
    door.handleReady(pollSet, at: Clock.now, into: &outcomes)
  }

  /// Sends positions until bytes wait for the only reader.
  private func fill(
    _ door: StreamDoor, at now: Instant, into outcomes: inout [DoorOutcome]
  ) throws -> StreamReader {
    let reader = try #require(door.readers.first)
    let fix = Fix(
      latitude: 48, longitude: 11, horizontalAccuracy: 3,
      time: UTCTime(secondsSince1970: 1_790_000_000))
    for _ in 0..<100_000 where !reader.wantsToWrite {
      _ = door.send(
        .deliver([SequenceID(number: 1)], Update(fix: fix)), to: reader.id, at: now,
        into: &outcomes)
    }
    #expect(reader.wantsToWrite)
    return reader
  }

  /// Whether the log has a line about a reader that reads nothing.
  private func isReported(_ outcomes: [DoorOutcome]) -> Bool {
    outcomes.contains {
      if case .log(.warning, let text, _) = $0 {
        text.hasSuffix("was disconnected: nothing was read for 60 s")
      } else {
        false
      }
    }
  }

  /// The only reader reads nothing until the door disconnects it.
  private func readNothingForAMinute(
    _ door: StreamDoor, into outcomes: inout [DoorOutcome]
  ) throws {
    let now = Instant.zero + .seconds(100)
    let reader = try fill(door, at: now, into: &outcomes)
    door.deadlineReached(at: now + .seconds(59), into: &outcomes)
    #expect(door.readers.count == 1)
    door.deadlineReached(at: now + .seconds(60), into: &outcomes)
    #expect(door.readers.isEmpty)
    #expect(outcomes.contains(.event(.client(reader.id, .disconnected))))
    #expect(isReported(outcomes))
  }

  @Test func aReaderOfTheSocketThatReadsNothingForAMinuteIsDisconnected() throws {
    let door = door(ofOperator: true)
    var outcomes: [DoorOutcome] = []
    let readers = try connect(1, to: door, into: &outcomes)
    try readNothingForAMinute(door, into: &outcomes)
    withExtendedLifetime(readers) {}
  }

  @Test func aReaderThatReadsAgainWithinAMinuteStays() throws {
    let door = door(ofOperator: true)
    var outcomes: [DoorOutcome] = []
    let readers = try connect(1, to: door, into: &outcomes)
    let now = Instant.zero + .seconds(100)
    let reader = try fill(door, at: now, into: &outcomes)
    let ofProgram = try #require(readers.first)
    let hasRead = try eventually {
      _ = try ofProgram.hears { _ in true }
      ofProgram.forget()
      reader.flush(at: now + .seconds(59))
      return !reader.wantsToWrite
    }
    #expect(hasRead)
    door.deadlineReached(at: now + .seconds(60), into: &outcomes)
    #expect(door.readers.count == 1)
  }

  @Test func aReaderThatClosesItsOwnDirectionReadsOnUntilItDisconnects() throws {
    let door = door(ofOperator: true)
    var outcomes: [DoorOutcome] = []
    var readers = try connect(1, to: door, into: &outcomes)
    let line = try #require(door.readers.first).line
    readers[0].endInput()
    serve(door, into: &outcomes)
    #expect(door.readers.count == 1)
    // The ended input does not keep the daemon busy.
    var pollSet = PollSet()
    door.watch(with: &pollSet)
    _ = pollSet.wait(until: Clock.now)
    #expect(!pollSet.isReady(line.descriptor))
    readers.removeAll()
    serve(door, into: &outcomes)
    #expect(door.readers.isEmpty)
  }

  @Test func aTerminalThatIsNotReadForAMinuteIsReplaced() throws {
    let door = door(ofOperator: true, hasTerminal: true)
    var outcomes: [DoorOutcome] = []
    let before = try Files.linkTarget(directory("nmea"))
    let stuck = try StreamDoorTests.Reader(terminal: directory("nmea"))
    serve(door, into: &outcomes)
    try readNothingForAMinute(door, into: &outcomes)
    #expect(try Files.linkTarget(directory("nmea")) != before)
    // The next program is served.
    let next = try StreamDoorTests.Reader(terminal: directory("nmea"))
    serve(door, into: &outcomes)
    #expect(door.readers.count == 1)
    withExtendedLifetime((stuck, next)) {}
  }

  private func refusedCount(_ door: StreamDoor) -> Int64? {
    var report = Report()
    door.add(to: &report)
    return report[.doorRefused(.nmea)]
  }

  @Test func aUserHasFourReadersAndALaterReaderIsRefusedWithALogLine() throws {
    let door = door(ofOperator: false)
    var outcomes: [DoorOutcome] = []
    let readers = try connect(6, to: door, into: &outcomes)
    #expect(door.readers.count == 4)
    #expect(refusedCount(door) == 2)
    let line = DoorOutcome.log(
      .warning,
      "door NMEA: user \(Self.userID) was refused: 4 readers of user \(Self.userID) are connected, "
        + "which is the limit",
      from: .user(Self.userID))
    #expect(outcomes.count { $0 == line } == 2)
    withExtendedLifetime(readers) {}
  }

  @Test func theDaemonsOwnUserHasTheLimitOfAllReadersOnly() throws {
    let door = door(ofOperator: true)
    var outcomes: [DoorOutcome] = []
    let readers = try connect(9, to: door, into: &outcomes)
    #expect(door.readers.count == 8)
    #expect(refusedCount(door) == 1)
    let line = DoorOutcome.log(
      .warning,
      "door NMEA: user \(Self.userID) was refused: 8 readers are connected, which is the limit",
      from: .user(Self.userID))
    #expect(outcomes.count { $0 == line } == 1)
    withExtendedLifetime(readers) {}
  }

  @Test func aUserThatConnectsTooOftenIsRefusedWithOneLogLine() throws {
    let door = door(ofOperator: true)
    var outcomes: [DoorOutcome] = []
    // All connections come at the same instant for the door.
    var pollSet = PollSet()
    door.watch(with: &pollSet)
    let start = Clock.now
    for _ in 0..<3 {
      for _ in 0..<32 { _ = try StreamDoorTests.Reader(socket: directory("nmea.sock")) }
      _ = pollSet.wait(until: Clock.now)
      door.handleReady(pollSet, at: start, into: &outcomes)
    }
    let count = try #require(refusedCount(door))
    #expect(count >= 96 - ConnectionPace.burst)
    let line = DoorOutcome.log(
      .warning,
      "door NMEA: user \(Self.userID) was refused: user \(Self.userID) connects more than 50 times "
        + "a second, which is the limit",
      from: .user(Self.userID))
    #expect(outcomes.count { $0 == line } == 1)
  }

  @Test func oneUserLeavesPlacesForReadersOfOthers() {
    let places = ReaderPlaces(Operators(userIDs: [0, 990], groupID: { nil }))
    let held = [UInt32](repeating: 1_000, count: 4)
    #expect(places.refusal(of: 1_000, among: held)?.contains("4 readers of user 1000") == true)
    #expect(places.refusal(of: 1_000, among: Array(held.dropLast())) == nil)
    for userID: UInt32 in [0, 990, 1_001] {
      #expect(places.refusal(of: userID, among: held) == nil)
    }
    let ofOwn = [UInt32](repeating: 990, count: 7)
    #expect(places.refusal(of: 990, among: ofOwn) == nil)
    #expect(places.refusal(of: 990, among: ofOwn + [0])?.contains("8 readers are") == true)
  }
}
