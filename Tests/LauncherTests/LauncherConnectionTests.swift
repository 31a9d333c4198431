import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import LaunchWire
import LocationEngine
import TestSupport
import Testing

@testable import Daemon

/// The daemon's connection to a launcher that the test plays.
@Suite struct LauncherConnectionTests {
  private let directory: TemporaryDirectory
  private let path: String
  private static let app = AppID.listed("org.example.a")
  private let now = Instant.zero + .seconds(100)

  init() throws {
    directory = try TemporaryDirectory()
    path = directory("launch.sock")
  }

  /// The launcher's end of a connection.
  private final class FakeLauncher {
    private var listener: LocalListener
    private(set) var socket: LocalSocket?

    init(_ path: String) throws { listener = try LocalListener(path: path, mode: 0o600) }

    /// The requests that have arrived.
    func requests() throws -> [LaunchRequest] {
      if socket == nil { socket = try listener.accept() }
      var buffer = [UInt8](repeating: 0, count: LaunchRequest.sizeMax)
      var requests: [LaunchRequest] = []
      while case .packet(let count)? = try socket?.receive(into: &buffer) {
        requests.append(try #require(LaunchRequest(decoding: Array(buffer[..<count]))))
      }
      return requests
    }

    func send(_ reports: LaunchReport...) throws {
      for report in reports { #expect(try socket?.send(report.encoded) == true) }
    }

    func hangUp() { socket = nil }
  }

  private static func report(isFrozen: Bool = false, _ group: LaunchReport.Group = .session)
    -> LaunchReport
  {
    .running(
      .init(identifier: "org.example.a", processID: 7, isFrozen: isFrozen, group: group))
  }

  private func connected(_ reports: LaunchReport...) throws -> (LauncherConnection, FakeLauncher) {
    let launcher = try FakeLauncher(path)
    let connection = LauncherConnection(path: path)
    connection.connect(at: now)
    #expect(try launcher.requests().map(\.kind) == [.attend])
    for report in reports { try launcher.send(report) }
    try launcher.send(.attended)
    connection.receive(at: now)
    return (connection, launcher)
  }

  private func perform(_ order: Effect.Launcher, by connection: LauncherConnection) -> [Event] {
    var events: [Event] = []
    connection.perform(order, about: LauncherConnectionTests.app, at: now, into: &events)
    return events
  }

  @Test func aConnectionBeginsWithTheAppsThatRun() throws {
    let (connection, _) = try connected(LauncherConnectionTests.report(isFrozen: true))
    #expect(
      connection.takeEvents() == [
        .launcher(.connected([.init(app: LauncherConnectionTests.app, isFrozen: true)]))
      ])
    #expect(connection.nextDeadline == nil)
  }

  @Test func eachOrderIsAnsweredByAnEvent() throws {
    let (connection, launcher) = try connected()
    _ = connection.takeEvents()
    let app = LauncherConnectionTests.app
    let orders: [(Effect.Launcher, LaunchRequest.AppOrder, Event.Launcher?)] = [
      (.start(isForLocation: true), .start(isForLocation: true), .started(app)),
      (.freeze, .freeze, .frozen(app)), (.thaw, .thaw, .thawed(app)), (.end, .end, nil),
      (.kill, .kill, nil),
    ]
    for (order, sent, answer) in orders {
      #expect(perform(order, by: connection).isEmpty)
      let requests = try launcher.requests()
      #expect(requests.map(\.kind) == [.order("org.example.a", sent)])
      let number = try #require(requests.first?.number)
      if order == .start(isForLocation: true) {
        try launcher.send(LauncherConnectionTests.report())
      }
      try launcher.send(.answer(number, .done))
      connection.receive(at: now)
      #expect(connection.takeEvents() == (answer.map { [.launcher($0)] } ?? []))
    }
    for (order, _, _) in orders {
      _ = perform(order, by: connection)
      let number = try #require(try launcher.requests().first?.number)
      try launcher.send(.answer(number, .failed(reason: "so")))
      connection.receive(at: now)
      #expect(connection.takeEvents() == [.launcher(.refused(app, order, reason: "so"))])
    }
    try launcher.send(.ended("org.example.a", .killed(signal: 9)))
    connection.receive(at: now)
    #expect(connection.takeEvents() == [.launcher(.ended(app, .killed(signal: 9)))])
    #expect(connection.apps.isEmpty)
  }

  @Test func anAppThatTheLauncherThawsByItselfIsReported() throws {
    let (connection, launcher) = try connected(LauncherConnectionTests.report(isFrozen: true))
    _ = connection.takeEvents()
    try launcher.send(LauncherConnectionTests.report(isFrozen: false))
    connection.receive(at: now)
    #expect(connection.takeEvents() == [.launcher(.thawed(LauncherConnectionTests.app))])
  }

