import BinnacleBasics
import BinnaclePosix
import VirtualWire

/// `binnacle-sim tell`: a person's actions on the chips and the bus of a virtual board.
struct TellCommand {
  private let path: String
  private let order: ControlOrder

  init(_ arguments: Arguments) throws {
    let words = arguments.positionals
    guard words.count >= 3, let order = TellCommand.order(Array(words.dropFirst())) else {
      throw Arguments.UsageError(
        "tell needs PATH and ORDER; 'binnacle-sim tell --help' lists the orders")
    }
    path = words[0]
    self.order = order
  }

  func run() throws {
    let socket = try LocalSocket(connectingTo: path)
    guard
      case .welcome? = VirtualGreeting(decoding: try ask(VirtualHello(.control).encoded(), socket))
    else { throw SystemError(.connectionRefused, description: "\(path): this is no virtual board") }
    switch ControlAnswer(decoding: try ask(order.encoded(), socket)) {
    case .done: return
    case .failed(let text): throw SystemError(.invalidArgument, description: text)
    case .line, .parts, nil:
      throw SystemError(.inputOutput, description: "\(path): it answers something else")
    }
  }

  private func ask(_ message: [UInt8], _ socket: LocalSocket) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: VirtualLimits.messageSizeMax)
    var poll = Poll()
    poll.set(socket.descriptor, .reading)
    let deadline = Clock.now + .seconds(2)
    _ = try socket.send(message)
    while true {
      switch try socket.receive(into: &buffer) {
      case .packet(let count): return Array(buffer[..<count])
      case .nothing:
        guard try poll.wait(until: deadline) > 0 else { throw SystemError(.timedOut, path) }
      case .tooLong, .ended: throw SystemError(.connectionReset, path)
      }
    }
  }

  // MARK: Words

  private static func order(_ words: [String]) -> ControlOrder? {
    switch words[0] {
    case "bus": busChange(Array(words.dropFirst())).map { .bus($0) }
    default:
      BusInstruction.byte(words[0]).flatMap { address in
        chipChange(Array(words.dropFirst())).map { .chip(address: address, $0) }
      }
    }
  }

  private static func chipChange(_ words: [String]) -> ControlOrder.ChipChange? {
    switch (words.first, words.count) {
    case ("plug", 1): return .plug(true)
    case ("unplug", 1): return .plug(false)
    case ("die", 1): return .kill(true)
    case ("live", 1): return .kill(false)
    case ("thaw", 1): return .freeze(axis: nil)
    case ("freeze", 2):
      return ["x", "y", "z"].firstIndex(of: words[1]).map { .freeze(axis: UInt8($0)) }
    case ("honest", 1): return .pretend(identity: nil)
    case ("pretend", 2): return BusInstruction.byte(words[1]).map { .pretend(identity: $0) }
    case ("accelerate", 4):
      let axes = words.dropFirst().compactMap { Double($0) }
      guard axes.count == 3, axes.allSatisfy({ abs($0) <= 100 }) else { return nil }
      let millionths = axes.map { Int32($0 * 1_000_000) }
      return .accelerate(x: millionths[0], y: millionths[1], z: millionths[2])
    default: return nil
    }
  }

  private static func busChange(_ words: [String]) -> ControlOrder.BusChange? {
    switch (words.first, words.count) {
    case ("stuck", 1): return .stick(true)
    case ("free", 1): return .stick(false)
    case ("one-read", 1): return .refuseJoinedReads(true)
    case ("any-reads", 1): return .refuseJoinedReads(false)
    case ("glitch", 2):
      guard let rate = UInt32(words[1]), rate <= 1_000_000 else { return nil }
      return .glitch(perMillion: rate)
    case ("fail", 3), ("fail", 4):
      guard let count = UInt16(words[1]), let errno = UInt16(words[2]), errno > 0 else {
        return nil
      }
      if words.count == 3 { return .fail(count: count, errno: errno, address: nil) }
      return BusInstruction.byte(words[3]).map {
        .fail(count: count, errno: errno, address: $0)
      }
    default: return nil
    }
  }
}
