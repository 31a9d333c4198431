import BinnacleBasics
import BinnaclePosix
import Glibc
import I2C
import Synchronization
import TestSupport
import VirtualWire

@testable import Devices

/// A virtual board's bus whose answers a test chooses: a thread with a socket.
final class ScriptedBus: Sendable {
  /// The result of a transfer.
  enum Result: Sendable {
    case answers([[UInt8]])
    case failure(errno: UInt16)
  }

  typealias Reply = @Sendable (I2CTransfer) -> Result?

  private struct Inside {
    var transfers: [I2CTransfer] = []
    var isEnding = false
    var isHangingUp = false
  }

  let path: String
  private let inside = Mutex(Inside())
  private let reply: Reply
  private let greeting: VirtualGreeting

  /// A reply of nil is none at all: the bus is stuck.
  init(
    in directory: String, greeting: VirtualGreeting = .welcome(version: 1, board: "test"),
    reply: @escaping Reply
  ) throws {
    path = directory + "/board"
    self.reply = reply
    self.greeting = greeting
    let started = try EventFD()
    try WorkThread.start(name: "scripted bus") { [self] in
      guard let listener = try? LocalListener(path: path, mode: 0o600) else { return }
      started.signal()
      serve(listener)
    }
    var poll = Poll()
    poll.set(started.descriptor, .reading)
    try poll.wait(until: Clock.now + .seconds(60))
  }

  deinit { end() }

  func end() { inside.withLock { $0.isEnding = true } }
  func hangUp() { inside.withLock { $0.isHangingUp = true } }
  var transfers: [I2CTransfer] { inside.withLock { $0.transfers } }

  private func serve(_ listener: consuming LocalListener) {
    var connection: LocalSocket?
    while !inside.withLock({ $0.isEnding }) {
      var poll = Poll()
      poll.set(connection?.descriptor ?? listener.descriptor, .reading)
      let readyCount = (try? poll.wait(until: Clock.now + .milliseconds(5))) ?? 0
      let isHangingUp = inside.withLock { inside in
        defer { inside.isHangingUp = false }
        return inside.isHangingUp
      }
      if isHangingUp { connection = nil }
      if isHangingUp || readyCount == 0 { continue }
      if let open = connection {
        if !answer(open) { connection = nil }
      } else {
        connection = try? listener.accept()
      }
    }
  }

  private func answer(_ connection: LocalSocket) -> Bool {
    var buffer = [UInt8](repeating: 0, count: VirtualLimits.messageSizeMax)
    guard case .packet(let count)? = try? connection.receive(into: &buffer) else { return false }
    let bytes = Array(buffer[..<count])
    guard let order = BusOrder(decoding: bytes) else {
      return (try? connection.send(greeting.encoded())) ?? false
    }
    inside.withLock { $0.transfers.append(order.transfer) }
    guard let result = reply(order.transfer) else { return true }
    let answer =
      switch result {
      case .answers(let answers): BusAnswer.bytes(ticket: order.ticket, Array(answers.joined()))
      case .failure(let errno): BusAnswer.failed(ticket: order.ticket, errno: errno)
      }
    return (try? connection.send(answer.encoded())) ?? false
  }
}
