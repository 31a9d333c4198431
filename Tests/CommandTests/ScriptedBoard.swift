import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing
import VirtualWire

/// A virtual board's end of the socket with one line, saying what a test wants it to say.
final class ScriptedBoard {
  private let listener: LocalListener
  private var client: LocalSocket?
  private var buffer = [UInt8](repeating: 0, count: VirtualLimits.messageSizeMax)

  init(path: String) throws {
    listener = try LocalListener(path: path, mode: 0o600)
  }

  /// Takes the next connection, welcomes it and grants its claim, the line dark.
  func welcome() throws -> LineClaim? {
    _ = try eventually {
      client = try listener.accept()
      return client != nil
    }
    guard try packet() == VirtualHello(.lines).encoded() else { return nil }
    try send(VirtualGreeting.welcome(version: VirtualLimits.version, board: "scripted").encoded())
    guard case .claim(let claim) = try hear() else { return nil }
    try say(.granted(isActive: false, isDebounced: false))
    return claim
  }

  func hear() throws -> LineOrder? { LineOrder(decoding: try packet()) }

  func say(_ answer: LineAnswer) throws { try send(answer.encoded()) }

  private func send(_ bytes: [UInt8]) throws { _ = try client?.send(bytes) }

  /// The next message; empty when the other end has hung up.
  private func packet() throws -> [UInt8] {
    let socket = try #require(client)
    var packet: [UInt8] = []
    _ = try eventually {
      switch try socket.receive(into: &buffer) {
      case .packet(let count): packet = Array(buffer[..<count])
      case .nothing: return false
      case .ended, .tooLong: break
      }
      return true
    }
    return packet
  }
}
