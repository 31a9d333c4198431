import BinnacleModel
import Testing

@testable import LocationEngine

/// Tools of operators, and requests of users that may not operate.
@Suite struct OperatorTests {
  private static let tracker = ConsentDesk.tracker
  private static let rootsProgram = AppID.unlisted(userID: 0, executable: "/usr/bin/binnacle")

  /// A desk whose apps belong to user 1,001, with the tracker in the foreground.
  private static func desk() -> ConsentDesk {
    var desk = ConsentDesk { configuration in
      for index in configuration.apps.indices { configuration.apps[index].userID = 1_001 }
    }
    _ = desk.run(tracker, hasTerminal: true)
    return desk
  }

  private static func connect(
    _ client: ClientID, user: UInt32, isOperator: Bool, hasTerminal: Bool = true,
    _ desk: inout ConsentDesk
  ) {
    let peer = Peer(
      userID: user, processID: 9, app: .unlisted(userID: user, executable: "/usr/bin/binnacle"),
      hasTerminal: hasTerminal, file: ConsentDesk.file, mayOperate: user == 0,
      isOperator: isOperator)
    desk.desk.send(.client(client, .connected(peer, program: "binnacle")))
  }

  private static func refusal(
    of request: ConsentRequest, by client: ClientID, _ desk: inout ConsentDesk
  ) -> ConsentFailure? {
    let count = desk.desk.effects.count
    desk.desk.send(.client(client, .requested(77, .consent(request))))
    for case .client(client, .consentRefusal(77, let refusal)) in desk.desk.effects[count...] {
      return refusal.kind
    }
    return nil
  }

  private static func rows(
    _ request: ConsentRequest, of client: ClientID, _ desk: inout ConsentDesk
  ) -> [String] {
    let count = desk.desk.effects.count
    desk.desk.send(.client(client, .requested(78, .consent(request))))
    for case .client(client, .rows(78, let rows)) in desk.desk.effects[count...] {
      return rows.compactMap { $0[.rowID] }
    }
    return []
  }

  @Test func aProgramOfRootWithoutTheRoleAsksLikeAnyOtherApp() {
    var desk = OperatorTests.desk()
    let client = ClientID(number: 70)
    OperatorTests.connect(client, user: 0, isOperator: false, &desk)
    desk.desk.open(client)
    desk.fix()
    #expect(desk.seen(client) == "p")
    #expect(desk.rows(.prompts).map { $0[.rowID] }.contains("\(OperatorTests.rootsProgram)"))
  }

  @Test func aToolOfAnOperatorIsServedWithoutATerminalAndIsNoApp() {
    var desk = OperatorTests.desk()
    let client = ClientID(number: 70)
    desk.request(.deny(app: "org.example.tracker"))
    OperatorTests.connect(client, user: 0, isOperator: true, hasTerminal: false, &desk)
    desk.desk.open(client)
    desk.fix()
    #expect(desk.seen(client) == "f")
    #expect(desk.rows(.who).map { $0[.rowRole] } == ["operator"])
    #expect(desk.rows(.who).map { $0[.rowState] } == [nil])
    #expect(!desk.rows(.apps).contains { $0[.rowID] == "\(OperatorTests.rootsProgram)" })
    #expect(!desk.isLit)
  }

  @Test func aToolAtATerminalBringsNoOtherProcessOfItsProgramToTheForeground() {
    var desk = OperatorTests.desk()
    let (app, tool) = (ClientID(number: 70), ClientID(number: 71))
    OperatorTests.connect(app, user: 0, isOperator: false, hasTerminal: false, &desk)
    desk.desk.open(app)
    #expect(desk.request(.allow(app: "\(OperatorTests.rootsProgram)", nil)) == nil)
    OperatorTests.connect(tool, user: 0, isOperator: true, &desk)
    desk.desk.open(tool)
    desk.fix()
    #expect(desk.seen(tool) == "f")
    #expect(desk.seen(app) == "i")
    #expect(desk.state(OperatorTests.rootsProgram) == "background")
  }

  @Test func theUpdatesOfAToolAreNoRequestOfItsProgram() {
    var desk = OperatorTests.desk()
    let (tool, list) = (ClientID(number: 70), ClientID(number: 71))
    OperatorTests.connect(tool, user: 0, isOperator: true, &desk)
    desk.desk.open(tool)
    OperatorTests.connect(list, user: 0, isOperator: false, &desk)
    #expect(desk.rows(.prompts).compactMap { $0[.rowID] } == ["org.example.tracker"])
  }

