import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Board
import Devices
import Testing
import VirtualWire

/// A line of a virtual board, whatever the board says.
struct SimulatedLineTests {
  private let board: ScriptedBoard

  init() throws {
    board = try ScriptedBoard()
  }

  /// A line that is granted.
  private func open() throws -> any Line {
    let line = try #require(try board.claim())
    try board.say(VirtualGreeting.welcome(version: 1, board: "test").encoded())
    try board.say(LineAnswer.granted(isActive: false, isDebounced: false).encoded())
    #expect(try facts(of: line) == [.opened(isActive: false, isDebounced: false)])
    return line
  }

  private func loss(_ line: any Line) throws -> LineFault? {
    guard case .lost(let error) = try facts(of: line).last else { return nil }
    return error
  }

  @Test func aLineIsClaimedAndAnswers() throws {
    let line = try open()
    #expect(try VirtualHello(decoding: board.hear() ?? [])?.face == .lines)
    guard case .claim(let claim) = LineOrder(decoding: try board.hear() ?? []) else {
      Issue.record("no claim came")
      return
    }
    #expect(claim.line == "GPIO5" && claim.isActiveLow)
    #expect(line.read(at: Clock.now) == [])
    #expect(line.set(true, at: Clock.now) == [])
    #expect(try LineOrder(decoding: board.hear() ?? []) == .get(ticket: 1))
    #expect(try LineOrder(decoding: board.hear() ?? []) == .set(ticket: 2, isActive: true))
    #expect(line.nextDeadline != nil)
    let before = Clock.now
    let stamp = Clock.monotonicNanoseconds
    let now = Clock.now
    try board.say(LineAnswer.value(ticket: 1, isActive: true).encoded())
    try board.say(LineAnswer.edge(isActive: true, nanoseconds: stamp - 5_000_000).encoded())
    try board.say(LineAnswer.value(ticket: 2, isActive: false).encoded())
    let heard = try facts(of: line, at: now)
    #expect(heard.count == 3)
    #expect(heard.first == .level(isActive: true))
    #expect(heard.last == .level(isActive: false))
    if case .edge(true, let instant) = heard[1] {
      // However long this took: five milliseconds before it was said, as near as the two clocks can be read.
      let duration = Clock.now - before
      #expect(instant <= now - .milliseconds(5) && instant >= now - .milliseconds(5) - duration)
    } else {
      Issue.record("no edge came")
    }
    #expect(line.nextDeadline == nil)
  }

  @Test func aStampOfAnotherClockIsTakenForNow() throws {
    let line = try open()
    let now = Clock.now
    for stamp in [Int64.min, Int64.max, 1_790_000_000_000_000_000] {
      try board.say(LineAnswer.edge(isActive: true, nanoseconds: stamp).encoded())
      #expect(try facts(of: line, at: now) == [.edge(isActive: true, at: now)])
    }
  }

