import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Synchronization
import TestSupport
import Testing

/// A client that says what a test wants it to say, right or wrong.
final class RawClient {
  private(set) var socket: LocalSocket
  private var lastRequest: UInt32 = 0
  private var buffer = [UInt8](repeating: 0, count: WireLimits.packetSizeMax)

  enum Heard: Equatable {
    case message(ServerMessage)
    case ended
    case nothing
  }

  init(_ socketPath: String) throws {
    socket = try LocalSocket(connectingTo: socketPath)
  }

  /// Closes the connection.
  func hangUp() throws { socket = try LocalSocket.pair().0 }

  func say(_ message: ClientMessage) throws { try say(message.encoded()) }

  func say(_ bytes: [UInt8]) throws {
    _ = try socket.send(bytes)
  }

  /// Greets as an operator's tool, of a program that knows the versions of the protocol up to this one.
  func greet(version: UInt16 = 8) throws {
    try say(
      .hello(.init(versionMin: 7, versionMax: version, program: "test", role: .operator)))
    guard case .message(.welcome(version: version, _)) = try hear() else {
      Issue.record("no welcome")
      return
    }
  }

  /// The next message, waited for.
  func hear(within limit: Interval = .seconds(60)) throws -> Heard {
    var poll = Poll()
    poll.set(socket.descriptor, .reading)
    let deadline = Clock.now + limit
    while Clock.now < deadline {
      try poll.wait(until: deadline)
      let received: LocalSocket.Received
      do throws(Errno) {
        received = try socket.receive(into: &buffer)
      } catch {
        return .ended
      }
      switch received {
      case .packet(let count):
        return .message(try ServerMessage(decoding: Array(buffer[..<count])))
      case .tooLong, .nothing: continue
      case .ended: return .ended
      }
    }
    return .nothing
  }

  /// The first message that is wanted; others are passed over.
  func hear(
    within limit: Interval = .seconds(60), where isWanted: (ServerMessage) -> Bool
  ) throws -> ServerMessage? {
    let deadline = Clock.now + limit
    while Clock.now < deadline {
      guard case .message(let message) = try hear(within: deadline - Clock.now) else { return nil }
      if isWanted(message) { return message }
    }
    return nil
  }

  /// Why the daemon hung up, after it did.
  func reasonOfEnd(within limit: Interval = .seconds(60)) throws -> ServerMessage.RefusalKind? {
    guard case .message(.refused(let refusal, isFinal: true)) = try hear(within: limit) else {
      return nil
    }
    #expect(try hear() == .ended)
    return refusal.kind
  }

  /// How often the daemon's loop turns in a second while this client only looks on.
  ///
  /// The two requests for the count cause a few turns themselves.
  func turnsPerSecond(for time: Interval) throws -> Double {
    let before = try turns()
    let start = Clock.now
    _ = try eventually(within: time) { false }
    let after = try turns()
    return Double(after - before) / (Double((Clock.now - start).nanoseconds) / 1e9)
  }

  private func turns() throws -> Int64 {
    guard case .integer(let turns) = try status()?["daemon.turns"] else { throw NoTurns() }
    return turns
  }

  /// The daemon does not say how often its loop turned.
  private struct NoTurns: Error {}

  /// A report that no test has seen before: it was made after the call, or after the call before.
  ///
  /// The daemon may answer all requests of a tenth of a second, or of a second, with one report.
  func status() throws -> Report? {
    var fresh: Report?
    _ = try eventually(within: .seconds(20)) {
      guard let report = try self.report() else { return true }
      guard RawClient.isNew(report) else { return false }
      fresh = report
      return true
    }
    return fresh
  }

  /// When the last report of each daemon was made, by the daemon's process and its uptime.
  private static let seen = Mutex<[Int64: Double]>([:])

  private static func isNew(_ report: Report) -> Bool {
    guard case .integer(let process) = report["daemon.process_id"],
      case .number(let uptime) = report["daemon.uptime_s"]
    else { return true }
    return seen.withLock { seen in
      defer { seen[process] = uptime }
      return seen[process] != uptime
    }
  }

  /// The report that the daemon answers with.
  func report() throws -> Report? {
    lastRequest += 1
    try say(.request(lastRequest, .status))
    guard
      case .status(_, let report) = try hear(where: {
        if case .status = $0 { true } else { false }
      })
    else { return nil }
    return report
  }
}
