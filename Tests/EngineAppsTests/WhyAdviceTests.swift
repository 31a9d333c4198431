import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The changes that `binnacle why` names, and whether the engine carries out their commands.
@Suite struct WhyAdviceTests {
  private static let map = ConsentDesk.map
  private static let script = ConsentDesk.script

  /// The change of a condition of an app; nil if the condition is met.
  private static func change(_ key: String, of app: AppID, _ desk: ConsentDesk) -> String? {
    var desk = desk
    return desk.rows(.why(app: "\(app)")).first { $0[.rowKey] == key }?[.rowChange]
  }

  /// The change of a condition of an app, for another reader than an operator's tool.
  private static func change(
    _ key: String, of app: AppID, for peer: Peer, _ desk: ConsentDesk
  ) -> String? {
    var desk = desk
    let reader = ClientID(number: 70)
    desk.desk.send(.client(reader, .connected(peer, program: "binnacle")))
    desk.desk.send(.client(reader, .requested(5, .consent(.why(app: "\(app)")))))
    var rows: [Report] = []
    for case .client(reader, .rows(5, let found)) in desk.desk.effects { rows = found }
    return rows.first { $0[.rowKey] == key }?[.rowChange]
  }

  /// The requests of the commands in a change; a command after another step is left out.
  private static func requests(in change: String) -> [ConsentRequest] {
    change.split { $0 == "," || $0 == ";" }.compactMap { part -> ConsentRequest? in
      let words = part.split(separator: " ").map(String.init).filter { $0 != "or" }
      guard words.count > 2, words[0] == "binnacle" else { return nil }
      switch words[1] {
      case "allow":
        return .allow(
          app: words[2], words.contains("always") ? .always : nil,
          isReduced: words.contains("full") ? false : nil)
      case "foreground": return .foreground(app: words[2])
      case "start": return .start(app: words[2])
      case _: return nil
      }
    }
  }

  /// Carries out each command that the reasons of an app name, all in the same state.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - desk: the state.
  /// - Returns: the number of commands, and the refusals.
  private static func carryOut(
    of app: AppID, _ desk: ConsentDesk
  ) -> (count: Int, refusals: [String]) {
    var asking = desk
    let changes = asking.rows(.why(app: "\(app)")).compactMap { $0[.rowChange] }
    let requests = changes.flatMap { Self.requests(in: $0) }
    let refusals = requests.compactMap { request -> String? in
      var trial = desk
      return trial.request(request)?.text ?? trial.lastFailure
    }
    return (requests.count, refusals)
  }

  // MARK: Apps without a manifest

