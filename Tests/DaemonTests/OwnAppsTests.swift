import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Glibc
import LocationEngine
import TestSupport
import Testing

@testable import Daemon

/// Lists of apps, as users of different rights get them from the door.
struct OwnAppsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The messages that answer a list without rows.
  private func answer(
    version: UInt16, isOperator: Bool = false, isConsole: Bool = false
  ) throws -> [ServerMessage] {
    let path = directory("\(version)-\(isOperator)-\(isConsole)")
    let table = ClientTable(
      listener: try LocalListener(path: path, mode: 0o600),
      operators: Operators(userIDs: isOperator ? [getuid()] : [], groupID: { nil }),
      consoleUsers: ConsoleUsers { isConsole ? getuid() : nil })
    let door = CoreLocationDoor(table, socketWatch: SocketWatch(directory: directory("")))
    let raw = try RawClient(path)
    var taken: [ClientTable.Outcome] = []
    table.connectionsArrived(at: .zero, into: &taken)
    let client = try #require(table.clients.last)
    try raw.say(.hello(.init(versionMin: 1, versionMax: version, program: "list")))
    table.clientReady(client, readiness: .readable, at: .zero, into: &taken)
    var outcomes: [DoorOutcome] = []
    _ = door.send(.rows(request: 3, []), to: client.id, at: .zero, into: &outcomes)
    var heard: [ServerMessage] = []
    while heard.last != .rows(request: 3, isLast: true, []),
      case .message(let message) = try raw.hear()
    {
      heard.append(message)
    }
    return Array(heard.dropFirst())
  }

  private static let rows = ServerMessage.rows(request: 3, isLast: true, [])

  @Test func aUserThatMayNotOperateGetsToKnowThatAListHasItsOwnApps() throws {
    #expect(try answer(version: 11) == [.ownApps(request: 3), Self.rows])
  }

  @Test func anOlderClientGetsTheRowsAlone() throws {
    #expect(try answer(version: 10) == [Self.rows])
  }

  @Test func operatorsAndConsolesSeeTheAppsOfAllUsers() throws {
    #expect(try answer(version: 11, isOperator: true) == [Self.rows])
    #expect(try answer(version: 11, isConsole: true) == [Self.rows])
  }
}
