import BinnacleBasics
import BinnacleModel
import StateLog

@testable import LocationEngine
@testable import Simulation

/// One state of the walk: the table of apps with the indicator and the disk, and the model.
struct RightsState {
  var table: AppTable
  var light = IndicatorLight()
  /// The records of sessions on the disk.
  var disk: [RecordName: [UInt8]] = [:]
  var model: RightsModel
  /// Whether the lamp was read back lit since it became due, by the model.
  var isLampSeenLit = false
  /// Whether the lamp was read back dark since it became due, by the model.
  var isLampFaulty = false
  private var lastObject: UInt32 = 0
  private let defect: RightsWalk.Defect?

  private static let now = Instant.zero
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.apps = RightsWalk.declarations
    configuration.bootID = String(repeating: "b", count: 36)
    return configuration
  }

  init(_ defect: RightsWalk.Defect?) {
    self.defect = defect
    table = AppTable(RightsState.configuration)
    model = RightsModel(
      manifests: RightsWalk.declarations, others: [], grace: .seconds(10), window: .seconds(10),
      knowsProcesses: true)
  }

  static func client(_ app: Int) -> ClientID { ClientID(number: UInt32(app + 1)) }

  static func peer(_ app: Int, hasTerminal: Bool = false) -> Peer {
    Peer(
      userID: 1_001, processID: Int32(app + 1), app: RightsWalk.apps[app],
      hasTerminal: hasTerminal)
  }

  // MARK: Events

  /// Lets the machine and the model take an event; false if the event is not possible in this state.
  mutating func take(_ event: RightsWalk.Event) -> Bool {
    switch event {
    case .start(let app, let hasTerminal):
      guard !model.isRunning(app) else { return false }
      let (client, peer) = (
        RightsState.client(app), RightsState.peer(app, hasTerminal: hasTerminal)
      )
      table.connected(client, peer, program: "walk", at: RightsState.now)
      model.connected(
        client, app, hasTerminal: hasTerminal, file: nil, processID: peer.processID,
        at: RightsState.now)
    case .end(let app):
      guard model.isRunning(app) else { return false }
      table.disconnected(RightsState.client(app), leaving: [], at: RightsState.now)
      model.disconnected(RightsState.client(app), at: RightsState.now)
    case .updates(let app):
      guard let process = model.process(RightsState.client(app)) else { return false }
      let id = SequenceID(number: 1)
      if process.sequences.isEmpty {
        model.opened(id, of: process.client)
      } else {
        model.closed(id, of: process.client)
      }
    case .hold(let app, let kind):
      guard !model.hasObject(app, kind) else { return false }
      return make(kind.session, app)
    case .release(let app, let kind): return release(app, kind)
    case .requestFullAccuracy(let app):
      guard let process = model.process(RightsState.client(app)),
        !process.objects.contains(where: { RightsModel.Kind($0.session) == nil })
      else { return false }
      return make(.fullAccuracyRequest(purpose: "door"), app)
    case .answer(let app, let authorization, let isReduced):
      if isReduced {
        table.refuseFullAccuracy(to: RightsWalk.apps[app])
        model.madeReduced(app)
      }
      answer(app, authorization, isReduced: isReduced, isUpgrade: authorization == .always)
    case .reset(let app):
      guard model.apps[app].answer != nil else { return false }
      table.setGrant(nil, for: RightsWalk.apps[app])
      model.answered(app, nil)
    case .press(let isAllowed): return press(isAllowed: isAllowed)
    case .bring(let app):
      guard model.isRunning(app) else { return false }
      table.bringToForeground(RightsWalk.apps[app], at: RightsState.now)
      model.bring(app, at: RightsState.now)
    case .home: return pressHome()
    case .services:
      table.services.set(isOn: !model.isOn)
      model.servicesSet(!model.isOn)
    case .lamp(let isLit):
      guard model.isLampDue else { return false }
      light.seen(isLit ? .lit : .faulty("the lamp is dark"))
      (isLampSeenLit, isLampFaulty) = (isLit, !isLit)
    case .timePasses: passTime()
    case .restart: restart()
    }
    settle()
    return true
  }

  private mutating func make(_ session: AppSession, _ app: Int) -> Bool {
    guard model.isRunning(app) else { return false }
    // The number of an object says what it is, so that equal states are equal.
    let id = SessionID(number: RightsModel.Kind(session).map { UInt32($0.rawValue) } ?? 9)
    let client = RightsState.client(app)
    let object = SessionTable.Object(
      client: client, id: id, app: RightsWalk.apps[app], session: session,
      processID: RightsState.peer(app).processID)
    _ = table.sessions.made(object)
    model.made(id, session, of: client)
    if defect == .sessionBeginsInTheBackground, let role = SessionRole(session) {
      _ = table.sessions.settle(role, of: object.app, mayBegin: true, mayContinue: true)
    }
    settle()
    return true
  }

  private mutating func release(_ app: Int, _ kind: RightsModel.Kind) -> Bool {
    guard model.hasObject(app, kind) else { return false }
    let id = SessionID(number: UInt32(kind.rawValue))
    if defect == .invalidatedSessionComesBack {
      table.sessions.clientLeft(
        RightsState.client(app), isScript: false, isRunning: false, at: RightsState.now)
    } else {
      table.sessions.invalidated(id, of: RightsState.client(app))
    }
    model.invalidated(id, of: RightsState.client(app))
    settle()
    return true
  }

  private mutating func answer(
    _ app: Int, _ authorization: Authorization, isReduced: Bool, isUpgrade: Bool
  ) {
    let before = model.apps[app].answer
    let isAlwaysAnswered = isUpgrade || before?.isAlwaysAnswered == true
    let prompts = table.prompts
    if defect != .denialIsForgotten || authorization != .denied {
      table.setGrant(
        Grant(
          authorization, by: .command, isAlwaysAnswered: isAlwaysAnswered, isReduced: isReduced),
        for: RightsWalk.apps[app])
    }
    if defect == .answerIsAskedForTwice { table.prompts = prompts }
    model.answered(
      app,
      RightsModel.Answer(
        authorization: authorization, isAlwaysAnswered: isAlwaysAnswered, isReduced: isReduced))
  }

  /// The person answers the request that is shown.
  private mutating func press(isAllowed: Bool) -> Bool {
    guard let prompt = table.prompts.shown,
      let app = RightsWalk.apps.firstIndex(of: prompt.app)
    else { return false }
    switch prompt.request {
    case .whenInUse:
      answer(app, isAllowed ? .whenInUse : .denied, isReduced: false, isUpgrade: false)
    case .always:
      let isReduced = model.apps[app].answer?.isReduced == true
      answer(app, isAllowed ? .always : .whenInUse, isReduced: isReduced, isUpgrade: true)
    case .fullAccuracy:
      table.temporaryAccuracy.answered(
        prompt.app, prompt.purpose ?? "", isGiven: isAllowed)
      if isAllowed { model.madeExact(app) }
    }
    settle()
    return true
  }

  private mutating func pressHome() -> Bool {
    if table.foreground.app != nil {
      table.sendForegroundAway(at: RightsState.now)
    } else if let last = model.last, model.isRunning(last) {
      table.bringToForeground(RightsWalk.apps[last], at: RightsState.now)
    } else {
      return false
    }
    model.pressHome(at: RightsState.now)
    settle()
    return true
  }

  private mutating func passTime() {
    let later = RightsState.now + .seconds(60)
    var effects: [Effect] = []
    let sessions = table.sessions
    _ = table.lapseRights(at: later, into: &effects)
    if defect == .lapsedSessionComesBack { table.sessions = sessions }
    model.timePasses(to: later)
  }

  /// The daemon starts with the records of the disk.
  private mutating func restart() {
    var records = RecordSet()
    for (name, value) in disk.sorted(by: { $0.key < $1.key }) {
      records.apply(Change(name, .put(value, isCautious: true)))
    }
    for entry in table.grants.entries {
      guard let name = entry.app.grantKey.flatMap(RecordTable.grant.named) else { continue }
      records.apply(Change(name, .put(entry.grant.bytes, isCautious: true)))
    }
    let services = table.services
    table = AppTable(RightsState.configuration)
    table.services = services
    var effects: [Effect] = []
    table.adoptGrants(
      StateReading(records: records), isFirst: true, at: RightsState.now, into: &effects)
    light = IndicatorLight()
    let sessions = model.apps.map { app in
      RightsModel.Kind.allCases.filter { $0.isRejoined && app.isHeld($0) }
    }
    let processes = RightsModel.ProcessRecords(holders: model.apps.indices.map(model.holders))
    // The last app in the foreground and the processes in the background are records of the engine, not of this table.
    model.restarted(
      answers: model.apps.map(\.answer), sessions: sessions, last: nil, isOn: model.isOn,
      processes: processes, at: RightsState.now)
    (isLampSeenLit, isLampFaulty) = (false, false)
  }

  // MARK: Consequences

  /// Does the work of the engine after each event.
  private mutating func settle() {
    let exact = table.temporaryAccuracy
    table.settleSessions()
    if defect == .placeStaysExact { table.temporaryAccuracy = exact }
    settlePrompts()
    let wanting = RightsWalk.apps.indices.filter(model.wantsUpdates).map { RightsWalk.apps[$0] }
    let isDue = table.isLightDue(isWanting: wanting.contains)
    let isOrdered = isDue && defect != .lampStaysDarkWhileUpdatesAreDelivered
    if isDue || defect != .lampIsLitWithoutAReason {
      _ = light.due(isOrdered, at: RightsState.now)
    }
    let believed = believedLight(isDue: isDue)
    if believed != table.light {
      table.light = believed
      table.settleSessions()
      settlePrompts()
    }
    for note in table.takeSessionNotes(at: RightsState.now) {
      if let name = note.kind.named(note.key) { disk[name] = note.value }
    }
    if !model.isLampDue { (isLampSeenLit, isLampFaulty) = (false, false) }
  }

  /// The state of the lamp on which deliveries depend.
  private func believedLight(isDue: Bool) -> IndicatorState {
    switch defect {
    case .lampIsNotWaitedFor where light.state == .asserting: .lit
    case .lampStaysDarkWhileUpdatesAreDelivered where isDue: .lit
    case _: light.state
    }
  }

  private mutating func settlePrompts() {
    let wanting = RightsWalk.apps.indices.filter(model.wantsUpdates).map { RightsWalk.apps[$0] }
    if defect == .answerIsAskedForTwice, isAnswered { return }
    _ = table.settlePrompts(hasUpdates: wanting.contains, time: nil, at: RightsState.now)
    if defect == .sessionWithoutUpdatesIsNotAskedFor {
      table.prompts.remove { prompt in
        prompt.app == RightsWalk.apps[0] && prompt.request == .whenInUse
          && !wanting.contains(prompt.app)
      }
    }
  }

  /// Whether the request of an app that runs has its answer.
  private var isAnswered: Bool {
    table.prompts.contains { prompt in
      guard let app = RightsWalk.apps.firstIndex(of: prompt.app) else { return false }
      return model.isRunning(app) && model.apps[app].answer != nil
    }
  }

  // MARK: The rules

  /// The rule that the state breaks; nil if it breaks none.
  var brokenRule: String? {
    for app in RightsWalk.apps.indices {
      if let rule = brokenDelivery(app) ?? brokenSession(app) ?? brokenPrompt(app) { return rule }
    }
    if (table.light != .dark) != model.isLampDue {
      return "the lamp is due: \(table.light != .dark), and should be: \(model.isLampDue)"
    }
    if light.state == .dark, model.isLampDue {
      return "the lamp is dark, although an app in the background may receive locations"
    }
    if table.prompts.prompts.count(where: { $0.shownAt != nil }) > 1 {
      return "two requests are shown"
    }
    return nil
  }

  private func brokenDelivery(_ app: Int) -> String? {
    guard let process = model.process(RightsState.client(app)) else { return nil }
    let entitlement = table.entitlement(
      of: RightsState.peer(app, hasTerminal: process.hasTerminal))
    let mayReceive = model.mayReceive(process)
    let isInFront = model.isInFront(app)
    if entitlement.permitsDelivery {
      if !mayReceive { return "delivered without authorization or use: app \(app)" }
      if !isInFront, !isLampSeenLit {
        return "delivered in the background without the lamp: app \(app)"
      }
      if entitlement.isReduced != model.isReduced(app) {
        return "accuracy of app \(app) is reduced: \(entitlement.isReduced)"
      }
    } else if mayReceive, isInFront || isLampSeenLit {
      return "withheld from an app that is entitled: app \(app)"
    }
    let isRefused = !entitlement.isGranted
    if mayReceive, isRefused, isInFront || !isLampFaulty {
      return "refused to an app that is entitled: app \(app)"
    }
    return nil
  }

  private func brokenSession(_ app: Int) -> String? {
    for role in SessionRole.allCases {
      guard let kind = RightsModel.Kind(rawValue: role.rawValue) else { return "a session unknown" }
      let (isHeld, shouldBe) =
        (table.sessions.isHeld(role, by: RightsWalk.apps[app]), model.apps[app].isHeld(kind))
      if isHeld != shouldBe {
        return
          "a session (\(role.inWords)) of app \(app) is held: \(isHeld), and should be: \(shouldBe)"
      }
    }
    return nil
  }

  private func brokenPrompt(_ app: Int) -> String? {
    let own = table.prompts.prompts.filter { $0.app == RightsWalk.apps[app] }
    for prompt in own {
      guard model.isRunning(app) else { return "a request of app \(app), which has ended" }
      guard model.isOn else { return "asked while services are off: app \(app)" }
      let isUnanswered =
        switch prompt.request {
        case .whenInUse: model.apps[app].answer == nil
        case .always: model.isUpgradeUnanswered(app)
        case .fullAccuracy: model.isReduced(app)
        }
      if !isUnanswered {
        return "asked for an answer that is there: app \(app), \(prompt.request.name)"
      }
      if prompt.shownAt != nil, !model.isInFront(app) {
        return "asked in the background: app \(app)"
      }
    }
    if model.mustAsk(app), !own.contains(where: { $0.request == .whenInUse }) {
      return "no request of app \(app)"
    }
    return nil
  }
}

extension RightsModel.Kind {
  /// An object that holds a session of this kind.
  var session: AppSession {
    switch self {
    case .background: .backgroundActivity
    case .serviceNone: .service(.none)
    case .serviceWhenInUse: .service(.whenInUse)
    case .serviceAlways: .service(.always)
    case .classic: .standardUpdates
    case .activity: .liveActivity(text: "on the way")
    case .task: .backgroundTask
    }
  }
}
