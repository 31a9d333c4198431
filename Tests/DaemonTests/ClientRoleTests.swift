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

/// The role that a client asks for in its greeting.
struct ClientRoleTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static let nobodyMayOperate = Operators(userIDs: [], groupID: { nil })

  /// The peer of a client that has greeted in a role, or the reason of the refusal.
  private func greet(
    as role: ClientRole, operators: Operators, manifest: String? = nil
  ) throws -> Result<Peer, ServerMessage.Refusal> {
    var shelf = AppShelf()
    if let manifest { shelf.take([SettingsFile(path: "a.app", bytes: Array(manifest.utf8))]) }
    let table = ClientTable(
      listener: try LocalListener(path: directory("s"), mode: 0o600), operators: operators,
      apps: AppRegistry(shelf))
    let raw = try RawClient(directory("s"))
    var outcomes: [ClientTable.Outcome] = []
    table.connectionsArrived(at: .zero, into: &outcomes)
    let client = try #require(table.clients.last)
    try raw.say(.hello(.init(versionMin: 7, versionMax: 7, program: "p", role: role)))
    table.clientReady(client, readiness: .readable, at: .zero, into: &outcomes)
    for case .event(.client(_, .connected(let peer, _))) in outcomes { return .success(peer) }
    var refused: ServerMessage.Refusal?
    while refused == nil, case .message(let message) = try raw.hear() {
      if case .refused(let refusal, isFinal: true) = message { refused = refusal }
    }
    return .failure(try #require(refused, "the daemon does not answer"))
  }

  private static func manifest(user: UInt32, isScript: Bool) -> String {
    "[App]\nIdentifier=org.example.a\nExecutable=/usr/bin/a\nUser=\(user)\n"
      + (isScript ? "Script=yes\n" : "")
  }

  @Test func aUserThatMayOperateGetsTheRoleOfAnOperatorOnlyIfItAsksForIt() throws {
    let own = Operators(userIDs: [getuid()], groupID: { nil })
    #expect(try greet(as: .operator, operators: own).get().isOperator)
    #expect(try !greet(as: .app, operators: own).get().isOperator)
    #expect(try greet(as: .app, operators: own).get().mayOperate)
  }

  @Test func aMemberOfTheGroupMayOperate() throws {
    let ofGroup = Operators(userIDs: [], groupID: { getgid() })
    #expect(try greet(as: .operator, operators: ofGroup).get().isOperator)
    let ofOther = Operators(userIDs: [], groupID: { 4_294_967_294 })
    #expect(throws: (any Error).self) { try greet(as: .operator, operators: ofOther).get() }
  }

  @Test func anotherUserIsRefusedTheRoleOfAnOperator() throws {
    let answer = try greet(as: .operator, operators: ClientRoleTests.nobodyMayOperate)
    guard case .failure(let refusal) = answer else {
      Issue.record("the role was given")
      return
    }
    #expect(refusal.kind == .notPermitted)
  }

  @Test func aScriptIsTheAppOfAManifestWithItsUserAndScript() throws {
    let manifest = ClientRoleTests.manifest(user: getuid(), isScript: true)
    let peer = try greet(
      as: .script("org.example.a"), operators: ClientRoleTests.nobodyMayOperate,
      manifest: manifest
    ).get()
    #expect(peer.app == .listed("org.example.a"))
    #expect(peer.file == nil)
    #expect(peer.isScript && !peer.isOperator)
  }

  @Test func aScriptMayShortenTheIdentifierOfItsApp() throws {
    let manifest = ClientRoleTests.manifest(user: getuid(), isScript: true)
    let peer = try greet(
      as: .script("org.exa"), operators: ClientRoleTests.nobodyMayOperate, manifest: manifest
    ).get()
    #expect(peer.app == .listed("org.example.a"))
  }

  @Test(arguments: ["org.example.a", "org.example.b"])
  func aScriptIsNotTheAppOfAnotherManifest(_ identifier: String) throws {
    let isScript = identifier == "org.example.b"
    for manifest in [
      ClientRoleTests.manifest(user: getuid(), isScript: isScript),
      ClientRoleTests.manifest(user: getuid() + 1, isScript: true),
    ] {
      let answer = try greet(
        as: .script(identifier), operators: ClientRoleTests.nobodyMayOperate, manifest: manifest)
      guard case .failure(let refusal) = answer else {
        Issue.record("the script became the app")
        return
      }
      #expect(refusal.kind == .notPermitted)
    }
  }
}
