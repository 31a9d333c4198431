import I2C
import VirtualWire

/// The state machine behind a `sim:PATH` socket: a board without hardware.
///
/// `Docs/SPEC-virtual.md` describes the messages of the socket. The owner of the socket reports connections and packets
/// to the board, and sends the packets of `takeOutput`.
public struct VirtualBoard: Sendable {
  /// A packet for a connection.
  public struct Packet: Equatable, Sendable {
    public let connection: Int
    public let bytes: [UInt8]
    /// Whether the board hangs up after the packet.
    public let isLast: Bool
  }

  /// The maximum number of connections; the board refuses further ones.
  public static let connectionsMax = 64

  private let name: String
  private var lines: VirtualLines
  /// The I2C bus; nil: the board has none.
  private var bus: VirtualBus?
  private var connections: [Connection] = []
  private var output: [Packet] = []
  private var replies: [VirtualLines.Reply] = []
  private var partStates: [VirtualLines.PartState]
  private var changes: [PartChange] = []

  /// A change of a lamp or a button.
  public struct PartChange: Equatable, Sendable {
    public let state: VirtualLines.PartState
    /// The time of `CLOCK_MONOTONIC`.
    public let nanoseconds: Int64
  }

  private struct Connection: Equatable, Sendable {
    let number: Int
    var state = State.greeting

    enum State: Equatable, Sendable {
      /// The hello has not arrived.
      case greeting
      case open(VirtualFace)
      /// The last message is on its way, and the board ignores further messages.
      case ended
    }
  }

  /// - Parameters:
  ///   - name: the board's name.
  ///   - lines: the board's GPIO chip.
  ///   - bus: the board's I2C bus; nil: the board has none.
  public init(name: String, lines: VirtualLines, bus: VirtualBus? = nil) {
    self.name = name
    self.lines = lines
    self.bus = bus
    partStates = lines.partStates
  }

  // MARK: Events of the socket

  /// Notes a new connection; numbers are never used again.
  public mutating func connected(_ number: Int) {
    connections.append(Connection(number: number))
    guard connections.count > VirtualBoard.connectionsMax else { return }
    refuse(number, .connectionsTooMany, "\(VirtualBoard.connectionsMax) are connected already")
  }

  /// Takes a packet; `clock` is the time of `CLOCK_MONOTONIC` in nanoseconds.
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

  /// Takes a packet that is longer than any message.
  public mutating func overlongPacketArrived(count: Int, from number: Int) {
    refuse(number, .messageMalformed, "a message of \(count) bytes is too long")
  }

  /// Notes the end of a connection.
  public mutating func disconnected(_ number: Int, clock: Int64) {
    connections.removeAll { $0.number == number }
    lines.released(by: number, clock: clock, into: &replies)
    noteChanges(clock: clock)
    sendReplies()
  }

  /// Takes the changes of lamps and buttons, in order.
  public mutating func takeChanges() -> [PartChange] {
    defer { changes.removeAll() }
    return changes
  }

  private mutating func noteChanges(clock: Int64) {
    let states = lines.partStates
    for (old, new) in zip(partStates, states) where old != new {
      changes.append(PartChange(state: new, nanoseconds: clock))
    }
    partStates = states
  }

  /// Takes the packets to send, in order.
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
    noteChanges(clock: clock)
    sendReplies()
  }

  private mutating func takeControlOrder(_ bytes: [UInt8], _ number: Int, clock: Int64) {
    guard let order = ControlOrder(decoding: bytes) else {
      return refuse(number, .messageMalformed, "no order looks like this")
    }
    let answer =
      changeBus(order, clock: clock) ?? lines.take(order, clock: clock, into: &replies)
    noteChanges(clock: clock)
    // The clients that watch the button get the edge before the sender of the order gets its answer.
    sendReplies()
    send(answer.encoded(), to: number)
  }

  /// Carries out an order for the bus; nil when the order is not for the bus.
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
    case .press, .drive, .read, .steal, .stick, .plugLines, .parts: return nil
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
      // A kernel's adapter would have timed out.
      case nil: .failed(ticket: ticket, errno: SimulatedI2CBus.timedOut)
      }
    send(answer.encoded(), to: number)
    timePassed(clock: clock)
  }

  // MARK: Time of the bus

  /// Whether the owner has to call `timePassed` even without events.
  public var needsClock: Bool { bus?.hasWires == true }

  /// Makes the chips' samples, and drives the lines that are wired to their interrupt outputs.
  public mutating func timePassed(clock: Int64) {
    let drives = bus?.advance(clock: clock) ?? []
    for drive in drives {
      _ = lines.take(.drive(line: drive.line, drive.drive), clock: clock, into: &replies)
    }
    if !drives.isEmpty { noteChanges(clock: clock) }
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
