import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing
import VirtualWire

/// An eye on the lines of a virtual board.
final class BoardEye {
  struct Level: Equatable {
    var isHigh: Bool
    var consumer: String
  }

  /// The board did not tell a line's level.
  struct NoLevel: Error {
    let line: String
  }

  private let socket: LocalSocket
  private var buffer = [UInt8](repeating: 0, count: VirtualLimits.messageSizeMax)

  init(_ path: String) throws {
    socket = try LocalSocket(connectingTo: path)
    _ = try socket.send(VirtualHello(.control).encoded())
    _ = try hear()
  }

  func level(of line: String) throws -> Level {
    _ = try socket.send(ControlOrder.read(line: line).encoded())
    guard case .line(let state) = ControlAnswer(decoding: try hear()) else {
      throw NoLevel(line: line)
    }
    return Level(isHigh: state.isHigh, consumer: state.consumer)
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