  @Test func aProcessThatListsAppsIsNoAppInItsList() {
    var desk = OperatorTests.desk()
    let (list, log) = (ClientID(number: 70), ClientID(number: 71))
    let user: UInt32 = 1_002
    OperatorTests.connect(list, user: user, isOperator: false, &desk)
    OperatorTests.connect(log, user: user, isOperator: false, &desk)
    for request in [ConsentRequest.apps, .why(app: nil)] {
      #expect(OperatorTests.rows(request, of: list, &desk) == [], "\(request)")
    }
    // Another process of the same program is an app.
    let watch = AppID.unlisted(userID: user, executable: "/usr/bin/binnacle")
    let peer = Peer(userID: user, processID: 10, app: watch)
    desk.desk.send(.client(ClientID(number: 72), .connected(peer, program: "binnacle")))
    #expect(OperatorTests.rows(.apps, of: list, &desk) == ["\(watch)"])
  }

  @Test func aUserSeesOnlyItsOwnApps() {
    var desk = OperatorTests.desk()
    desk.request(.allow(app: "org.example.tracker", nil))
    desk.fix()
    let (own, other) = (ClientID(number: 70), ClientID(number: 71))
    OperatorTests.connect(own, user: 1_001, isOperator: false, &desk)
    OperatorTests.connect(other, user: 1_002, isOperator: false, &desk)
    for list in [ConsentRequest.apps, .grants, .who, .why(app: nil)] {
      #expect(OperatorTests.rows(list, of: own, &desk).contains("org.example.tracker"), "\(list)")
      #expect(
        !OperatorTests.rows(list, of: other, &desk).contains("org.example.tracker"), "\(list)")
    }
    #expect(OperatorTests.refusal(of: .why(app: "org.example.t"), by: own, &desk) == nil)
    #expect(
      OperatorTests.refusal(of: .why(app: "org.example.t"), by: other, &desk) == .appUnknown)
    #expect(
      OperatorTests.refusal(of: .why(app: "org.example.tracker"), by: other, &desk)
        == .notPermitted)
  }

  @Test func theRefusalOfAnUnknownNameIsAboutTheOwnAppsOfTheUser() {
    var desk = OperatorTests.desk()
    let other = ClientID(number: 71)
    OperatorTests.connect(other, user: 1_002, isOperator: false, &desk)
    desk.desk.send(.client(other, .requested(79, .consent(.why(app: "org.none")))))
    var text: String?
    for case .client(other, .consentRefusal(79, let refusal)) in desk.desk.effects {
      text = refusal.text
    }
    #expect(text == "no app of yours is called 'org.none'; 'binnacle apps' lists your apps")
    #expect(
      desk.request(.why(app: "org.none"))?.text
        == "there is no app 'org.none'; 'binnacle apps' lists the apps")
  }

  @Test func aUserMayDenyItsOwnAppAndGiveItNothing() {
    var desk = OperatorTests.desk()
    let (own, other) = (ClientID(number: 70), ClientID(number: 71))
    OperatorTests.connect(own, user: 1_001, isOperator: false, &desk)
    OperatorTests.connect(other, user: 1_002, isOperator: false, &desk)
    let name = "org.example.tracker"
    for request in [
      ConsentRequest.allow(app: name, nil), .reset(app: name), .foreground(app: name), .home,
    ] {
      #expect(
        OperatorTests.refusal(of: request, by: own, &desk) == .notPermitted, "\(request)")
    }
    #expect(OperatorTests.refusal(of: .deny(app: name), by: other, &desk) == .notPermitted)
    #expect(desk.authorization(OperatorTests.tracker) == "not_determined")
    #expect(OperatorTests.refusal(of: .background(app: name), by: own, &desk) == nil)
    #expect(desk.state(OperatorTests.tracker) == "background")
    #expect(OperatorTests.refusal(of: .deny(app: name), by: own, &desk) == nil)
    #expect(desk.authorization(OperatorTests.tracker) == "denied")
  }

  @Test func aToolInAnAppOfAManifestLeavesTheUpdatesOfTheApp() {
    var desk = OperatorTests.desk()
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.desk.end(app)
    func count() -> Int? {
      desk.desk.engine.report(at: desk.desk.now)[.outstandingSequences].map(Int.init)
    }
    let before = count()
    #expect(before == 2)
    let tool = ClientID(number: 71)
    let peer = Peer(
      userID: 0, processID: 9, app: ConsentDesk.tracker, mayOperate: true, isOperator: true)
    desk.desk.send(.client(tool, .connected(peer, program: "binnacle")))
    desk.desk.open(tool)
    desk.desk.open(tool, 2)
    desk.fix()
    #expect(desk.seen(tool).hasSuffix("f"))
    #expect(count() == before)
    desk.desk.close(tool)
    desk.desk.end(tool)
    // The connection of the tool has not begun the time in which the app takes its updates up.
    desk.desk.wait(3_600)
    #expect(count() == before)
    _ = desk.run(ConsentDesk.tracker)
    let report = desk.desk.engine.report(at: desk.desk.now)
    #expect(report[.outstandingRejoined] == 1)
    #expect(count() == before)
  }
}
