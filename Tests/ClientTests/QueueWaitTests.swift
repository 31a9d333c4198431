import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing

@testable import BinnacleClient

/// A client waits for room in a full queue of connections, and reports no absence of the daemon.
@Suite struct QueueWaitTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private func client() -> DaemonClient {
    let path = directory("s")
    return DaemonClient(program: "test") { path }
  }

  @Test func aFullQueueIsTriedAgainForFiveSeconds() {
    var wait = QueueWait()
    #expect(wait.nextAttempt == nil)
    let isFirstTried = wait.queueWasFull(at: at(1_000))
    #expect(isFirstTried && wait.nextAttempt == at(1_001))
    let isLastTried = wait.queueWasFull(at: at(5_999))
    #expect(isLastTried && wait.nextAttempt == at(6_000))
    let isLateTried = wait.queueWasFull(at: at(6_000))
    #expect(!isLateTried && wait.nextAttempt == nil)
    // A later wait has five seconds of its own.
    let isNextTried = wait.queueWasFull(at: at(9_000))
    #expect(isNextTried && wait.nextAttempt == at(9_001))
  }

  @Test func aClientConnectsWhenAFullQueueHasRoomAgain() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    try ConnectionQueue.fill(at: directory("s"))
    var client = client()
    client.start(at: at(0))
    #expect(client.takeEvents() == [])
    #expect(client.descriptor == nil && client.waitsForRoom)
    let due = try #require(client.nextDeadline(at: at(0)))
    #expect(due == at(1))
    #expect(try listener.accept() != nil)
    client.deadlineReached(at: due)
    #expect(client.takeEvents() == [])
    #expect(client.descriptor != nil && !client.waitsForRoom)
    #expect(try listener.accept() != nil)
  }

  @Test func aQueueThatStaysFullIsReportedInASentenceAndTriedAgainLater() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    try ConnectionQueue.fill(at: directory("s"))
    var client = client()
    client.start(at: at(0))
    client.deadlineReached(at: at(5_000))
    var failures: [SystemError] = []
    for case .connectFailed(let error) in client.takeEvents() { failures.append(error) }
    #expect(failures.map(\.isQueueFull) == [true])
    #expect(
      failures.map(\.absence) == [
        "\(directory("s")): the daemon's queue of connections was full for 5 s, because programs "
          + "connect faster than the daemon accepts; the daemon's log names ordinary users that "
          + "connect too often"
      ])
    #expect(!client.waitsForRoom)
    let due = try #require(client.nextDeadline(at: at(5_000)))
    #expect(try listener.accept() != nil)
    client.deadlineReached(at: due)
    #expect(client.takeEvents() == [])
    #expect(client.descriptor != nil)
  }

  @Test func aResetEndsTheWait() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    try ConnectionQueue.fill(at: directory("s"))
    var client = client()
    client.start(at: at(0))
    client.reset()
    #expect(!client.waitsForRoom && client.nextDeadline(at: at(0)) == nil)
    #expect(try listener.accept() != nil)
  }
}
