import BinnacleBasics
import BinnaclePosix
import Glibc
import Synchronization
import TestSupport
import Testing

struct LocalSocketTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func packetsKeepTheirBoundaries() throws {
    let (left, right) = try LocalSocket.pair()
    #expect(try left.send([1, 2, 3]))
    #expect(try left.send([4]))
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(try right.receive(into: &buffer) == .packet(count: 3))
    #expect(buffer.prefix(3) == [1, 2, 3])
    #expect(try right.receive(into: &buffer) == .packet(count: 1))
    #expect(try right.receive(into: &buffer) == .nothing)
  }

  @Test func aPacketThatIsTooLongIsNoticed() throws {
    let (left, right) = try LocalSocket.pair()
    #expect(try left.send([UInt8](repeating: 7, count: 100)))
    #expect(try left.send([8]))
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(try right.receive(into: &buffer) == .tooLong(count: 100))
    #expect(try right.receive(into: &buffer) == .packet(count: 1))
    #expect(buffer[0] == 8)
  }

  @Test func aClosedPeerEndsTheStreamWithoutASignal() throws {
    var ends: (LocalSocket, LocalSocket)? = try LocalSocket.pair()
    let left = try #require(ends?.0)
    ends = nil
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(try left.receive(into: &buffer) == .ended)
    #expect(throws: Errno.brokenPipe) { try left.send([1]) }
  }

  @Test func aPeerThatDoesNotReadFillsTheBuffer() throws {
    let (left, right) = try LocalSocket.pair()
    try left.setSendBuffer(bytes: 4_096)
    var count = 0
    while try left.send([UInt8](repeating: 0, count: 256)), count < 1_000 { count += 1 }
    #expect((1..<100).contains(count))
    var buffer = [UInt8](repeating: 0, count: 256)
    for _ in 0...count { _ = try right.receive(into: &buffer) }
    #expect(try left.send([1]))
  }

  @Test func aListenerKnowsThePeersCredentials() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o666)
    #expect(try listener.accept() == nil)
    let client = try LocalSocket(connectingTo: directory("s"))
    let served = try #require(try listener.accept())
    let expected = LocalSocket.Peer(
      userID: Environment.userID, processID: Environment.processID)
    #expect(try served.peer == expected)
    #expect(try client.peer == expected)
    #expect(try Files.status(of: directory("s")).mode == 0o666)
  }

  @Test func theHolderOfTheLockIsNotReplaced() throws {
    let first = try LocalListener(path: directory("s"), mode: 0o600)
    #expect {
      _ = try LocalListener(path: directory("s"), mode: 0o600)
    } throws: { error in
      let error = error as? SystemError
      return error?.errno == .wouldBlock
        && error?.description
          == "\(directory("s")).lock: held by process \(Environment.processID)"
    }
    _ = try LocalSocket(connectingTo: directory("s"))
    #expect(try first.accept() != nil)
  }

  @Test func aSocketThatACrashLeftBehindIsReplaced() throws {
    let stale = try ChildProcess.run(
      "perl",
      [
        "-MSocket", "-e",
        "socket(S,AF_UNIX,SOCK_SEQPACKET,0); bind(S,pack_sockaddr_un($ARGV[0])) or die",
        directory("s"),
      ])
    #expect(stale.ending == .exited(0), "\(stale.errorText)")
    #expect(throws: SystemError.self) { try LocalSocket(connectingTo: directory("s")) }
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    _ = try LocalSocket(connectingTo: directory("s"))
    #expect(try listener.accept() != nil)
  }

  @Test func aClosedListenerRemovesItsSocket() throws {
    do {
      let listener = try LocalListener(path: directory("s"), mode: 0o600)
      #expect(Files.exists(directory("s")))
      _ = listener.descriptor
    }
    #expect(try Files.list(directory.path) == ["s.lock"])
    _ = try LocalListener(path: directory("s"), mode: 0o600)
  }

  @Test func aFileInTheSocketsPlaceIsNotRemoved() throws {
    try Files.writeAtomically([1], to: directory("s"))
    #expect(
      throws: SystemError(
        .fileExists, description: "\(directory("s")): there is a file that is not a socket")
    ) {
      _ = try LocalListener(path: directory("s"), mode: 0o600)
    }
    #expect(try Files.read(directory("s")) == [1])
  }

  @Test func aPathThatIsTooLongIsExplained() {
    let path = "/tmp/" + String(repeating: "a", count: 120)
    let expected = SystemError(
      .nameTooLong,
      description: "\(path): the path of a socket has room for 107 bytes, this one has 125")
    #expect(throws: expected) { _ = try LocalListener(path: path, mode: 0o600) }
    #expect(throws: expected) { _ = try LocalSocket(connectingTo: path) }
  }

  @Test func aMissingListenerIsReported() throws {
    #expect(throws: SystemError(.noSuchFile, directory("s"))) {
      _ = try LocalSocket(connectingTo: directory("s"))
    }
  }

  /// Connects on a thread of its own.
  private final class Connecting: Sendable {
    /// Whether there is a connection; nil: the call has not returned.
    private let outcome = Mutex<Bool?>(nil)

    init(to path: String, patience: Interval) throws(Errno) {
      try WorkThread.start(name: "connecting") { [self] in
        let socket = try? LocalSocket(connectingTo: path, patience: patience)
        outcome.withLock { $0 = socket != nil }
      }
    }

    var isConnected: Bool? { outcome.withLock { $0 } }
  }

  @Test func aConnectionWithPatienceWaitsUntilTheListenerHasRoom() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    try ConnectionQueue.fill(at: directory("s"))
    #expect(throws: SystemError(.wouldBlock, directory("s"))) {
      _ = try LocalSocket(connectingTo: directory("s"), patience: .milliseconds(10))
    }
    let connecting = try Connecting(to: directory("s"), patience: .seconds(60))
    let isEarly = try eventually(within: .milliseconds(200)) { connecting.isConnected != nil }
    #expect(!isEarly)
    #expect(try listener.accept() != nil)
    #expect(try eventually { connecting.isConnected == true })
  }

  @Test func aConnectionIsAbandonedWithoutItsPeerAndWithoutAPacket() throws {
    var ends: (LocalSocket, LocalSocket)? = try LocalSocket.pair()
    let near = try #require(ends?.0)
    #expect(!near.isAbandoned)
    _ = try ends?.1.send([1])
    ends = nil
    #expect(!near.isAbandoned)
    var buffer: [UInt8] = [0]
    #expect(try near.receive(into: &buffer) == .packet(count: 1))
    // A program that is just being started may hold a copy of the socket a little longer.
    #expect(try eventually { near.isAbandoned })
  }

  @Test func anEmptyPacketIsNoEndOfTheConnection() throws {
    let (near, far) = try LocalSocket.pair()
    #expect(try far.send([]))
    #expect(!near.isAbandoned)
    withExtendedLifetime(far) {}
  }

  @Test func aListenerWhoseNameWasRemovedCanBeRenewed() throws {
    var listener = try LocalListener(path: directory("s"), mode: 0o600)
    let client = try LocalSocket(connectingTo: directory("s"))
    let served = try #require(try listener.accept())
    let atFirst = listener.hasName
    try Files.remove(directory("s"))
    let afterwards = listener.hasName
    try listener.renew()
    let again = listener.hasName
    #expect([atFirst, afterwards, again] == [true, false, true])
    _ = try LocalSocket(connectingTo: directory("s"))
    #expect(try listener.accept() != nil)
    // The connection from before goes on.
    #expect(try served.send([1]))
    var buffer: [UInt8] = [0]
    #expect(try client.receive(into: &buffer) == .packet(count: 1))
  }

  @Test func aClosedListenerKeepsTheSocketOfAnotherListener() throws {
    let other: LocalListener
    do {
      let listener = try LocalListener(path: directory("s"), mode: 0o600)
      try Files.remove(directory("s"))
      try Files.remove(directory("s.lock"))
      other = try LocalListener(path: directory("s"), mode: 0o600)
      let isNamed = listener.hasName
      #expect(!isNamed)
    }
    let isNamed = other.hasName
    #expect(isNamed)
  }

  @Test func aListenerDoesNotTakeAPlaceThatAnotherHolds() throws {
    var listener = try LocalListener(path: directory("s"), mode: 0o600)
    try Files.remove(directory("s"))
    try Files.remove(directory("s.lock"))
    let other = try LocalListener(path: directory("s"), mode: 0o600)
    var refusal: SystemError?
    do {
      try listener.renew()
    } catch {
      refusal = error
    }
    #expect(refusal?.errno == .wouldBlock)
    let named = [other.hasName, listener.hasName]
    #expect(named == [true, false])
  }

  @Test func aWatchReportsRemovedNamesAndTheRemovalOfItsDirectory() throws {
    let folder = directory("folder")
    try Files.makeDirectory(folder, mode: 0o700)
    try Files.writeAtomically([], to: folder + "/name")
    let watch = try DirectoryWatch(folder)
    var poll = Poll()
    poll.set(watch.descriptor, .reading)
    #expect(try poll.wait(until: Clock.now) == 0)
    try Files.remove(folder + "/name")
    #expect(try poll.wait(until: Clock.now) == 1)
    #expect(!watch.drain())
    #expect(try poll.wait(until: Clock.now) == 0)
    #expect(rmdir(folder) == 0)
    // A child of another test's fork keeps the folder open until its exec; the kernel reports the removal after that.
    let limit = Clock.now + .seconds(60)
    var isRemoved = false
    while !isRemoved, Clock.now < limit {
      _ = try poll.wait(until: limit)
      isRemoved = watch.drain()
    }
    #expect(isRemoved)
  }
}
