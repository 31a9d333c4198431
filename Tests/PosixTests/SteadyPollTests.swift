import BinnacleBasics
import Glibc
import TestSupport
import Testing

@testable import BinnaclePosix

struct SteadyPollTests {
  private var steady = SteadyPoll()
  private var poll = Poll()
  /// More waits than a registration lasts, and the waits before it.
  private static let waits = SteadyPoll.waitsMax + 3 * SteadyPoll.missesMax

  /// Waits for one descriptor as a loop does: the set is filled again each time.
  private mutating func wait(
    _ descriptor: Int32, _ interest: Poll.Interest = .reading, for limit: Interval
  ) throws -> Poll.Readiness {
    poll.removeAll()
    poll.set(descriptor, interest)
    let count = try steady.wait(for: &poll, until: Clock.now + limit)
    #expect(count == (poll.readiness(of: descriptor).isEmpty ? 0 : 1))
    return poll.readiness(of: descriptor)
  }

  @Test mutating func bytesAndHangUpsAreReportedInEveryWait() throws {
    let pipe = try Pipe()
    var buffer: [UInt8] = [0]
    for _ in 0..<SteadyPollTests.waits {
      #expect(try wait(pipe.readEnd.number, for: .microseconds(1)) == [])
      _ = try pipe.writeEnd.write([1])
      #expect(try wait(pipe.readEnd.number, for: .seconds(1)) == .readable)
      _ = try pipe.readEnd.read(into: &buffer)
    }
    let (end, other) = try LocalSocket.pair()
    for _ in 0..<SteadyPollTests.waits {
      #expect(try wait(end.descriptor, [], for: .microseconds(1)) == [])
    }
    _ = consume other
    #expect(try wait(end.descriptor, [], for: .seconds(1)) == .hungUp)
  }

  @Test mutating func theDeadlineIsNeverEarly() throws {
    let pipe = try Pipe()
    for _ in 0..<SteadyPollTests.waits {
      poll.removeAll()
      poll.set(pipe.readEnd.number, .reading)
      let deadline = Clock.now + .microseconds(300)
      #expect(try steady.wait(for: &poll, until: deadline) == 0)
      #expect(Clock.now >= deadline)
    }
  }

  @Test mutating func anotherInterestIsObeyedAtOnce() throws {
    let pipe = try Pipe()
    for _ in 0..<2 * SteadyPoll.missesMax {
      #expect(try wait(pipe.writeEnd.number, [], for: .microseconds(1)) == [])
    }
    #expect(try wait(pipe.writeEnd.number, .writing, for: .seconds(1)) == .writable)
    #expect(try wait(pipe.writeEnd.number, [], for: .microseconds(1)) == [])
  }

  /// The kernel gives the number of a closed descriptor to the next file.
  @Test(arguments: [false, true])
  mutating func aNumberThatBelongsToAnotherFileIsWatchedAtOnce(isClosedInC: Bool) throws {
    let first = try Pipe()
    let number = fcntl(first.readEnd.number, F_DUPFD_CLOEXEC, 500)
    for _ in 0..<2 * SteadyPoll.missesMax {
      #expect(try wait(number, for: .microseconds(1)) == [])
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
    #expect(try wait(number, for: .seconds(1)) == .readable)
  }

  /// The kernel registers no regular file, which is always ready.
  @Test mutating func aFileThatCannotBeRegisteredIsPolled() throws {
    let directory = try TemporaryDirectory()
    let file = try FileDescriptor.open(directory("file"), O_RDWR | O_CREAT)
    for _ in 0..<2 * SteadyPoll.missesMax {
      #expect(try wait(file.number, for: .seconds(1)) == .readable)
    }
  }
}
