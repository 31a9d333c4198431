import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import Glibc
import TestSupport
import Testing

struct SerialPortTests {
  private let line: PseudoTerminal

  init() throws {
    line = try PseudoTerminal(speed: 4_800)
  }

  private func open(_ speed: Int = 9_600) throws -> SerialPort {
    try SerialPort.open(path: line.farEndName, speed: speed)
  }

  /// Does what the daemon's loop does until these facts have come.
  private func facts(
    of port: SerialPort, count: Int, limit: Interval = .seconds(60)
  ) throws -> [SerialPort.Fact] {
    let end = Clock.now + limit
    var facts: [SerialPort.Fact] = []
    var poll = Poll()
    while facts.count < count, Clock.now < end {
      poll.set(port.descriptor, port.interest)
      try poll.wait(until: min(port.nextDeadline ?? end, end))
      facts += port.proceed(at: Clock.now)
    }
    return facts
  }

  /// The bytes at the near end; the kernel delivers bytes with a delay, so the function waits for them.
  private func near(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: count)
    while bytes.count < count, try isReadable(line.descriptor) {
      guard let more = try line.read(into: &buffer), more > 0 else { break }
      bytes += buffer[..<more]
    }
    return bytes
  }

  private func isReadable(_ descriptor: Int32) throws -> Bool {
    var poll = Poll()
    poll.set(descriptor, .reading)
    return try poll.wait(until: Clock.now + .seconds(60)) > 0
  }

  @Test func allBytesPassBothWays() throws {
    let port = try open()
    #expect(port.kind == .pseudoTerminal)
    #expect(port.speed == 9_600)
    #expect(port.warnings == [])
    let all = (0...255).map { UInt8($0) }
    _ = try line.write(all[...])
    var buffer = [UInt8](repeating: 0, count: 1_000)
    var seen: [UInt8] = []
    while seen.count < 256, try isReadable(port.descriptor) {
      guard case .bytes(let count) = port.read(into: &buffer) else { break }
      seen += buffer[..<count]
    }
    #expect(seen == all)
    #expect(port.read(into: &buffer) == .nothing)
    #expect(port.write(all, at: Clock.now) == [])
    #expect(try near(256) == all)
    #expect(try facts(of: port, count: 1) == [.drained])
    #expect(port.nextDeadline == nil)
  }

  @Test func theLineIsGivenBackAsItWasFound() throws {
    let probe = try FileDescriptor.open(line.farEndName, O_RDWR | O_NOCTTY)
    let terminal = Terminal(borrowing: probe.number)
    try terminal.setSpeed(1_200)
    do {
      let port = try open(115_200)
      #expect(try line.speed == 115_200)
      #expect(terminal.isRaw)
      _ = port.descriptor
    }
    #expect(try line.speed == 1_200)
  }

  @Test(arguments: [50, 9_600, 38_400, 123_457, 250_000, 921_600])
  func oddSpeedsAreReadBack(speed: Int) throws {
    let port = try open(230_400)
    var facts = port.changeSpeed(to: speed, at: Clock.now)
    facts += try self.facts(of: port, count: 1 - facts.count)
    #expect(facts == [.speedChanged(speed)])
    #expect(port.speed == speed)
    #expect(try line.speed == UInt32(speed))
  }

  @Test func impossibleSpeedsAreRefused() throws {
    let port = try open()
    #expect(port.changeSpeed(to: 0, at: Clock.now) == [.speedRefused(0)])
    #expect(port.changeSpeed(to: -5, at: Clock.now) == [.speedRefused(-5)])
    #expect(port.changeSpeed(to: 1 << 40, at: Clock.now) == [.speedRefused(1 << 40)])
    #expect(port.speed == 9_600)
    #expect(try line.speed == 9_600)
    #expect(throws: ReceiverFault.self) { try open(0) }
  }

  @Test func theSpeedChangesAfterTheBytesAndBeforeTheNext() throws {
    let port = try open(9_600)
    let now = Clock.now
    #expect(port.write([1, 2, 3], at: now) == [])
    #expect(port.changeSpeed(to: 19_200, at: now) == [])
    #expect(port.write([4], at: now) == [])
    #expect(try line.speed == 9_600)
    #expect(try near(3) == [1, 2, 3])
    let deadline = try #require(port.nextDeadline)
    // Two characters of ten bits at 9600 baud.
    #expect(deadline - now >= Interval(nanoseconds: 2_083_332))
    #expect(port.proceed(at: deadline - Interval(nanoseconds: 1)) == [])
    #expect(port.proceed(at: deadline) == [.drained, .speedChanged(19_200)])
    #expect(try near(1) == [4])
    #expect(try facts(of: port, count: 1) == [.drained])
  }

  @Test func aSlowReaderGetsEverythingInOrder() throws {
    let port = try open()
    let bytes = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var facts = port.write(bytes, at: Clock.now)
    #expect(port.interest == [.reading, .writing])
    var seen: [UInt8] = []
    while seen.count < bytes.count {
      let more = try near(min(500, bytes.count - seen.count))
      try #require(!more.isEmpty)
      seen += more
      facts += port.proceed(at: Clock.now)
    }
    #expect(seen == bytes)
    facts += try self.facts(of: port, count: 1 - facts.count)
    #expect(facts == [.drained])
    #expect(port.interest == .reading)
  }

  @Test func aLineThatTakesNothingIsGivenUp() throws {
    let port = try open()
    var now = Clock.now
    var facts = port.write([UInt8](repeating: 0, count: 65_000), at: now)
    // The kernel makes a little room now and then while it hands bytes over; in the end there is none.
    for _ in 0..<1_000 where facts.isEmpty {
      #expect(port.interest == [.reading, .writing])
      let giveUp = try #require(port.nextDeadline)
      #expect(giveUp > now && giveUp <= now + .seconds(5))
      now = giveUp
      facts = port.proceed(at: now)
    }
    #expect(facts.count == 1)
    guard case .lost(let error) = facts.first else {
      Issue.record("no loss is reported")
      return
    }
    #expect(error.kind == .failed)
    #expect(error.description == "\(line.farEndName): it accepts no more bytes to send")
    #expect(port.nextDeadline == nil)
  }

  @Test func moreThanCanWaitIsAFailure() throws {
    let port = try open()
    let facts = port.write([UInt8](repeating: 0, count: 100_000), at: Clock.now)
    guard case .lost(let error) = facts.first else {
      Issue.record("\(facts)")
      return
    }
    #expect(error.kind == .failed)
  }

  @Test func aPulledPlugIsReportedOnce() throws {
    var line: PseudoTerminal? = try PseudoTerminal()
    let name = try #require(line?.farEndName)
    let port = try SerialPort.open(path: name, speed: 9_600)
    _ = try line?.write([1, 2])
    line = nil
    var poll = Poll()
    poll.set(port.descriptor, port.interest)
    #expect(try poll.wait(until: Clock.now + .seconds(60)) == 1)
    var buffer = [UInt8](repeating: 0, count: 10)
    var losses: [ReceiverFault] = []
    for _ in 0..<5 {
      if case .lost(let error) = port.read(
        into: &buffer, readiness: poll.readiness(of: port.descriptor))
      {
        losses.append(error)
      }
    }
    #expect(losses.map { $0.kind } == [.unplugged])
    #expect(port.write([1], at: Clock.now) == [])
    #expect(port.changeSpeed(to: 9_600, at: Clock.now) == [])
    #expect(throws: ReceiverFault.self) { try SerialPort.open(path: name, speed: 9_600) }
  }

  @Test func aPulledPlugIsSeenByWritingToo() throws {
    var line: PseudoTerminal? = try PseudoTerminal()
    let name = try #require(line?.farEndName)
    let port = try SerialPort.open(path: name, speed: 9_600)
    line = nil
    let facts = port.write([1], at: Clock.now)
    guard case .lost(let error) = facts.first else {
      Issue.record("\(facts)")
      return
    }
    #expect(error.kind == .unplugged)
  }

  @Test func aHangUpWithNothingToReadIsALoss() throws {
    let port = try open()
    var buffer: [UInt8] = [0]
    #expect(port.read(into: &buffer, readiness: []) == .nothing)
    let arrival = port.read(into: &buffer, readiness: .hungUp)
    guard case .lost = arrival else {
      Issue.record("\(arrival)")
      return
    }
  }

  @Test func aLinkIsFollowed() throws {
    let directory = try TemporaryDirectory()
    try Files.makeLink(directory("receiver"), to: line.farEndName)
    let port = try SerialPort.open(path: directory("receiver"), speed: 9_600)
    #expect(port.kind == .pseudoTerminal)
    #expect(port.path == directory("receiver"))
  }

  @Test func aPatternMeansTheFirstMatch() throws {
    let directory = try TemporaryDirectory()
    try Files.makeLink(directory("usb-u-blox_AG-b"), to: "/dev/null")
    try Files.makeLink(directory("usb-u-blox_AG-a"), to: line.farEndName)
    try Files.makeLink(directory("other"), to: "/dev/null")
    let port = try SerialPort.open(path: directory("usb-u-blox_AG*"), speed: 9_600)
    #expect(port.kind == .pseudoTerminal)
    let expected = "\(directory("modem*")): no device of such a name"
    do {
      _ = try SerialPort.open(path: directory("modem*"), speed: 9_600)
      Issue.record("a device was opened that is not there")
    } catch {
      #expect(error.kind == .missing)
      #expect(error.description == expected)
    }
  }

  @Test func aUARTsCountersAreNotInventedForAPseudoTerminal() throws {
    #expect(try open().errorCounts == nil)
  }
}
