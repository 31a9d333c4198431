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
  public init(name: String, lines: VirtualLines) {
    self.name = name
    self.lines = lines
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
    case .open(.i2c), .ended: break
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
    let answer = lines.take(order, clock: clock, into: &replies)
    // Who pressed a button is told after those who see it pressed.
    sendReplies()
    send(answer.encoded(), to: number)
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
    _ number: Int, _ reason: VirtualGreeting.Refusal.Reason, _ text: String
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
