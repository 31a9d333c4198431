import BinnacleBasics
import BinnacleModel
import StateLog

@testable import LocationEngine

/// An engine with a log on a simulated disk, apps of other users than the daemon's, and a person who answers.
///
/// An app sees letters: `f` a fix, `l` a coarse place with `accuracyLimited`, `p` `authorizationRequestInProgress`, `d` `authorizationDenied`, `g` also
/// `authorizationDeniedGlobally`, `r` `authorizationRestricted`, `i` `insufficientlyInUse`, `s` `serviceSessionRequired`, `u` `locationUnavailable`.
struct ConsentDesk {
  static let tracker = AppID.listed("org.example.tracker")
  static let map = AppID.listed("org.example.map")
  static let mute = AppID.listed("org.example.mute")
  static let script = AppID.unlisted(userID: 1_001, executable: "/home/ann/script")
  static let file = ProgramFile(device: 1, number: 70, changeTimeNanoseconds: 1)
  private static let operatorClient = ClientID(number: 900)

  var desk: OutstandingDesk
  private var lastRequest: UInt32 = 0
  private var lastSession: UInt32 = 0

  init(_ adjust: (inout Configuration) -> Void = { _ in }) {
    desk = OutstandingDesk(allowsApps: false) {
      $0.panel.hasIndicator = true
      $0.apps = [
        AppDeclaration(
          identifier: "org.example.tracker", hasBackgroundLocation: true,
          whenInUseText: "Records the route of this vehicle.",
          alwaysText: "Records the route also when nobody watches.",
          temporaryTexts: [.init(purpose: "delivery", text: "Shows the exact door.")]),
        AppDeclaration(identifier: "org.example.map", whenInUseText: "Shows where you are."),
        AppDeclaration(identifier: "org.example.mute"),
      ]
      adjust(&$0)
    }
    connectOperator()
  }

  private mutating func connectOperator() {
    let peer = Peer(
      userID: 0, processID: 1, app: .unlisted(userID: 0, executable: "/bin/binnacle"),
      mayOperate: true, isOperator: true)
    desk.send(.client(ConsentDesk.operatorClient, .connected(peer, program: "binnacle")))
    desk.send(.wallClockRead(UTCTime(secondsSince1970: 1_790_000_000)))
  }

  // MARK: Apps

  mutating func start(
    _ app: AppID, hasTerminal: Bool = false, file: ProgramFile? = ConsentDesk.file
  ) -> ClientID {
    desk.connect(app, user: 1_001, hasTerminal: hasTerminal, file: file)
  }

  /// Starts an app and opens a sequence of updates.
  mutating func run(
    _ app: AppID, hasTerminal: Bool = false, file: ProgramFile? = ConsentDesk.file
  ) -> ClientID {
    let client = start(app, hasTerminal: hasTerminal, file: file)
    desk.open(client)
    return client
  }

  /// A client makes a session object.
  @discardableResult
  mutating func hold(_ session: AppSession, by client: ClientID) -> SessionID {
    lastSession += 1
    let id = SessionID(number: lastSession)
    desk.send(.client(client, .sessionOpened(id, session)))
    return id
  }

  mutating func invalidate(_ id: SessionID, of client: ClientID) {
    desk.send(.client(client, .sessionClosed(id)))
  }

  /// The last diagnostic of a session object.
  func diagnostic(_ id: SessionID) -> SessionFlags? {
    for case .client(_, .sessionDiagnostic(id, let flags)) in desk.effects.reversed() {
      return flags
    }
    return nil
  }

  /// Whether the indicator is lit.
  var isLit: Bool { desk.lampLevels.last?.isLit ?? false }

  /// The receiver has a fix.
  mutating func fix() {
    let fix = Fix(
      latitude: 48, longitude: 11, horizontalAccuracy: 3,
      time: UTCTime(secondsSince1970: 1_790_000_000) + (desk.now - .zero))
    desk.deliver(fix)
    desk.wait(1)
  }

  /// The updates that a client has seen, a letter each.
  func seen(_ client: ClientID) -> String {
    var letters = ""
    for case .client(client, .deliver(_, let update)) in desk.effects {
      switch (update.fix != nil, update.flags) {
      case (true, []): letters += "f"
      case (true, .accuracyLimited): letters += "l"
      case (false, .authorizationRequestInProgress): letters += "p"
      case (false, .authorizationDenied): letters += "d"
      case (false, [.authorizationDenied, .authorizationDeniedGlobally]): letters += "g"
      case (false, .authorizationRestricted): letters += "r"
      case (false, .insufficientlyInUse): letters += "i"
      case (false, .serviceSessionRequired): letters += "s"
      case (false, .locationUnavailable): letters += "u"
      case _: letters += "?"
      }
    }
    return letters
  }

  /// The locations that a client has seen.
  func places(_ client: ClientID) -> [Fix] {
    desk.effects.compactMap {
      if case .client(client, .deliver(_, let update)) = $0 { update.fix } else { nil }
    }
  }

  // MARK: Persons

  /// Makes a request as an operator; returns the reason of a failure.
  @discardableResult
  mutating func request(_ request: ConsentRequest) -> ConsentRefusal? {
    lastRequest += 1
    let number = lastRequest
    desk.send(.client(ConsentDesk.operatorClient, .requested(number, .consent(request))))
    for case .client(_, .consentRefusal(number, let refusal)) in desk.effects { return refusal }
    return nil
  }

  /// The answer to the last change; nil if it was done, `"-"` if there is no answer yet.
  var lastFailure: String? {
    for case .client(_, .answer(lastRequest, let failure)) in desk.effects { return failure }
    return "-"
  }

  mutating func rows(_ list: ConsentRequest) -> [Report] {
    request(list)
    for case .client(_, .rows(lastRequest, let rows)) in desk.effects { return rows }
    return []
  }

  /// The authorization of an app, by `binnacle apps`.
  mutating func authorization(_ app: AppID) -> String? {
    rows(.apps).first { $0[.rowID] == "\(app)" }?[.rowAuthorization]
  }

  mutating func state(_ app: AppID) -> String? {
    rows(.apps).first { $0[.rowID] == "\(app)" }?[.rowState]
  }

  // MARK: Power

  mutating func cutPower() {
    desk.cutPower()
    connectOperator()
  }

  /// The daemon is stopped, and started again.
  mutating func restart() {
    desk.send(.stopRequested)
    killDaemon()
  }

  /// The daemon is killed, and started again.
  mutating func killDaemon() {
    desk.killDaemon()
    connectOperator()
  }
}

extension ConsentDesk {
  /// A desk without a place for a further request.
  ///
  /// Programs of two users and four apps of manifests have asked, and no app of a manifest is in the foreground. The client is the
  /// first program.
  static func withFullQueue() -> (desk: ConsentDesk, first: ClientID) {
    let names = (0..<4).map { "org.example.more\($0)" }
    var desk = ConsentDesk {
      $0.apps += names.map { AppDeclaration(identifier: $0, whenInUseText: "Asks, too.") }
    }
    var clients: [ClientID] = []
    for number in 0..<PromptQueue.unlistedMax {
      let user = 1_001 + UInt32(number % 2)
      let app = AppID.unlisted(userID: user, executable: "/bin/\(number)")
      clients.append(desk.run(app, hasTerminal: true))
    }
    for name in names {
      _ = desk.run(.listed(name), hasTerminal: true)
      desk.request(.foreground(app: name))
    }
    desk.request(.home)
    desk.desk.wait(11)
    return (desk, clients[0])
  }
}
