import BinnacleBasics
import BinnaclePosix
import TestSupport
import VirtualWire

/// Presses the buttons and reads the lamps of a virtual board.
final class BoardControl {
  private let socket: LocalSocket
  private var buffer = [UInt8](repeating: 0, count: 4_096)

  init(_ path: String) throws {
    socket = try LocalSocket(connectingTo: path)
    _ = try socket.send(VirtualHello(.control).encoded())
    _ = try hear()
  }

  @discardableResult
  func ask(_ order: ControlOrder) throws -> ControlAnswer? {
    _ = try socket.send(order.encoded())
    return ControlAnswer(decoding: try hear())
  }

  func level(_ line: String) throws -> ControlAnswer.LineState? {
    guard case .line(let state) = try ask(.read(line: line)) else { return nil }
    return state
  }

  private func hear() throws -> [UInt8] {
    var packet: [UInt8] = []
    _ = try eventually {
      guard case .packet(let count) = try socket.receive(into: &buffer) else { return false }
      packet = Array(buffer[..<count])
      return true
    }
    return packet
  }
}
