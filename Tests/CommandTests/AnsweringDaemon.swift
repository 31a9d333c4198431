import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// The daemon's end of the socket for any number of clients, with answers that a test decides.
///
/// It works while the test waits with `work()`.
final class AnsweringDaemon {
  private final class Client {
    let socket: LocalSocket
    /// The number of the request for open requests.
    var promptRequest: UInt32?
    /// The number of the request for further lines of the log.
    var logRequest: UInt32?

    init(_ socket: LocalSocket) { self.socket = socket }
  }

  private let listener: LocalListener
  private var clients: [Client] = []
  private var buffer = [UInt8](repeating: 0, count: WireLimits.requestSizeMax)
  /// The report, and the open requests.
  var report = Report()
  private(set) var prompts: [Report] = []
  var apps: [Report] = []
  var settings: [Report] = []
  var log: [Report] = []
  /// The satellites; nil: the receiver reports none.
  var sky: Sky?
  /// The rows of `why` for all apps.
  var reasons: [Report] = []
  /// Called before each report, for a board that changes.
  var beforeReport: (AnsweringDaemon) -> Void = { _ in }
  /// The number of reports that were sent.
  private(set) var reportCount = 0
  /// Whether no request is answered.
  var isSilent = false
  /// Whether operators are refused, as for a user without rights.
  var refusesOperators = false
  /// The roles that the clients have asked for, one for each connection.
  private(set) var roles: [ClientRole] = []
  /// The changes that clients have requested.
  private(set) var changes: [ClientRequest] = []
  /// Sent to each sequence at each turn; nil: no updates.
  var update: Update?
  private var sequences: [(client: Int, SequenceID)] = []

  init(in directory: String) throws {
    listener = try LocalListener(path: RuntimeDirectory.socketPath(in: directory), mode: 0o600)
  }

  /// Serves what has come.
  func work() throws {
    while let socket = try listener.accept() { clients.append(Client(socket)) }
    for (index, client) in clients.enumerated() {
      while case .packet(let count)? = try? client.socket.receive(into: &buffer) {
        try answer(try ClientMessage(decoding: Array(buffer[..<count])), index)
      }
    }
    guard let update else { return }
    for (index, sequence) in sequences {
      _ = try? clients[index].socket.send(ServerMessage.update(sequence, update).encoded())
    }
  }

  /// Changes the open requests, and informs the consoles.
  func setPrompts(_ rows: [Report]) throws {
    prompts = rows
    for client in clients {
      guard let number = client.promptRequest else { continue }
      _ = try? client.socket.send(
        ServerMessage.rows(request: number, isLast: true, rows).encoded())
    }
  }

  /// Sends a further line of the log to all clients that follow it.
  func addLog(_ row: Report) {
    log.append(row)
    for client in clients {
      guard let number = client.logRequest else { continue }
      _ = try? client.socket.send(
        ServerMessage.rows(request: number, isLast: false, [row]).encoded())
    }
  }

  /// Ends all connections.
  func hangUp() { clients.removeAll() }

  private func answer(_ message: ClientMessage, _ index: Int) throws {
    let client = clients[index]
    func say(_ message: ServerMessage) { _ = try? client.socket.send(message.encoded()) }
    switch message {
    case .hello(let hello):
      roles.append(hello.role)
      if refusesOperators, hello.role != .app {
        return say(.refused(.init(.notPermitted, "no operator"), isFinal: true))
      }
      say(.welcome(version: WireLimits.versionMax, daemon: "answering"))
    case .request(let number, .status):
      if refusesOperators {
        return say(.refused(.init(.notPermitted, "only root may do this"), isFinal: false))
      }
      if isSilent { return }
      beforeReport(self)
      reportCount += 1
      say(.status(request: number, report))
    case .request(let number, .sky):
      if let sky { return say(.sky(request: number, sky)) }
      say(.answered(request: number, .init(.unavailable, "no satellites are reported")))
    case .request(let number, .consent(.why)):
      for part in ServerMessage.rows(request: number, of: reasons) { say(part) }
    case .request(let number, .consent(.prompts)):
      for part in ServerMessage.rows(request: number, of: prompts) { say(part) }
    case .request(let number, .consent(.watchPrompts)):
      client.promptRequest = number
      say(.rows(request: number, isLast: true, prompts))
    case .request(let number, .settings):
      for part in ServerMessage.rows(request: number, of: settings) { say(part) }
    case .request(let number, .log(let level, let isFollowed)):
      if isFollowed { client.logRequest = number }
      let rows = log.filter { row in
        LogLevel(name: row[.rowPriority] ?? "").map { $0 <= level } ?? false
      }
      for part in ServerMessage.rows(request: number, of: rows) { say(part) }
    case .request(let number, .consent(.apps)):
      for part in ServerMessage.rows(request: number, of: apps) { say(part) }
    case .request(let number, let request) where request.isChange:
      changes.append(request)
      say(.answered(request: number, nil))
    case .openUpdates(let sequence, _): sequences.append((index, sequence))
    case _: break
    }
  }
}
