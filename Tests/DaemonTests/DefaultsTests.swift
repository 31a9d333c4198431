import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// Defaults of apps, through the daemon's socket and over the death of the daemon.
struct DefaultsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func start() throws -> RunningDaemon {
    try RunningDaemon(receiver: "/dev/binnacle-none", directory: directory)
  }

  /// A client that has opened what this program keeps, and what that is.
  private func open(_ daemon: RunningDaemon) throws -> (RawClient, [DefaultsEntry]) {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    try client.say(.request(1, .openDefaults))
    var all: [DefaultsEntry] = []
    _ = try client.hear { message in
      guard case .defaults(request: 1, let isLast, let entries) = message else { return false }
      all += entries
      return isLast
    }
    return (client, all)
  }

  /// The result of a change, as text; nil if the change is stored.
  private func set(
    _ entries: [DefaultsEntry], request: UInt32, by client: RawClient
  ) throws -> ServerMessage.Refusal? {
    try client.say(.request(request, .setDefaults(isLast: true, entries)))
    return try settled(request, client)
  }

  private func settled(_ request: UInt32, _ client: RawClient) throws -> ServerMessage.Refusal? {
    let answer = try client.hear { message in
      if case .defaultsSettled(request, _) = message { true } else { false }
    }
    guard case .defaultsSettled(_, let refusal) = answer else {
      Issue.record("request \(request) is not answered")
      return nil
    }
    return refusal
  }

  @Test func acknowledgedDefaultsSurviveAKilledDaemon() throws {
    for round in UInt32(1)...3 {
      let daemon = try start()
      let (client, all) = try open(daemon)
      #expect(all.count == Int(round) - 1)
      #expect(all.allSatisfy { $0.value == .integer(7) })
      #expect(try set([DefaultsEntry("\(round)", .integer(7))], request: 2, by: client) == nil)
      daemon.process.kill()
      _ = try daemon.process.wait(limit: .seconds(60))
    }
  }

  @Test func anotherProgramOfTheAppIsReported() throws {
    let daemon = try start()
    let (client, _) = try open(daemon)
    let (other, _) = try open(daemon)
    let entries = [DefaultsEntry("on", .flag(true))]
    #expect(try set(entries, request: 2, by: client) == nil)
    let news = try other.hear { message in
      if case .defaultsChanged = message { true } else { false }
    }
    #expect(news == .defaultsChanged(entries))
  }

  @Test func tooMuchIsRefusedAndTheClientStays() throws {
    let daemon = try start()
    let (client, _) = try open(daemon)
    let large = DefaultsValue.data(
      [UInt8](repeating: 1, count: DefaultsLimits.valueSizeMax))
    #expect(
      try set([DefaultsEntry("large", large)], request: 2, by: client)?.kind == .limitReached)
    // Keys without end, in as many pieces as a second takes.
    for request in UInt32(3)..<43 {
      let keys = (0..<300).map { DefaultsEntry("\(request) \($0)", nil) }
      let packet = ClientMessage.request(request, .setDefaults(isLast: false, keys)).encoded()
      #expect(try eventually { try client.socket.send(packet) })
    }
    #expect(try set([], request: 43, by: client)?.kind == .limitReached)
    #expect(try set([DefaultsEntry("on", .flag(true))], request: 44, by: client) == nil)
    #expect(try client.status()?["defaults.values"] == .integer(1))
    #expect(try client.status()?["defaults.refused"] == .integer(2))
  }

  /// As an older release's client would be that has never heard of them.
  @Test func aClientOfTheFirstVersionGetsNoDefaults() throws {
    let daemon = try start()
    let client = try RawClient(daemon.socketPath)
    try client.say(.hello(.init(versionMin: 1, versionMax: 1, program: "old")))
    guard case .message(.welcome(version: 1, _)) = try client.hear() else {
      Issue.record("no welcome")
      return
    }
    try client.say(.request(1, .openDefaults))
    #expect(try client.reasonOfEnd() == .messageUnexpected)
  }
}
