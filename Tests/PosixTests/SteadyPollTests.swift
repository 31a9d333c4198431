import BinnacleBasics
import Glibc
import TestSupport
import Testing

@testable import BinnaclePosix

/// A loop that fills its poll set again for each wait.
private final class Turns {
  private var steady: SteadyPoll
  private var poll = Poll()
  /// More waits than come before a registration.
  static let max = 10 * SteadyPoll.missesMax

  init(ageMax: Interval = .seconds(60)) { steady = SteadyPoll(ageMax: ageMax) }

  /// Waits for one descriptor; returns its readiness.
  func wait(
    _ descriptor: Int32, _ interest: Poll.Interest = .reading, until deadline: Instant
  ) throws -> Poll.Readiness {
    poll.removeAll()
    poll.set(descriptor, interest)
    let count = try steady.wait(for: &poll, until: deadline)
    let readiness = poll.readiness(of: descriptor)
    #expect(count == (readiness.isEmpty ? 0 : 1))
    return readiness
  }

  func wait(
    _ descriptor: Int32, _ interest: Poll.Interest = .reading, for limit: Interval
  ) throws -> Poll.Readiness {
    try wait(descriptor, interest, until: Clock.now + limit)
  }
}

struct SteadyPollTests {
  private let turns = Turns()

  /// With an age of 0, each wait makes the registration again.
  @Test(arguments: [Interval.zero, .seconds(60)])
  func bytesAndHangUpsAreReportedInEveryWait(ageMax: Interval) throws {
    let turns = Turns(ageMax: ageMax)
    let pipe = try Pipe()
    var buffer: [UInt8] = [0]
    for _ in 0..<Turns.max {
      #expect(try turns.wait(pipe.readEnd.number, for: .microseconds(1)) == [])
      _ = try pipe.writeEnd.write([1])
      #expect(try turns.wait(pipe.readEnd.number, for: .seconds(1)) == .readable)
      _ = try pipe.readEnd.read(into: &buffer)
    }
    let (end, other) = try LocalSocket.pair()
    for _ in 0..<Turns.max {
      #expect(try turns.wait(end.descriptor, [], for: .microseconds(1)) == [])
    }
    _ = consume other
    #expect(try turns.wait(end.descriptor, [], for: .seconds(1)) == .hungUp)
  }

  @Test func theDeadlineIsNeverEarly() throws {
    let pipe = try Pipe()
    for _ in 0..<Turns.max {
      let deadline = Clock.now + .microseconds(300)
      #expect(try turns.wait(pipe.readEnd.number, until: deadline) == [])
      #expect(Clock.now >= deadline)
    }
  }

  @Test func anotherInterestIsObeyedAtOnce() throws {
    let pipe = try Pipe()
    for _ in 0..<2 * SteadyPoll.missesMax {
      #expect(try turns.wait(pipe.writeEnd.number, [], for: .microseconds(1)) == [])
    }
    #expect(try turns.wait(pipe.writeEnd.number, .writing, for: .seconds(1)) == .writable)
    #expect(try turns.wait(pipe.writeEnd.number, [], for: .microseconds(1)) == [])
  }

  /// The kernel gives the number of a closed descriptor to the next file.
  ///
  /// Each case closes descriptors, so two cases at a time would end each other's registration.
  @Test(.serialized, arguments: [false, true])
  func aNumberThatBelongsToAnotherFileIsWatchedAtOnce(isClosedInC: Bool) throws {
    let first = try Pipe()
    let number = fcntl(first.readEnd.number, F_DUPFD_CLOEXEC, 500)
    for _ in 0..<2 * SteadyPoll.missesMax {
      #expect(try turns.wait(number, for: .microseconds(1)) == [])
    }
    if isClosedInC {
      close(number)
      FileDescriptor.closedElsewhere()
    } else {
      _ = FileDescriptor(owning: number)
    }
    let second = try Pipe()
    #expect(dup2(second.readEnd.number, number) == number)
    defer { close(number) }
    _ = try second.writeEnd.write([1])
    #expect(try turns.wait(number, for: .seconds(1)) == .readable)
  }

  /// An age of 0 ends a registration before each wait.
  @Test func anUnnoticedCloseMattersOnlyUntilARegistrationIsMadeAgain() throws {
    let turns = Turns(ageMax: .zero)
    let first = try Pipe()
    let second = try Pipe()
    let number = fcntl(first.readEnd.number, F_DUPFD_CLOEXEC, 500)
    defer { close(number) }
    for _ in 0..<2 * SteadyPoll.missesMax {
      #expect(try turns.wait(number, for: .microseconds(1)) == [])
    }
    // The C function is not `FileDescriptor`'s close, so it is not counted.
    #expect(dup2(second.readEnd.number, number) == number)
    _ = try second.writeEnd.write([1])
    #expect(try turns.wait(number, for: .milliseconds(500)) == .readable)
  }

  /// Other tests close descriptors at the same time, so the count is compared until it stays the same.
  @Test func onlyTheCloseOfARegisteredDescriptorIsCounted() throws {
    let isQuiet = try (0..<1_000).contains { _ in
      let before = FileDescriptor.closedCount
      _ = try Pipe()
      return FileDescriptor.closedCount == before
    }
    #expect(isQuiet)
    let pipe = try Pipe()
    let group = try PollGroup([pipe.readEnd.number])
    let before = FileDescriptor.closedCount
    _ = consume pipe
    #expect(FileDescriptor.closedCount > before)
    #expect(group.ready == [])
  }

  /// The kernel registers no regular file, which is always ready.
  @Test func aFileThatCannotBeRegisteredIsPolled() throws {
    let directory = try TemporaryDirectory()
    let file = try FileDescriptor.open(directory("file"), O_RDWR | O_CREAT)
    for _ in 0..<2 * SteadyPoll.missesMax {
      #expect(try turns.wait(file.number, for: .seconds(1)) == .readable)
    }
  }
}
