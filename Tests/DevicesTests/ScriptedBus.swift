import Basics
import Glibc
import I2C
import Posix
import Synchronization
import TestSupport

@testable import Devices

/// A virtual board's bus whose answers a test chooses: a thread with a socket.
final class ScriptedBus: Sendable {
  typealias Reply = @Sendable (I2CTransfer) -> I2CMessage.Answer.Result?

  private struct Inside {
    var transfers: [I2CTransfer] = []
    var isEnding = false
    var isHangingUp = false
  }

  let path: String
  private let inside = Mutex(Inside())
  private let reply: Reply
  private let greeting: [UInt8]

  /// A reply of nil is none at all: the bus is stuck.
  init(
    in directory: String, greeting: [UInt8] = I2CSocket.greeting, reply: @escaping Reply
  ) throws {
    path = directory + "/board"
    self.reply = reply
    self.greeting = greeting
    let started = try Bell()
    try WorkThread.start(name: "scripted bus") { [self] in
      guard let listener = try? LocalListener(path: path, mode: 0o600) else { return }
      started.ring()
      serve(listener)
    }
    var poll = Poll()
    poll.set(started.descriptor, .reading)
    try poll.wait(until: Clock.now + .seconds(10))
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
    var buffer = [UInt8](repeating: 0, count: I2CMessage.sizeMax)
    guard case .packet(let count)? = try? connection.receive(into: &buffer) else { return false }
    let bytes = Array(buffer[..<count])
    guard let request = I2CMessage.Request(decoding: bytes) else {
      return (try? connection.send(greeting)) ?? false
    }
    inside.withLock { $0.transfers.append(request.transfer) }
    guard let result = reply(request.transfer) else { return true }
    let answer = I2CMessage.Answer(number: request.number, result: result)
    return (try? connection.send(answer.encoded())) ?? false
  }
}
