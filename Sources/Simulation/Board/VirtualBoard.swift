import I2C
import VirtualWire

/// A board without a board: what answers on a `sim:PATH` socket, as a machine.
///
/// `Docs/SPEC-virtual.md` says what goes over the socket. Who owns the socket tells of connections and packets and
/// sends what is in `takeOutput`.
public struct VirtualBoard: Sendable {
  /// A packet that is to be sent.
  public struct Packet: Equatable, Sendable {
    public let connection: Int
    public let bytes: [UInt8]
    /// Whether the board hangs up behind it.
    public let isLast: Bool
  }

  /// Connections at a time; one more is refused.
  public static let connectionsMax = 64

  private let name: String
  private var lines: VirtualLines
  /// nil: the board has none.
  private var bus: VirtualBus?
  private var connections: [Connection] = []
  private var output: [Packet] = []
  private var replies: [VirtualLines.Reply] = []

  private struct Connection: Equatable, Sendable {
    let number: Int
    var state = State.greeting

    enum State: Equatable, Sendable {
      /// Its hello has not come.
      case greeting
      case open(VirtualFace)
      /// What it was told last is on its way; nothing more is heard.
      case ended
    }
  }

  /// - Parameters:
  ///   - name: how the board calls itself.
  ///   - lines: its GPIO chip.
  ///   - bus: its I2C bus; nil: it has none.
  public init(name: String, lines: VirtualLines, bus: VirtualBus? = nil) {
    self.name = name
    self.lines = lines
    self.bus = bus
  }

  // MARK: What the socket saw

  /// Somebody connected; numbers are never used again.
  public mutating func connected(_ number: Int) {
    connections.append(Connection(number: number))
    guard connections.count > VirtualBoard.connectionsMax else { return }
    refuse(number, .connectionsTooMany, "\(VirtualBoard.connectionsMax) are connected already")
  }

  /// A packet came; `clock` is the time of `CLOCK_MONOTONIC` in nanoseconds.
  public mutating func packetArrived(_ bytes: [UInt8], from number: Int, clock: Int64) {
    guard let index = connections.firstIndex(where: { $0.number == number }) else { return }
    switch connections[index].state {
    case .greeting: greet(bytes, index)
    case .open(.lines): takeLineOrder(bytes, number, clock: clock)
    case .open(.control): takeControlOrder(bytes, number, clock: clock)
    case .open(.i2c): takeBusOrder(bytes, number, clock: clock)
    case .ended: break
    }
  }

  /// A packet came that is longer than any message.
  public mutating func overlongPacketArrived(count: Int, from number: Int) {
    refuse(number, .messageMalformed, "a message of \(count) bytes is too long")
  }

  /// The connection is no more.
  public mutating func disconnected(_ number: Int, clock: Int64) {
    connections.removeAll { $0.number == number }
    lines.released(by: number, clock: clock, into: &replies)
    sendReplies()
  }

  /// What is to be sent, in order.
  public mutating func takeOutput() -> [Packet] {
    defer { output.removeAll() }
    return output
  }

  // MARK: Messages

  private mutating func greet(_ bytes: [UInt8], _ index: Int) {
    let number = connections[index].number
    guard let hello = VirtualHello(decoding: bytes) else {
      return refuse(number, .messageMalformed, "the first message is no hello")
    }
    guard hello.version == VirtualLimits.version else {
      return refuse(
        number, .versionUnsupported, "version \(hello.version) is not spoken, 1 is")
    }
    switch hello.face {
    case .lines: connections[index].state = .open(.lines)
    case .control: connections[index].state = .open(.control)
    case .i2c where bus != nil: connections[index].state = .open(.i2c)
    case .i2c, nil:
      return refuse(
        number, .faceUnsupported, "this board has no face \(hello.faceNumber)")
    }
    let welcome = VirtualGreeting.welcome(version: VirtualLimits.version, board: name)
    send(welcome.encoded(), to: number)
  }