  @Test func withoutALauncherAnOrderIsRefused() throws {
    let connection = LauncherConnection(path: path)
    connection.connect(at: now)
    // Without a socket no attempt is due: the directory reports a new socket.
    #expect(connection.nextDeadline == nil)
    #expect(
      perform(.freeze, by: connection) == [
        .launcher(
          .refused(
            LauncherConnectionTests.app, .freeze,
            reason: "no launcher is connected: 'sudo systemctl start binnacle-launch'"))
      ])
    var events: [Event] = []
    let unlisted = AppID.unlisted(userID: 1, executable: "/bin/a")
    connection.perform(.freeze, about: unlisted, at: now, into: &events)
    #expect(
      events == [
        .launcher(
          .refused(unlisted, .freeze, reason: "only an app with a manifest is launched"))
      ])
  }

  @Test func aLostConnectionIsMadeAgainAtOnce() throws {
    let (connection, launcher) = try connected(LauncherConnectionTests.report())
    _ = connection.takeEvents()
    _ = perform(.freeze, by: connection)
    launcher.hangUp()
    connection.receive(at: now)
    let app = LauncherConnectionTests.app
    #expect(
      connection.takeEvents() == [
        .launcher(
          .refused(app, .freeze, reason: "the connection to the launcher was lost")),
        .launcher(.lost),
      ])
    #expect(connection.apps.isEmpty)
    #expect(connection.reportsUntil(at: now) == now + .seconds(1))
    #expect(connection.reportsUntil(at: now + .seconds(1)) == nil)
    #expect(try launcher.requests().map(\.kind) == [.attend])
    // A launcher that does not serve is asked again later, and not in a loop.
    launcher.hangUp()
    connection.receive(at: now)
    #expect(connection.takeEvents().isEmpty)
    #expect(connection.nextDeadline == now + .seconds(2))
    connection.connect(at: now + .seconds(2))
    #expect(connection.nextDeadline == nil && connection.descriptor != nil)
  }

  @Test func aControlGroupStaysKnownUntilTheNextLauncherHasReported() throws {
    let group = LaunchReport.Group.controlGroup("/app-org.example.a")
    let (connection, launcher) = try connected(LauncherConnectionTests.report(group))
    launcher.hangUp()
    connection.receive(at: now)
    #expect(connection.apps.map(\.group) == [group])
    _ = try launcher.requests()
    try launcher.send(.attended)
    connection.receive(at: now)
    #expect(connection.apps.isEmpty)
    #expect(connection.reportsUntil(at: now) == nil)
  }

  @Test func aDamagedReportEndsTheConnection() throws {
    let (connection, launcher) = try connected()
    _ = connection.takeEvents()
    #expect(try launcher.socket?.send([2, 99]) == true)
    connection.receive(at: now)
    #expect(connection.takeEvents() == [.launcher(.lost)])
  }

  /// Any user can run a program whose path is long, and the launcher may be of another release than the daemon.
  @Test func anAnswerAboutAProgramThatIsTooLongEndsOnlyItsQuestion() throws {
    let (connection, launcher) = try connected()
    _ = connection.takeEvents()
    let (peer, _) = try LocalSocket.pair()
    let number = try #require(connection.ask(about: peer, at: now))
    _ = try launcher.requests()
    let path = "/" + String(repeating: "a", count: LaunchReport.sizeMax)
    try launcher.send(
      .answer(number, .program(path: path, device: 1, file: 1, changeTimeNanoseconds: 1)))
    connection.receive(at: now)
    let answers = connection.takeAnswers()
    #expect(answers.map(\.number) == [number])
    guard case .unknown? = answers.first?.finding else {
      Issue.record("\(answers)")
      return
    }
    #expect(connection.takeEvents().isEmpty)
    // A report about an app cannot be left out.
    try launcher.send(.output("org.example.a", line: path))
    connection.receive(at: now)
    #expect(connection.takeEvents() == [.launcher(.lost)])
  }

  @Test func aPeerIsALaunchedAppOnlyInExactlyItsGroupAndWithItsUser() throws {
    let own = Environment.processID
    let status = try ProcessStatus(of: own)
    let (peer, _) = try LocalSocket.pair()
    var groups: [(LaunchReport.Group, Int32, Bool)] = [
      (.session, status.sessionID, true), (.session, status.sessionID &+ 1, false),
      (.controlGroup("/no/such/group"), status.sessionID, false),
    ]
    if let path = ProcessStatus.controlGroup(of: own) {
      groups += [
        (.controlGroup(path), 1, true), (.controlGroup(path + "/a"), 1, false),
        (.controlGroup(path + "a"), 1, false),
      ]
    }
    for (group, process, isApp) in groups where process > 0 {
      let app = LaunchReport.App(
        identifier: "org.example.a", processID: process, isFrozen: false, group: group)
      let (connection, _) = try connected(.running(app))
      #expect(
        connection.launchedApp(of: peer) { _ in true } == (isApp ? "org.example.a" : nil),
        "\(group)")
      #expect(connection.launchedApp(of: peer) { _ in false } == nil)
    }
  }
}