  @Test func anAppWithoutAManifestNeedsATerminalToComeToTheForeground() {
    var desk = ConsentDesk()
    _ = desk.run(Self.script)
    #expect(
      Self.change("authorization", of: Self.script, desk)
        == "start it in a terminal, or binnacle allow 1001:/home/ann/script")
    let (count, refusals) = Self.carryOut(of: Self.script, desk)
    #expect(count == 1 && refusals == [])
    // The control: the engine refuses the command that was named before.
    #expect(desk.request(.foreground(app: "\(Self.script)")) != nil)
  }

  @Test func aProgramThatHasEndedIsStartedBeforeItIsAllowed() {
    var desk = ConsentDesk()
    let client = desk.run(Self.script)
    desk.request(.deny(app: "\(Self.script)"))
    #expect(
      Self.change("authorization", of: Self.script, desk)
        == "binnacle allow 1001:/home/ann/script")
    desk.desk.end(client)
    #expect(
      Self.change("authorization", of: Self.script, desk)
        == "start it, and then binnacle allow 1001:/home/ann/script")
    #expect(Self.change("use", of: Self.script, desk) == "start it in a terminal")
    #expect(desk.request(.allow(app: "\(Self.script)", nil)) != nil)
  }

  @Test func aProgramThatWasAllowedAndHasEndedOnlyNeedsAStart() {
    var desk = ConsentDesk()
    let client = desk.run(Self.script)
    desk.request(.allow(app: "\(Self.script)", nil))
    desk.desk.end(client)
    #expect(Self.change("authorization", of: Self.script, desk) == nil)
    #expect(Self.change("use", of: Self.script, desk) == "start it in a terminal")
    let row = desk.rows(.why(app: "\(Self.script)")).first
    #expect(row?[.rowFlags] == "insufficientlyInUse")
  }

  // MARK: Apps with a manifest

  @Test func anAppThatDoesNotRunIsStartedByTheLauncherAlone() {
    var desk = ConsentDesk()
    let name = "org.example.map"
    #expect(
      Self.change("authorization", of: Self.map, desk)
        == "start its program, or binnacle allow \(name)")
    #expect(Self.change("use", of: Self.map, desk) == "start its program")
    #expect(desk.request(.foreground(app: name)) != nil)
    desk.desk.send(.launcher(.connected([])))
    #expect(
      Self.change("authorization", of: Self.map, desk)
        == "binnacle start \(name), or binnacle allow \(name)")
    #expect(Self.change("use", of: Self.map, desk) == "binnacle start \(name)")
    let (count, refusals) = Self.carryOut(of: Self.map, desk)
    #expect(count == 3 && refusals == [])
  }

  @Test func anAppInTheBackgroundIsBroughtToTheForeground() {
    var desk = ConsentDesk()
    _ = desk.run(Self.map)
    #expect(
      Self.change("authorization", of: Self.map, desk)
        == "binnacle foreground org.example.map, or binnacle allow org.example.map")
    let (count, refusals) = Self.carryOut(of: Self.map, desk)
    #expect(count == 3 && refusals == [])
  }

  @Test func aClosedAppThatHasNotEndedIsStartedAfterItsEnd() {
    var desk = AppLifeDesk.running()
    desk.consent.desk.launcher.appsObey = false
    desk.consent.request(.quit(app: AppLifeDesk.name))
    let change = Self.change("use", of: AppLifeDesk.tracker, desk.consent)
    #expect(change?.hasPrefix("its end, and then binnacle start org.example.tracker") == true)
    #expect(Self.carryOut(of: AppLifeDesk.tracker, desk.consent).refusals == [])
  }

  @Test func theExactLocationTakesNoRightToTheBackgroundAway() throws {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.tracker)
    desk.request(.allow(app: "org.example.tracker", .always, isReduced: true))
    let change = try #require(Self.change("accuracy", of: ConsentDesk.tracker, desk))
    #expect(change == "binnacle allow org.example.tracker full")
    for request in Self.requests(in: change) { desk.request(request) }
    #expect(desk.rows(.grants).map { $0[.rowAuthorization] } == ["always"])
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == ["full"])
  }

  // MARK: Requests

  @Test func anAppThatNeedsAServiceSessionAsksOnlyByOne() {
    var desk = ConsentDesk { $0.apps[0].needsServiceSession = true }
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    let session = "a CLServiceSession of the app that requires when in use or always"
    #expect(
      Self.change("authorization", of: ConsentDesk.tracker, desk)
        == "binnacle allow org.example.tracker, or \(session)")
    desk.hold(.service(.whenInUse), by: app)
    #expect(desk.rows(.prompts).compactMap { $0[.rowID] } == ["org.example.tracker"])
  }

  @Test func aRequestThatServicesHaveWithdrawnComesBackWithThem() {
    var desk = ConsentDesk()
    _ = desk.run(Self.map, hasTerminal: true)
    desk.desk.send(.client(ClientID(number: 900), .requested(50, .setServices(isOn: false))))
    #expect(desk.rows(.prompts) == [])
    let row = desk.rows(.why(app: "\(Self.map)")).first { $0[.rowKey] == "authorization" }
    #expect(
      row?[.rowText]
        == "\(Self.map) waits for your answer, and asks again when location services are on.")
    #expect(row?[.rowChange] == "binnacle allow org.example.map")
    desk.desk.send(.client(ClientID(number: 900), .requested(51, .setServices(isOn: true))))
    #expect(desk.rows(.prompts).compactMap { $0[.rowID] } == ["org.example.map"])
  }

  // MARK: Buttons, the profile and other users

  @Test func aPressIsNamedOnlyIfItAnswersTheRequestOfTheApp() {
    var plain = ConsentDesk()
    _ = plain.run(Self.map, hasTerminal: true)
    #expect(
      Self.change("authorization", of: Self.map, plain) == "binnacle allow org.example.map")
    var desk = ConsentDesk { $0.panel.buttons = [PanelSettings.Button(name: "ALLOW")] }
    _ = desk.run(Self.map, hasTerminal: true)
    #expect(
      Self.change("authorization", of: Self.map, desk)
        == "binnacle allow org.example.map, or a short press of ALLOW")
    // In the background the request stays open, and no press answers it.
    desk.request(.home)
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [false])
    #expect(
      Self.change("authorization", of: Self.map, desk) == "binnacle allow org.example.map")
  }

  @Test func aRestrictionOfAllAppsNamesNoApp() {
    let one = ConsentDesk { $0.consent.restricted = .apps(["org.example.map"]) }
    let key = "Restricted= in [Location] of the board's profile"
    #expect(Self.change("authorization", of: Self.map, one) == "remove the app from \(key)")
    let all = ConsentDesk { $0.consent.restricted = .all }
    #expect(
      Self.change("authorization", of: Self.map, all) == "another value than 'all' for \(key)")
  }

  @Test func theAdviceForAnOrdinaryUserNamesTheOperatorForACommandThatGivesRights() {
    let desk = ConsentDesk { configuration in
      for index in configuration.apps.indices { configuration.apps[index].userID = 1_001 }
    }
    let program = AppID.unlisted(userID: 1_001, executable: "/usr/bin/binnacle")
    let peer = Peer(userID: 1_001, processID: 9, app: program)
    #expect(
      Self.change("authorization", of: Self.map, for: peer, desk)
        == "start its program, or binnacle allow org.example.map (by an operator)")
  }

  @Test(arguments: [false, true])
  func theAdviceForALockedConsoleNamesTheOperatorForACommandThatGivesRights(isLocked: Bool) {
    let peer = Peer(
      userID: 990, processID: 9, app: .unlisted(userID: 990, executable: "/usr/bin/binnacle"),
      mayOperate: !isLocked, isOperator: true, console: isLocked ? .viewer : nil)
    #expect(
      Self.change("authorization", of: Self.map, for: peer, ConsentDesk())
        == "start its program, or binnacle allow org.example.map"
        + (isLocked ? " (by an operator)" : ""))
  }
}
