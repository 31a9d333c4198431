import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// The daemon's end of the socket: sends the messages of a test to a command that runs as a child.
final class ScriptedDaemon {
  let directory: TemporaryDirectory
  private let listener: LocalListener
  private var client: LocalSocket?
  private var buffer = [UInt8](repeating: 0, count: WireLimits.requestSizeMax)

  init() throws {
    directory = try TemporaryDirectory()
    listener = try LocalListener(
      path: RuntimeDirectory.socketPath(in: directory.path), mode: 0o600)
  }

  var socketPath: String { RuntimeDirectory.socketPath(in: directory.path) }

  /// Starts `binnacle` with this daemon's directory.
  func start(_ words: [String]) throws -> ChildProcess {
    try ChildProcess(
      Programs.path("binnacle"), words + ["--runtime", directory.path], output: .pipe,
      errorOutput: .pipe)
  }

  /// Takes the next connection, and welcomes it.
  func welcome(version: UInt16 = 1) throws {
    _ = try greeting()
    try say(.welcome(version: version, daemon: "scripted"))
  }

  /// Takes connections that have been closed, then the first one that greets, and welcomes it.
  func welcomeBehindClosedConnections() throws {
    let deadline = Clock.now + .seconds(60)
    while Clock.now < deadline {
      try wait(for: listener.descriptor)
      client = try listener.accept()
      if case .hello = try hear() {
        return try say(.welcome(version: WireLimits.versionMax, daemon: "scripted"))
      }
    }
    Issue.record("no connection greets")
  }

  /// Takes the next connection; returns its greeting.
  func greeting() throws -> ClientMessage.Hello {
    try wait(for: listener.descriptor)
    client = try listener.accept()
    var greeting: ClientMessage.Hello?
    if case .hello(let hello) = try hear() { greeting = hello }
    return try #require(greeting, "the command does not greet")
  }

  /// Greets the command, which then asks for the status.
  ///
  /// - Returns: the number of the request.
  func statusRequest() throws -> UInt32 {
    try welcome()
    var number: UInt32?
    if case .request(let request, .status) = try hear() { number = request }
    return try #require(number, "the daemon is not asked for its status")
  }

  /// Greets the command that has come back, and sends it an update without a fix.
  func welcomeAgainWithUpdate() throws {
    try welcome()
    var opened: SequenceID?
    if case .openUpdates(let sequence, .default) = try hear() { opened = sequence }
    let sequence = try #require(opened, "the sequence is not opened again")
    try say(.update(sequence, Update(fix: nil)))
  }

  func hear() throws -> ClientMessage? {
    let socket = try #require(client)
    try wait(for: socket.descriptor)
    guard case .packet(let count) = try socket.receive(into: &buffer) else { return nil }
    return try ClientMessage(decoding: Array(buffer[..<count]))
  }

  func say(_ message: ServerMessage) throws { try say(message.encoded()) }

  func say(_ packet: [UInt8]) throws {
    // A command that has ended takes nothing more; its status says so.
    _ = try? client?.send(packet)
  }

  /// Sends a message until the socket is full; returns the number of sent messages.
  func flood(_ message: ServerMessage) -> Int {
    let packet = message.encoded()
    var count = 0
    while let client, (try? client.send(packet)) == true { count += 1 }
    return count
  }

  func hangUp() { client = nil }

  private func wait(for descriptor: Int32) throws {
    var poll = Poll()
    poll.set(descriptor, .reading)
    try poll.wait(until: Clock.now + .seconds(60))
  }
}

extension ChildProcess {
  /// Waits for the end; returns the status, the standard output and the standard error.
  func finish() throws -> (status: Ending?, output: String, complaint: String) {
    let ending = try wait(limit: .seconds(60))
    var output: [UInt8] = []
    var complaint: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while let count = try readOutput(into: &chunk), count > 0 { output += chunk[..<count] }
    while let count = try readErrors(into: &chunk), count > 0 { complaint += chunk[..<count] }
    return (
      ending, String(decoding: output, as: UTF8.self), String(decoding: complaint, as: UTF8.self)
    )
  }
}