  @Test func aBoardThatIsNotThereIsMissing() throws {
    let request = LineRequest(
      source: .simulated(path: "/nowhere/board.sock"),
      claim: LineClaim(line: "GPIO5", consumer: "x", use: .input))
    var facts: [LineFact] = []
    #expect(request.open(at: Clock.now, into: &facts) == nil)
    guard case .lost(let error) = facts.first else {
      Issue.record("nothing was lost")
      return
    }
    #expect(error.kind == .chipMissing)
    #expect(
      error.description.hasPrefix("GPIO5 on sim:/nowhere/board.sock: no virtual board listens"))
  }

  @Test(arguments: LineAnswer.RefusalKind.allCases)
  func aRefusalIsReportedInTheBoardsWords(_ kind: LineAnswer.RefusalKind) throws {
    let line = try #require(try board.claim())
    try board.say(VirtualGreeting.welcome(version: 1, board: "test").encoded())
    try board.say(LineAnswer.refused(.init(kind, "held by 'led0'")).encoded())
    let error = try #require(try loss(line))
    #expect(error.description.hasSuffix("held by 'led0'"))
    #expect((kind == .busy) == (error.kind == .busy))
  }

  @Test func aBoardThatHangsUpIsGone() throws {
    let line = try open()
    board.hangUp()
    #expect(try loss(line)?.kind == .gone)
    let other = try open()
    try board.say(LineAnswer.gone(text: "unplugged").encoded())
    #expect(try loss(other)?.description.hasSuffix("unplugged") == true)
  }

  @Test func aBoardThatIsSilentIsGivenUp() throws {
    let now = Clock.now
    let line = try #require(try board.claim(at: now))
    let due = try #require(line.nextDeadline)
    #expect(due == now + .seconds(2))
    #expect(line.deadlineReached(at: due - .milliseconds(1)) == [])
    guard case .lost(let error) = line.deadlineReached(at: due).first else {
      Issue.record("a silent board is waited for")
      return
    }
    #expect(error.kind == .failed)
    let open = try open()
    _ = open.read(at: now)
    #expect(open.nextDeadline == now + .seconds(2))
  }

  @Test(
    arguments: [
      [0], [255, 255, 255], Array(repeating: 7, count: 4_096), Array(repeating: 7, count: 60_000),
      LineAnswer.value(ticket: 1, isActive: true).encoded(),
      LineAnswer.granted(isActive: true, isDebounced: true).encoded() + [0],
      LineAnswer.granted(isActive: true, isDebounced: true).encoded(),
      [131, 2, 0], VirtualGreeting.refused(.init(.connectionsTooMany, "full")).encoded(),
      [136, 255, 255, 65],
    ] as [[UInt8]])
  func anImpossibleMessageEndsTheLine(bytes: [UInt8]) throws {
    let line = try open()
    try board.say(bytes)
    #expect(try loss(line)?.kind == .failed)
    let early = try #require(try board.claim())
    try board.say(bytes)
    #expect(try loss(early)?.kind == .failed)
  }

  @Test func aBoardThatFloodsDoesNotKeepTheLoop() throws {
    let line = try open()
    let edge = LineAnswer.edge(isActive: true, nanoseconds: 0).encoded()
    var sent = 0
    while sent < 500, (try board.socket?.send(edge)) == true { sent += 1 }
    #expect(sent > 100)
    #expect(try facts(of: line).count == 64)
  }

  @Test func unansweredOrdersHaveALimit() throws {
    let line = try open()
    var lost: LineFact?
    for _ in 0..<100 where lost == nil { lost = line.read(at: Clock.now).first }
    guard case .lost(let error) = lost else {
      Issue.record("orders pile up")
      return
    }
    #expect(error.kind == .failed)
  }

  @Test func randomBytesNeverTrap() throws {
    var random = Random(seed: 3)
    for _ in 0..<300 {
      let line = random.chance(0.7) ? try open() : try #require(try board.claim())
      _ = line.read(at: Clock.now)
      var bytes = LineAnswer.value(ticket: 1, isActive: true).encoded()
      if random.chance(0.5) { bytes = LineAnswer.gone(text: "abc").encoded() }
      bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      try board.say(bytes)
      _ = try facts(of: line)
    }
  }
}

/// A chip of the kernel that is not there; those that are belong to the bench.
@Test func aChipThatNoLabelNamesIsMissing() {
  let request = LineRequest(
    source: .chip(label: "no-such-chip"),
    claim: LineClaim(line: "GPIO5", consumer: "x", use: .input))
  var facts: [LineFact] = []
  #expect(request.open(at: Clock.now, into: &facts) == nil)
  guard case .lost(let error) = facts.first else {
    Issue.record("nothing was lost")
    return
  }
  #expect(error.kind == .chipMissing || error.kind == .notPermitted)
  #expect(error.description.contains("GPIO5 on no-such-chip"))
}
