import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// The daemon drops a hostile client with a reason, and other clients are not disturbed.
struct HostileClientTests {
  private let daemon: RunningDaemon
  private let bystander: RawClient

  init() throws {
    daemon = try RunningDaemon(
      receiver: "/dev/binnacle-none", directory: TemporaryDirectory())
    bystander = try RawClient(daemon.socketPath)
    try bystander.greet()
  }

  private func bystanderIsServed() throws -> Bool {
    try bystander.status()?["daemon.version"] == .text(Release.version)
  }

  @Test func garbageIsReportedAndDropped() throws {
    for bytes: [UInt8] in [
      [0], [200, 1, 2, 3], [1, 0, 0, 0, 0], [2], Array("GET / HTTP/1.1".utf8),
    ] {
      let client = try RawClient(daemon.socketPath)
      try client.say(bytes)
      #expect(try client.reasonOfEnd() == .messageMalformed)
    }
    #expect(try bystanderIsServed())
    #expect(try bystander.status()?["connections.count"] == .integer(1))
    #expect(try bystander.status()?["connections.dropped"] == .integer(5))
  }

  @Test func anEmptyPacketIsReportedAndDropped() throws {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    try client.say([])
    #expect(try client.reasonOfEnd() == .messageMalformed)
  }

  @Test func aNumberThatComesTwiceIsReportedAndDropped() throws {
    for message in [
      ClientMessage.openUpdates(SequenceID(number: 3), .default), .request(3, .status),
    ] {
      let client = try RawClient(daemon.socketPath)
      try client.greet()
      try client.say(message)
      try client.say(message)
      var reason: ServerMessage.RefusalKind?
      _ = try client.hear { message in
        if case .refused(let refusal, isFinal: true) = message { reason = refusal.kind }
        return reason != nil
      }
      #expect(reason == .messageUnexpected)
      #expect(try client.hear() == .ended)
    }
    #expect(try bystanderIsServed())
  }

  @Test func aPacketOverFourKilobytesIsReportedAndDropped() throws {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    try client.say([UInt8](repeating: 4, count: 4_097))
    #expect(try client.reasonOfEnd() == .messageTooLong)
    let larger = try RawClient(daemon.socketPath)
    try larger.say([UInt8](repeating: 1, count: 100_000))
    #expect(try larger.reasonOfEnd() == .messageTooLong)
    #expect(try bystanderIsServed())
  }

  @Test func aClientWithoutAGreetingIsDroppedWithAReason() throws {
    let client = try RawClient(daemon.socketPath)
    #expect(try client.reasonOfEnd() == .messageUnexpected)
    #expect(try bystanderIsServed())
  }

  @Test func aFloodIsReportedAndDropped() throws {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    let message = ClientMessage.closeUpdates(SequenceID(number: 1)).encoded()
    // The socket holds only so many: what it does not take now is said later, until the daemon hangs up.
    var isDropped = false
    for _ in 0..<10_000 where !isDropped {
      switch try? client.socket.send(message) {
      case .some(true): continue
      case .some(false): _ = try eventually(within: .milliseconds(5)) { false }
      case .none: isDropped = true
      }
    }
    #expect(isDropped)
    #expect(try client.reasonOfEnd() == .messageUnexpected)
    #expect(try bystanderIsServed())
  }

  @Test func theOperatorsSixtyFifthClientIsRefusedWithAReason() throws {
    var clients: [RawClient] = []
    for _ in 1..<64 {
      let client = try RawClient(daemon.socketPath)
      try client.greet()
      clients.append(client)
    }
    let late = try RawClient(daemon.socketPath)
    // It may be refused, and hung up on, before it has greeted.
    try? late.say(.hello(.init(versionMin: 1, versionMax: 1, program: "late")))
    #expect(try late.reasonOfEnd() == .clientsTooMany)
    clients.removeLast()
    #expect(
      try eventually {
        try bystander.status()?["clients.count"] == .integer(63)
      })
    let again = try RawClient(daemon.socketPath)
    try again.greet()
  }

  @Test func aSocketThatIsRemovedIsMadeAgain() throws {
    try Files.remove(daemon.socketPath)
    #expect(try daemon.says("was removed; it is there again"))
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    #expect(try client.status()?["daemon.version"] == .text(Release.version))
    #expect(try bystanderIsServed())
  }

  @Test func aClientThatDoesNotReadItsAnswersIsDropped() throws {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    try client.socket.setSendBuffer(bytes: 1 << 20)
    var number: UInt32 = 0
    let isDropped = try eventually {
      for _ in 0..<100 {
        let request = ClientMessage.request(number + 1, .status).encoded()
        guard let isTaken = try? client.socket.send(request) else { return true }
        if !isTaken { break }
        number += 1
      }
      // Below the limit of messages per second, so that the unread answers end the connection.
      _ = try eventually(within: .milliseconds(500)) { false }
      return false
    }
    #expect(isDropped)
    let lastWord = try client.hear { message in
      if case .refused(_, isFinal: true) = message { true } else { false }
    }
    guard case .refused(let refusal, isFinal: true) = lastWord else {
      Issue.record("the refusal has no reason")
      return
    }
    #expect(refusal.kind == .tooSlow)
    #expect(try client.hear() == .ended)
    #expect(try bystanderIsServed())
    #expect(daemon.logText.contains("too many messages wait to be read"))
  }
}
