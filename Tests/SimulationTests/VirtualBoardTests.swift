import BinnacleBasics
import Simulation
import Testing
import VirtualWire

/// A virtual board and the packets that it sent.
private struct Desk {
  var board = VirtualBoard(
    name: "board",
    lines: VirtualLines(
      names: ["A", "B", "C", "D"],
      parts: [
        .button(name: "HOME", line: "A", isPressedHigh: false), .lamp(name: "LAMP", line: "B"),
        .wire(from: "B", to: "C"),
      ]))
  var packets: [VirtualBoard.Packet] = []
  var clock: Int64 = 5

  mutating func say(_ bytes: [UInt8], _ connection: Int) {
    board.packetArrived(bytes, from: connection, clock: clock)
    packets = board.takeOutput()
  }

  mutating func connect(_ connection: Int, _ face: VirtualFace) {
    board.connected(connection)
    say(VirtualHello(face).encoded(), connection)
  }

  mutating func claim(
    _ line: String, _ use: LineClaim.Use, _ connection: Int, isActiveLow: Bool = false,
    bias: LineClaim.Bias = .asIs
  ) -> LineAnswer? {
    connect(connection, .lines)
    var claim = LineClaim(line: line, consumer: "test \(connection)", use: use)
    claim.isActiveLow = isActiveLow
    claim.bias = bias
    say(LineOrder.claim(claim).encoded(), connection)
    return lineAnswers(connection).first
  }

  mutating func control(_ order: ControlOrder) -> ControlAnswer? {
    say(order.encoded(), 99)
    return packets.last.flatMap { ControlAnswer(decoding: $0.bytes) }
  }

  func lineAnswers(_ connection: Int) -> [LineAnswer] {
    packets.filter { $0.connection == connection }.compactMap { LineAnswer(decoding: $0.bytes) }
  }
}

struct VirtualBoardTests {
  private var desk = Desk()

  init() {
    desk.connect(99, .control)
  }

