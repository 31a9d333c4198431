import BinnacleBasics
import BinnaclePosix
import Glibc
import TestSupport
import Testing

struct PseudoTerminalTests {
  @Test func bytesPassBothWaysUnchanged() throws {
    let terminal = try PseudoTerminal()
    let farEnd = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY | O_NONBLOCK)
    let all = (0...255).map { UInt8($0) }
    #expect(try terminal.write(all[...]) == 256)
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 300)
    while seen.count < 256, try isReadable(farEnd.number) {
      seen += buffer[..<(try farEnd.read(into: &buffer) ?? 0)]
    }
    #expect(seen == all)
    #expect(try farEnd.write(all[...]) == 256)
    seen = []
    while seen.count < 256, try isReadable(terminal.descriptor) {
      seen += buffer[..<(try terminal.read(into: &buffer) ?? 0)]
    }
    #expect(seen == all)
    #expect(try terminal.read(into: &buffer) == nil)
  }

  /// The kernel hands bytes over in its own time, so they are waited for.
  private func isReadable(_ descriptor: Int32) throws -> Bool {
    var poll = Poll()
    poll.set(descriptor, .reading)
    return try poll.wait(until: Clock.now + .seconds(60)) > 0
  }

  @Test func openingAndClosingOfTheFarEndAreReported() throws {
    let terminal = try PseudoTerminal()
    // A program that another test starts at this moment has all that is open here until it runs.
    #expect(try eventually { !terminal.isFarEndOpen })
    do {
      let farEnd = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY)
      #expect(terminal.isFarEndOpen)
      _ = consume farEnd
    }
    #expect(try eventually { !terminal.isFarEndOpen })
    var buffer: [UInt8] = [0]
    #expect(try terminal.read(into: &buffer) == 0)
  }

  /// More bytes than the far end's buffer of 4,096 bytes has room for wait on their way, too.
  @Test(arguments: [100, 20_000])
  func discardedBytesReachNoLaterProgram(count: Int) throws {
    let terminal = try PseudoTerminal()
    do {
      let first = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY)
      var rest = [UInt8](repeating: 65, count: count)[...]
      while !rest.isEmpty, let written = try terminal.write(rest), written > 0 {
        rest = rest.dropFirst(written)
      }
      #expect(try isReadable(first.number))
    }
    try terminal.discardUnread()
    let second = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY | O_NONBLOCK)
    #expect(try terminal.write([66]) == 1)
    #expect(try isReadable(second.number))
    var buffer = [UInt8](repeating: 0, count: 30_000)
    #expect(try second.read(into: &buffer) == 1)
    #expect(buffer[0] == 66)
  }

  @Test func anySpeedCanBeSet() throws {
    let terminal = try PseudoTerminal(speed: 38_400)
    #expect(try terminal.speed == 38_400)
    try terminal.setSpeed(123_457)
    #expect(try terminal.speed == 123_457)
  }
}
