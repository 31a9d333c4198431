import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Board
import Glibc
import LocationEngine
import TestSupport
import Testing

@testable import Daemon

/// The rights of consoles on serial lines, as a client that speaks the protocol itself meets them.
struct ConsoleRoleTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A table of clients in which the own user is the user of consoles, or an operator.
  private func table(
    ofConsoles: Bool = true, name: String = "s", _ settings: ConsoleSettings = ConsoleSettings()
  ) throws -> ClientTable {
    ClientTable(
      listener: try LocalListener(path: directory(name), mode: 0o600),
      operators: Operators(userIDs: ofConsoles ? [] : [getuid()], groupID: { nil }),
      consoleUsers: ConsoleUsers { ofConsoles ? getuid() : nil }, console: settings)
  }

  /// Connects a client that greets in a role.
  private func connect(
    _ role: ClientRole, to table: ClientTable, _ name: String = "s"
  ) throws -> (raw: RawClient, client: Client) {
    let raw = try RawClient(directory(name))
    var outcomes: [ClientTable.Outcome] = []
    table.connectionsArrived(at: .zero, into: &outcomes)
    let client = try #require(table.clients.last)
    try raw.say(
      .hello(.init(versionMin: 7, versionMax: WireLimits.versionMax, program: "p", role: role)))
    table.clientReady(client, readiness: .readable, at: .zero, into: &outcomes)
    return (raw, client)
  }

  /// The refusal of a message by the table; nil if the message is passed on.
  private func refusal(
    of message: ClientMessage, by table: ClientTable, _ connection: (raw: RawClient, client: Client)
  ) throws -> ServerMessage.Refusal? {
    var outcomes: [ClientTable.Outcome] = []
    try connection.raw.say(message)
    table.clientReady(connection.client, readiness: .readable, at: .zero, into: &outcomes)
    if !outcomes.isEmpty { return nil }
    while case .message(let message) = try connection.raw.hear(within: .seconds(5)) {
      switch message {
      case .refused(let refusal, isFinal: false), .updatesEnded(_, let refusal): return refusal
      case _: continue
      }
    }
    Issue.record("\(message) is neither passed on nor refused")
    return nil
  }

  // MARK: Roles

  @Test(arguments: [ClientRole.app, .console(token: nil)])
  func theUserOfConsolesIsAViewerInEachRole(_ role: ClientRole) throws {
    let (_, client) = try connect(role, to: try table())
    #expect(client.peer.console == .viewer)
    #expect(!client.peer.mayOperate)
  }

  @Test(arguments: [ClientRole.operator, .script("org.example.a")])
  func theUserOfConsolesIsNeitherOperatorNorApp(_ role: ClientRole) throws {
    let (_, client) = try connect(role, to: try table())
    #expect(client.isGone)
  }

  @Test func theUserOfConsolesIsNoOperatorEvenAsAMemberOfTheGroup() throws {
    let table = ClientTable(
      listener: try LocalListener(path: directory("s"), mode: 0o600),
      operators: Operators(userIDs: [getuid()], groupID: { getgid() }),
      consoleUsers: ConsoleUsers { getuid() })
    #expect(try connect(.operator, to: table).client.isGone)
    #expect(try !connect(.app, to: table).client.peer.mayOperate)
  }

  @Test func anOperatorMayBeAConsoleAndThenHasNoMoreRightsThanOne() throws {
    let (_, client) = try connect(.console(token: nil), to: try table(ofConsoles: false))
    #expect(client.peer.console == .viewer)
    #expect(!client.peer.mayOperate)
  }

  @Test func anyOtherUserHasNoConsole() throws {
    let table = ClientTable(
      listener: try LocalListener(path: directory("s"), mode: 0o600),
      operators: Operators(userIDs: [], groupID: { nil }), consoleUsers: ConsoleUsers { nil })
    #expect(try connect(.console(token: nil), to: table).client.isGone)
  }

  // MARK: Tokens

  @Test func theTokenOfAnUnlockedConsoleGivesTheRightsOfAnOperator() throws {
    let table = try table()
    let (_, console) = try connect(.app, to: table)
    let token = console.unlock()
    #expect(token.bytes.count == 16)
    let (_, command) = try connect(.console(token: token), to: table)
    #expect(command.peer.console == .unlocked(by: console.id))
    #expect(command.peer.mayOperate)
  }

  @Test func aWrongTokenAnOldTokenAndTheTokenOfAConsoleThatHasGoneAreRefused() throws {
    let table = try table()
    let (_, console) = try connect(.app, to: table)
    let old = console.unlock()
    let token = console.unlock()
    let wrong = Secret(token.bytes.dropLast() + [token.bytes[15] &+ 1])
    #expect(try connect(.console(token: wrong), to: table).client.isGone)
    #expect(try connect(.console(token: old), to: table).client.isGone)
    #expect(try !connect(.console(token: token), to: table).client.isGone)
    var outcomes: [ClientTable.Outcome] = []
    table.lock(console.id, at: .zero, into: &outcomes)
    #expect(try connect(.console(token: token), to: table).client.isGone)
  }

  @Test func theTokenOfAnotherUserIsRefused() throws {
    let table = try table()
    let (_, console) = try connect(.app, to: table)
    let token = console.unlock()
    let other = Client(
      id: ClientID(number: 900), peer: Peer(userID: getuid() + 1, processID: 1), place: .console,
      socket: try LocalSocket.pair().0, isConsoleUser: true, acceptedAt: .zero)
    let reason = other.take(
      .console(token: token), among: AppRegistry(AppShelf()), consoles: table.clients)
    #expect(reason != nil)
    #expect(!other.peer.mayOperate)
  }

  @Test func theEndOfAConsoleEndsTheConnectionsWithItsToken() throws {
    let table = try table()
    let (raw, console) = try connect(.app, to: table)
    let (_, command) = try connect(.console(token: console.unlock()), to: table)
    try raw.hangUp()
    var outcomes: [ClientTable.Outcome] = []
    table.clientReady(console, readiness: .hungUp, at: .zero, into: &outcomes)
    #expect(console.isGone && command.isGone)
  }

  // MARK: Every request

  /// A row of the table in `Docs/SPEC-wire.md`: a message, and when a console may send it.
  private static let rows: [(ClientMessage, ConsolePermission)] = [
    (.openUpdates(SequenceID(number: 1), .default), .position),
    (.openReducedUpdates(SequenceID(number: 2), .default), .position),
    (.openSearch(SequenceID(number: 3), isReduced: false), .position),
    (.closeUpdates(SequenceID(number: 1)), .always),
    (.openSession(SessionID(number: 1), .backgroundActivity), .no),
    (.closeSession(SessionID(number: 1)), .no),
    (.watchAuthorization, .no), (.watchButtons, .no), (.watchPhase, .no),
  ]

  private static let requests: [(ClientRequest, ConsolePermission)] = [
    (.status, .view), (.trace, .no), (.setServices(isOn: false), .unlocked),
    (.openDefaults, .no), (.setDefaults(isLast: true, []), .no), (.sky, .position),
    (.state(.read), .no), (.state(.erase(.all)), .unlocked), (.state(.writes), .view),
    (.state(.accept), .no), (.consent(.apps), .view), (.consent(.grants), .view),
    (.consent(.prompts), .view), (.consent(.watchPrompts), .always), (.consent(.who), .view),
    (.consent(.audit), .view), (.consent(.why(app: nil)), .view),
    (.consent(.allow(app: "a", nil)), .unlocked), (.consent(.deny(app: "a")), .unlocked),
    (.consent(.reset(app: "a")), .unlocked), (.consent(.foreground(app: "a")), .unlocked),
    (.consent(.background(app: "a")), .unlocked), (.consent(.home), .unlocked),
    (.consent(.start(app: "a")), .unlocked), (.consent(.quit(app: "a")), .unlocked),
    (.consent(.output(app: "a", isFollowed: false)), .unlocked),
    (.log(.debug, isFollowed: true), .view), (.settings, .view), (.day, .view),
    (.console(.unlock(Secret("483920"))), .always), (.console(.lock), .always),
    (.console(.unlockByPresence), .always), (.console(.describeLock), .always),
  ]

  @Test func theTableHasEveryMessageOfAClient() {
    let types = Set(
      Self.rows.map { $0.0.encoded()[0] }
        + Self.requests.map { ClientMessage.request(1, $0.0).encoded()[0] })
    // hello and helloInRole are the greeting.
    let known = Set(
      (UInt8.min...UInt8.max).filter { type in
        switch Result(catching: { try ClientMessage(decoding: [type]) }) {
        case .failure(WireError.typeUnknown): false
        case .success, .failure: true
        }
      })
    #expect(known.subtracting(types) == [1, 53])
  }

  enum Situation: CaseIterable {
    case locked
    case lockedWithPrivacy
    case lockedWithoutView
    case lifted
    /// The connection of an unlocked console itself: the rights are those of its commands.
    case unlocked

    func permits(_ permission: ConsolePermission) -> Bool {
      switch (permission, self) {
      case (.always, _): true
      case (.view, .locked), (.view, .lockedWithPrivacy), (.view, .lifted), (.view, .unlocked): true
      case (.position, .locked), (.position, .lifted), (.position, .unlocked): true
      case (.unlocked, .lifted): true
      case (.view, _), (.position, _), (.unlocked, _), (.no, _): false
      }
    }
  }

  @Test(arguments: Situation.allCases)
  func eachMessageIsRefusedUnlessTheTableLetsAConsoleSendIt(_ situation: Situation) throws {
    var settings = ConsoleSettings()
    settings.hidesPositions = situation != .locked && situation != .unlocked
    settings.view = situation == .lockedWithoutView ? .unlocked : .yes
    let all = Self.rows + Self.requests.map { (.request(1, $0.0), $0.1) }
    for (message, permission) in all {
      let name = "\(message.encoded()[0])-\(situation)"
      let table = try table(name: name, settings)
      var connection = try connect(.app, to: table, name)
      if situation == .unlocked { _ = connection.client.unlock() }
      if situation == .lifted {
        connection = try connect(.console(token: connection.client.unlock()), to: table, name)
      }
      let refusal = try refusal(of: message, by: table, connection)
      #expect((refusal == nil) == situation.permits(permission), "\(message) \(situation)")
      if let refusal { #expect(refusal.kind == .notPermitted) }
    }
  }
}
