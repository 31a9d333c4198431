import BinnacleBasics
import BinnaclePosix
import VirtualWire

/// A connection to a virtual board's `control` interface; each order has one answer.
final class BoardConnection {
  private let socket: LocalSocket
  private var isGreeted = false
  private var poll = Poll()
  private var buffer = [UInt8](repeating: 0, count: VirtualLimits.messageSizeMax)

  /// The time-out of the board's answer.
  private static let answerTimeMax = Interval.seconds(2)

  init(path: String) throws(SystemError) {
    Signals.ignoreBrokenPipes()
    socket = try LocalSocket(connectingTo: path)
    poll.set(socket.descriptor, .reading)
  }

  /// Sends an order; nil if the board does not answer, or if the answer is invalid.
  func ask(_ order: ControlOrder) throws -> ControlAnswer? {
    if !isGreeted {
      guard try send(VirtualHello(.control).encoded()), let greeting = try receive() else {
        return nil
      }
      switch VirtualGreeting(decoding: greeting) {
      case .welcome: isGreeted = true
      case .refused(let refusal): return .failed("the board refuses: \(refusal.text)")
      case nil: return nil
      }
    }
    guard try send(order.encoded()), let answer = try receive() else { return nil }
    return ControlAnswer(decoding: answer)
  }

  private func send(_ bytes: [UInt8]) throws -> Bool { (try? socket.send(bytes)) ?? false }

  private func receive() throws -> [UInt8]? {
    let end = Clock.now + BoardConnection.answerTimeMax
    while true {
      switch try? socket.receive(into: &buffer) {
      case .packet(let count): return Array(buffer[..<count])
      case .nothing:
        if Clock.now >= end { return nil }
        try poll.wait(until: end)
      case .tooLong, .ended, nil: return nil
      }
    }
  }
}
