import BinnacleBasics
import BinnaclePosix
import Board
import LaunchWire
import TestSupport
import Testing

@testable import Daemon
@testable import Launcher

/// The launcher on a real socket, and the daemon's questions to it.
@Suite struct LaunchServerTests {
  private let directory: TemporaryDirectory
  private let path: String
  /// The program of the tests.
  private let own: PeerProcess.Program

  init() throws {
    directory = try TemporaryDirectory()
    path = directory("launch.sock")
    let (socket, _) = try LocalSocket.pair()
    own = try PeerProcess(of: socket).program()
  }

  /// A launcher whose socket is served by hand: `serve` answers what has arrived.
  private func server(userID: UInt32 = Environment.userID) throws -> LaunchServer {
    LaunchServer(try LaunchServer.listen(at: path), userID: userID) { _ in }
  }

  /// Asks about the other end of a pair, which is this process, and returns the findings.
  private func ask(
    _ query: LauncherConnection, _ server: LaunchServer
  ) throws -> [LaunchReport.Answer] {
    let (socket, _) = try LocalSocket.pair()
    guard query.ask(about: socket, at: .zero) != nil else { return [] }
    server.serveWaiting()
    query.receive(at: .zero)
    return query.takeAnswers().map(\.finding)
  }

  @Test func theProgramOfAProcessIsItsFile() throws {
    let found = try ask(LauncherConnection(path: path), try server())
    #expect(
      found == [
        .program(
          path: own.path, device: own.file.device, file: own.file.number,
          changeTimeNanoseconds: own.version.changeTimeNanoseconds)
      ])
  }

  @Test func aPacketWithoutADescriptorEndsTheConnection() throws {
    let server = try server()
    let socket = try LocalSocket(connectingTo: path)
    _ = try socket.send(LaunchRequest(number: 1, .identify).encoded)
    server.serveWaiting()
    var buffer: [UInt8] = [0]
    #expect(try socket.receive(into: &buffer) == .ended)
  }

  @Test func aDescriptorThatIsNoProcessHasNoProgram() throws {
    let server = try server()
    let socket = try LocalSocket(connectingTo: path)
    let null = try FileDescriptor.open("/dev/null", 0)
    _ = try socket.send(LaunchRequest(number: 9, .identify).encoded, with: null)
    server.serveWaiting()
    var buffer = [UInt8](repeating: 0, count: LaunchReport.sizeMax)
    guard case .packet(let count) = try socket.receive(into: &buffer) else {
      Issue.record("no answer")
      return
    }
    let report = try #require(LaunchReport(decoding: Array(buffer[..<count])))
    guard case .answer(9, .unknown) = report else {
      Issue.record("\(report)")
      return
    }
  }

  @Test func aProcessOfAnotherUserIsRefused() throws {
    let server = try server(userID: Environment.userID &+ 1)
    let socket = try LocalSocket(connectingTo: path)
    server.serveWaiting()
    var buffer: [UInt8] = [0]
    #expect(try socket.receive(into: &buffer) == .ended)
  }

  @Test func aLauncherThatStartsLaterOrAgainIsFoundWithTheNextQuestion() throws {
    let query = LauncherConnection(path: path)
    let (socket, _) = try LocalSocket.pair()
    #expect(query.ask(about: socket, at: .zero) == nil)
    for generation in 0...1 {
      // The end of the launcher before is noticed here.
      query.receive(at: .zero)
      #expect(query.generation == generation)
      let server = try server()
      #expect(query.ask(about: socket, at: .zero) != nil)
      server.serveWaiting()
      query.receive(at: .zero)
      #expect(query.takeAnswers().count == 1)
    }
  }

  // MARK: Peers of the daemon

  private func registry(_ executable: String) throws -> AppRegistry {
    var shelf = AppShelf()
    let text =
      "[App]\nIdentifier=org.example.a\nExecutable=\(executable)\nUser=\(Environment.userID)\n"
    shelf.take([SettingsFile(path: "a.app", bytes: Array(text.utf8))])
    return AppRegistry(shelf)
  }

  private func arrival(_ socket: LocalSocket) throws -> PeerIdentification.Arrival {
    PeerIdentification.Arrival(socket: socket, credentials: try socket.peer)
  }

  /// A daemon that sees no program.
  private func identification(_ query: LauncherConnection?) -> PeerIdentification {
    PeerIdentification(query) { _, userID, _ in .init(app: .unresolved(userID: userID)) }
  }

  @Test func aPeerThatTheDaemonCannotSeeIsTheAppThatTheLauncherNames() throws {
    let server = try server()
    let apps = try registry(own.path)
    let peers = identification(LauncherConnection(path: path))
    let (socket, _) = try LocalSocket.pair()
    #expect(peers.finding(of: try arrival(socket), among: apps, at: .zero + .seconds(5)) == nil)
    #expect(peers.answersArrived(among: apps, at: .zero).isEmpty)
    server.serveWaiting()
    let found = peers.answersArrived(among: apps, at: .zero)
    #expect(found.map(\.1.app) == [.listed("org.example.a")])
    #expect(found.map(\.1.program) == [own])
    #expect(peers.nextDeadline == nil)
  }

  @Test func aPeerIsUnknownAfterASecondWithoutAnAnswer() throws {
    let server = try server()
    let apps = try registry(own.path)
    let peers = identification(LauncherConnection(path: path))
    let (socket, _) = try LocalSocket.pair()
    let now = Instant.zero + .seconds(5)
    #expect(peers.finding(of: try arrival(socket), among: apps, at: now) == nil)
    #expect(peers.nextDeadline == now + .seconds(1))
    #expect(peers.deadlineReached(at: now + .milliseconds(999)).isEmpty)
    let found = peers.deadlineReached(at: now + .seconds(1))
    #expect(found.map(\.1.app) == [.unresolved(userID: Environment.userID)])
    // A late answer finds no peer.
    server.serveWaiting()
    #expect(peers.answersArrived(among: apps, at: .zero).isEmpty)
  }

  @Test func aPeerIsUnknownAtOnceWhenTheLauncherEnds() throws {
    let server = try server()
    let apps = try registry(own.path)
    let peers = identification(LauncherConnection(path: path))
    let (socket, _) = try LocalSocket.pair()
    #expect(peers.finding(of: try arrival(socket), among: apps, at: .zero + .seconds(5)) == nil)
    server.acceptWaiting()
    server.close()
    #expect(
      peers.answersArrived(among: apps, at: .zero).map(\.1.app)
        == [.unresolved(userID: Environment.userID)])
  }

  @Test func withoutALauncherAPeerThatTheDaemonCannotSeeIsUnknown() throws {
    let (socket, _) = try LocalSocket.pair()
    let found = identification(nil).finding(
      of: try arrival(socket), among: try registry(own.path), at: .zero)
    #expect(found?.app == .unresolved(userID: Environment.userID))
  }
}