  private mutating func takeLineOrder(_ bytes: [UInt8], _ number: Int, clock: Int64) {
    guard let order = LineOrder(decoding: bytes) else {
      return refuse(number, .messageMalformed, "no message about a line looks like this")
    }
    let isClaim = if case .claim = order { true } else { false }
    guard isClaim != lines.hasClaim(number) else {
      return refuse(
        number, .messageUnexpected,
        isClaim ? "this connection has a line already" : "this connection has no line yet")
    }
    lines.take(order, from: number, clock: clock, into: &replies)
    sendReplies()
  }

  private mutating func takeControlOrder(_ bytes: [UInt8], _ number: Int, clock: Int64) {
    guard let order = ControlOrder(decoding: bytes) else {
      return refuse(number, .messageMalformed, "no order looks like this")
    }
    let answer =
      changeBus(order, clock: clock) ?? lines.take(order, clock: clock, into: &replies)
    // Who pressed a button is told after those who see it pressed.
    sendReplies()
    send(answer.encoded(), to: number)
  }

  /// What an order does to the bus; nil when it is not about it.
  private mutating func changeBus(_ order: ControlOrder, clock: Int64) -> ControlAnswer? {
    switch order {
    case .chip(let address, let change):
      guard bus != nil else { return .failed("this board has no I2C bus") }
      if let reason = bus?.change(change, of: address, clock: clock) { return .failed(reason) }
      return .done
    case .bus(let change):
      guard bus != nil else { return .failed("this board has no I2C bus") }
      bus?.change(change)
      return .done
    case .press, .drive, .look, .steal, .stick, .plugLines, .parts: return nil
    }
  }

  private mutating func takeBusOrder(_ bytes: [UInt8], _ number: Int, clock: Int64) {
    guard let order = BusOrder(decoding: bytes) else {
      return refuse(number, .messageMalformed, "no transfer looks like this")
    }
    let ticket = order.ticket
    let readCount = order.transfer.readCounts.reduce(0, +)
    guard readCount <= BusAnswer.bytesMax else {
      return refuse(number, .messageMalformed, "an answer has no room for \(readCount) bytes")
    }
    let answer: BusAnswer =
      switch bus?.carryOut(order.transfer, clock: clock) {
      case .answers(let answers): .bytes(ticket: ticket, Array(answers.joined()))
      case .failure(let errno): .failed(ticket: ticket, errno: errno)
      // A kernel's adapter would have given up by now.
      case nil: .failed(ticket: ticket, errno: SimulatedI2CBus.timedOut)
      }
    send(answer.encoded(), to: number)
    timePassed(clock: clock)
  }

  // MARK: The bus beside the socket

  /// Whether `timePassed` has to be called although nothing happens.
  public var needsClock: Bool { bus?.hasWires == true }

  /// Lets the chips make their samples and move the lines that their interrupt outputs are wired to.
  public mutating func timePassed(clock: Int64) {
    for change in bus?.advance(clock: clock) ?? [] {
      _ = lines.take(
        .drive(line: change.line, change.drive), clock: clock, into: &replies)
    }
    sendReplies()
  }

  // MARK: Sending

  private mutating func sendReplies() {
    for reply in replies {
      switch reply.answer {
      case .granted, .value, .failed, .edge: send(reply.answer.encoded(), to: reply.connection)
      case .refused, .gone: end(reply.answer.encoded(), reply.connection)
      }
    }
    replies.removeAll()
  }

  private mutating func refuse(
    _ number: Int, _ reason: VirtualGreeting.RefusalKind, _ text: String
  ) {
    end(VirtualGreeting.refused(.init(reason, text)).encoded(), number)
  }

  private mutating func send(_ bytes: [UInt8], to number: Int) {
    output.append(Packet(connection: number, bytes: bytes, isLast: false))
  }

  private mutating func end(_ bytes: [UInt8], _ number: Int) {
    guard let index = connections.firstIndex(where: { $0.number == number }) else { return }
    connections[index].state = .ended
    output.append(Packet(connection: number, bytes: bytes, isLast: true))
  }
}