  @Test func aPressedButtonIsAnEdgeBeforeItIsAnAnswer() {
    var desk = desk
    #expect(
      desk.claim("A", .edges, 1, isActiveLow: true)
        == .granted(isActive: false, isDebounced: false))
    #expect(desk.control(.press(part: "HOME", isPressed: true)) == .done)
    #expect(desk.packets.map(\.connection) == [1, 99])
    #expect(desk.lineAnswers(1) == [.edge(isActive: true, nanoseconds: 5)])
    #expect(desk.control(.press(part: "A", isPressed: true)) == .done)
    #expect(desk.lineAnswers(1) == [])
    #expect(desk.control(.press(part: "A", isPressed: false)) == .done)
    #expect(desk.lineAnswers(1) == [.edge(isActive: false, nanoseconds: 5)])
  }

  @Test func anUnknownButtonIsAnsweredWithTheOnesThatThereAre() {
    var desk = desk
    #expect(
      desk.control(.press(part: "ALLOW", isPressed: true))
        == .failed("there is no button ALLOW; there are HOME"))
    #expect(
      desk.control(.parts)
        == .parts([
          .init(.button, name: "HOME", line: "A"), .init(.lamp, name: "LAMP", line: "B"),
        ]))
  }

  @Test func anOutputIsReadBackAndSeenThroughAWire() {
    var desk = desk
    #expect(
      desk.claim("B", .output(isActive: false), 1, isActiveLow: true)
        == .granted(isActive: false, isDebounced: false))
    #expect(desk.claim("C", .edges, 2) == .granted(isActive: true, isDebounced: false))
    desk.say(LineOrder.set(ticket: 7, isActive: true).encoded(), 1)
    #expect(desk.lineAnswers(1) == [.value(ticket: 7, isActive: true)])
    #expect(desk.lineAnswers(2) == [.edge(isActive: false, nanoseconds: 5)])
    #expect(
      desk.control(.read(line: "B"))
        == .line(.init(isHigh: false, use: .output, consumer: "test 1")))
    #expect(desk.control(.stick(line: "B", .high)) == .done)
    desk.say(LineOrder.set(ticket: 8, isActive: true).encoded(), 1)
    #expect(desk.lineAnswers(1) == [.value(ticket: 8, isActive: false)])
    desk.say(LineOrder.set(ticket: 9, isActive: true).encoded(), 2)
    #expect(desk.lineAnswers(2) == [.failed(ticket: 9, text: "C is an input and cannot be driven")])
  }

  @Test func eachChangeOfALampOrAButtonIsNotedOnce() {
    var desk = desk
    func changes() -> [String] {
      desk.board.takeChanges().map {
        "\($0.nanoseconds) \($0.state.part.kind) \($0.state.part.name) \($0.state.isOn)"
      }
    }
    _ = desk.claim("B", .output(isActive: false), 1)
    #expect(changes() == [])
    desk.clock = 6
    desk.say(LineOrder.set(ticket: 7, isActive: true).encoded(), 1)
    desk.say(LineOrder.set(ticket: 8, isActive: true).encoded(), 1)
    #expect(changes() == ["6 lamp LAMP true"])
    _ = desk.control(.press(part: "HOME", isPressed: true))
    desk.clock = 7
    _ = desk.control(.press(part: "HOME", isPressed: false))
    #expect(changes() == ["6 button HOME true", "7 button HOME false"])
    desk.board.disconnected(1, clock: 8)
    #expect(changes() == ["8 lamp LAMP false"])
    _ = desk.control(.stick(line: "B", .high))
    _ = desk.control(.plugLines(isPlugged: false))
    #expect(changes() == ["7 lamp LAMP true"])
  }

  @Test func theBiasOfTheChipHoldsAnUndrivenLine() {
    var desk = desk
    #expect(
      desk.claim("D", .input, 1, bias: .pullUp) == .granted(isActive: true, isDebounced: false))
    #expect(
      desk.claim("A", .input, 2, bias: .pullDown) == .granted(isActive: false, isDebounced: false))
  }

  @Test func aLineHasOneHolderAndIsFreeAfterwards() {
    var desk = desk
    _ = desk.claim("D", .input, 1)
    #expect(desk.claim("D", .input, 2) == .refused(.init(.busy, "D is held by 'test 1'")))
    #expect(desk.packets.last?.isLast == true)
    #expect(desk.control(.steal(line: "D", consumer: "led0")) == .failed("D is held by 'test 1'"))
    desk.board.disconnected(1, clock: 6)
    #expect(desk.control(.steal(line: "D", consumer: "led0")) == .done)
    #expect(desk.claim("D", .input, 3) == .refused(.init(.busy, "D is held by 'led0'")))
    #expect(desk.control(.steal(line: "D", consumer: "")) == .done)
    #expect(desk.claim("D", .input, 4) == .granted(isActive: false, isDebounced: false))
    #expect(desk.claim("E", .input, 5) == .refused(.init(.lineMissing, "there is no line E")))
  }

  @Test func aRemovedChipReleasesItsLines() {
    var desk = desk
    _ = desk.claim("D", .input, 1)
    #expect(desk.control(.plugLines(isPlugged: false)) == .done)
    #expect(desk.lineAnswers(1) == [.gone(text: "the chip has left the board")])
    guard case .refused(let refusal) = desk.claim("D", .input, 2) else {
      Issue.record("a chip that is not there granted a line")
      return
    }
    #expect(refusal.kind == .chipMissing)
    #expect(desk.control(.plugLines(isPlugged: true)) == .done)
    #expect(desk.claim("D", .input, 3) == .granted(isActive: false, isDebounced: false))
  }

  @Test(
    arguments: [
      [], [1], [255, 0], VirtualHello(.lines, version: 2).encoded(),
      VirtualHello(.i2c).encoded() + [1], Array(repeating: 0, count: 4_096),
    ] as [[UInt8]])
  func aFirstMessageThatIsNoHelloEndsTheConnection(bytes: [UInt8]) {
    var desk = desk
    desk.board.connected(1)
    desk.say(bytes, 1)
    #expect(desk.packets.count == 1)
    #expect(desk.packets.first?.isLast == true)
    desk.say(VirtualHello(.lines).encoded(), 1)
    #expect(desk.packets.isEmpty)
  }

  @Test func aClientThatTalksOutOfTurnIsRefused() {
    var desk = desk
    desk.connect(1, .lines)
    desk.say(LineOrder.get(ticket: 1).encoded(), 1)
    #expect(desk.packets.map(\.isLast) == [true])
    _ = desk.claim("D", .input, 2)
    desk.say(LineOrder.claim(LineClaim(line: "A", consumer: "x", use: .input)).encoded(), 2)
    #expect(desk.packets.map(\.isLast) == [true])
  }

  @Test func oneConnectionTooManyIsRefused() {
    var desk = desk
    for number in 100..<(100 + VirtualBoard.connectionsMax - 1) { desk.connect(number, .control) }
    #expect(desk.packets.map(\.isLast) == [false])
    desk.board.connected(500)
    #expect(desk.board.takeOutput().map(\.isLast) == [true])
  }

  @Test func noBytesCrashTheBoard() {
    var desk = desk
    var random = Random(seed: 5)
    for round in 0..<3_000 {
      let number = 1_000 + round
      desk.board.connected(number)
      if random.chance(0.9) {
        desk.say(VirtualHello(random.chance(0.5) ? .lines : .control).encoded(), number)
      }
      for _ in 0..<4 {
        var bytes = LineOrder.claim(LineClaim(line: "D", consumer: "x", use: .edges)).encoded()
        if random.chance(0.5) {
          bytes = ControlOrder.stick(line: "D", .high).encoded()
        }
        if random.chance(0.7) {
          bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        desk.say(bytes, number)
      }
      desk.board.disconnected(number, clock: desk.clock)
    }
    #expect(desk.control(.read(line: "A")) != nil)
  }
}
