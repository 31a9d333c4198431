import BinnacleBasics
import BinnaclePosix
import Board
import Devices
import TestSupport
import VirtualWire

/// The board's end of a `sim:PATH` socket, said word by word by a test.
final class ScriptedBoard {
  let path: String
  private let listener: LocalListener
  private(set) var socket: LocalSocket?
  private let directory: TemporaryDirectory
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init() throws {
    directory = try TemporaryDirectory()
    path = directory("board.sock")
    listener = try LocalListener(path: path, mode: 0o600)
  }

  /// A line of this board on its way; the board has its connection.
  func claim(at now: Instant = Clock.now) throws -> (any Line)? {
    var claim = LineClaim(line: "GPIO5", consumer: "binnacle test", use: .edges)
    claim.isActiveLow = true
    let request = LineRequest(source: .simulated(path: path), claim: claim)
    var facts: [LineFact] = []
    let line = request.open(at: now, into: &facts)
    socket = try listener.accept()
    return line
  }

  func say(_ bytes: [UInt8]) throws {
    _ = try socket?.send(bytes)
  }

  func hear() throws -> [UInt8]? {
    guard case .packet(let count) = try socket?.receive(into: &buffer) else { return nil }
    return Array(buffer[..<count])
  }

  func hangUp() {
    socket = nil
  }
}

/// The answer of a line to the present state.
func facts(of line: any Line, at now: Instant = Clock.now) throws -> [LineFact] {
  var poll = Poll()
  poll.set(line.descriptor, .reading)
  try poll.wait(until: Clock.now + .seconds(60))
  return line.ready(poll.readiness(of: line.descriptor), at: now)
}
