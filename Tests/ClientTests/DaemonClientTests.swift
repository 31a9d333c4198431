import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// The program's end of the socket against a listener that a test drives.
@Suite struct DaemonClientTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func client() -> DaemonClient {
    let path = directory("s")
    return DaemonClient(program: "test") { path }
  }

  /// A client that has begun to connect, and the sequence that it opens.
  private func clientWithUpdates() -> (client: DaemonClient, sequence: SequenceID) {
    var client = client()
    let (sequence, actions) = client.machine.openUpdates(.fitness, at: Clock.now)
    client.carryOut(actions, at: Clock.now)
    client.start(at: Clock.now)
    return (client, sequence)
  }

  /// Lets the client do what its descriptor is ready for.
  private func turn(_ client: inout DaemonClient) throws {
    guard let descriptor = client.descriptor else { return }
    var poll = Poll()
    poll.set(descriptor, client.wantsToWrite ? [.reading, .writing] : .reading)
    try poll.wait(until: Clock.now + .seconds(60))
    client.ready(poll.readiness(of: descriptor), at: Clock.now)
  }

  private func accept(_ listener: borrowing LocalListener) throws -> LocalSocket {
    var poll = Poll()
    poll.set(listener.descriptor, .reading)
    try poll.wait(until: Clock.now + .seconds(60))
    return try #require(try listener.accept())
  }

  private func hear(_ socket: LocalSocket) throws -> ClientMessage? {
    var buffer = [UInt8](repeating: 0, count: WireLimits.packetSizeMax)
    var poll = Poll()
    poll.set(socket.descriptor, .reading)
    try poll.wait(until: Clock.now + .seconds(60))
    guard case .packet(let count) = try socket.receive(into: &buffer) else { return nil }
    return try ClientMessage(decoding: Array(buffer[..<count]))
  }

  @Test func withoutADaemonTheFailureIsReportedAndTriedAgain() {
    var client = client()
    client.start(at: .zero)
    let events = client.takeEvents()
    #expect(events.count == 1)
    if case .connectFailed(let error) = events.first {
      #expect(error.errno == .noSuchFile)
    } else {
      Issue.record("\(events)")
    }
    let due = client.nextDeadline(at: .zero)
    #expect(due.map { $0 > .zero && $0 <= .zero + ClientMachine.backOffMax } == true)
    if let due { client.deadlineReached(at: due) }
    #expect(client.takeEvents().count == 1)
  }

  @Test func anUpdateReachesTheOwnerAndTheSequenceIsOpenedAgainAfterALoss() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    var (client, sequence) = clientWithUpdates()
    for _ in 0..<2 {
      let socket = try accept(listener)
      guard case .hello = try hear(socket) else {
        Issue.record("no greeting")
        return
      }
      _ = try socket.send(ServerMessage.welcome(version: 2, daemon: "test").encoded())
      try turn(&client)
      #expect(client.takeEvents() == [.message(.ready(version: 2))])
      #expect(try hear(socket) == .openUpdates(sequence, .fitness))
      let update = Update(fix: nil, flags: .locationUnavailable)
      _ = try socket.send(ServerMessage.update(sequence, update).encoded())
      try turn(&client)
      #expect(client.takeEvents() == [.message(.updates([sequence], update))])
      // The daemon says why it goes, and goes.
      let refusal = ServerMessage.Refusal(.stopping, "the daemon stops")
      _ = try socket.send(ServerMessage.refused(refusal, isFinal: true).encoded())
      try turn(&client)
      #expect(client.takeEvents() == [.message(.refused(refusal)), .hungUp])
      let due = try #require(client.nextDeadline(at: Clock.now))
      client.deadlineReached(at: due)
    }
  }

  @Test func ofTwoWaitingUpdatesTheOwnerGetsOneForEachTurn() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    var (client, sequence) = clientWithUpdates()
    let socket = try accept(listener)
    _ = try hear(socket)
    _ = try socket.send(ServerMessage.welcome(version: 2, daemon: "test").encoded())
    try turn(&client)
    _ = client.takeEvents()
    let updates = [Update.Flags.locationUnavailable, .authorizationDenied].map {
      Update(fix: nil, flags: $0)
    }
    for update in updates { _ = try socket.send(ServerMessage.update(sequence, update).encoded()) }
    for update in updates {
      try turn(&client)
      #expect(client.takeEvents() == [.message(.updates([sequence], update))])
    }
  }

  @Test func afterALostMessageTheClientReadsTheRestAndConnectsAgain() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    var (client, sequence) = clientWithUpdates()
    let socket = try accept(listener)
    _ = try hear(socket)
    _ = try socket.send(ServerMessage.welcome(version: 2, daemon: "test").encoded())
    try turn(&client)
    _ = client.takeEvents()
    let update = Update(fix: nil, flags: .locationUnavailable)
    _ = try socket.send(ServerMessage.update(sequence, update).encoded())
    // No send buffer has room for a packet of this size, so the system refuses it.
    client.send([UInt8](repeating: 0, count: 16 * 1_024 * 1_024), at: Clock.now)
    try turn(&client)
    #expect(client.takeEvents() == [.message(.updates([sequence], update))])
    try turn(&client)
    #expect(client.takeEvents() == [.hungUp])
    let due = try #require(client.nextDeadline(at: Clock.now))
    client.deadlineReached(at: due)
    let next = try accept(listener)
    guard case .hello = try hear(next) else {
      Issue.record("no greeting")
      return
    }
  }

  @Test func damageEndsTheConnection() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    var client = client()
    client.start(at: Clock.now)
    let socket = try accept(listener)
    _ = try hear(socket)
    _ = try socket.send([0xFF, 0xFF, 0xFF])
    try turn(&client)
    #expect(client.takeEvents() == [.hungUp])
    #expect(client.descriptor == nil)
  }

  @Test func aResetForgetsTheConnection() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    var client = client()
    client.start(at: Clock.now)
    _ = try accept(listener)
    client.reset()
    #expect(client.takeEvents() == [.hungUp])
    #expect(client.descriptor == nil && client.nextDeadline(at: Clock.now) == nil)
    client.start(at: Clock.now)
    #expect(client.descriptor != nil)
  }
}
