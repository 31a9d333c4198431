import BinnacleBasics
import BinnacleModel

@testable import LocationEngine

/// Every sequence of a few events at the table of apps, equal states visited once, and rules that hold in each state.
///
/// The rules come from a model of their own: what persons have answered, and which processes there are.
struct ConsentWalk {
  enum Event: Hashable, CustomStringConvertible {
    case start(Int, hasTerminal: Bool)
    case end(Int)
    case want(Int)
    case unwant(Int)
    case answer(Int, Authorization)
    case reset(Int)
    case bring(Int)
    case home
    case services(Bool)
    /// All times pass: graces and places that are kept.
    case timePasses

    var description: String {
      switch self {
      case .start(let app, let hasTerminal): "start \(app)\(hasTerminal ? " in a terminal" : "")"
      case .end(let app): "end \(app)"
      case .want(let app): "want \(app)"
      case .unwant(let app): "unwant \(app)"
      case .answer(let app, let authorization): "\(authorization.name) \(app)"
      case .reset(let app): "reset \(app)"
      case .bring(let app): "bring \(app)"
      case .home: "home"
      case .services(let isOn): "services \(isOn ? "on" : "off")"
      case .timePasses: "time passes"
      }
    }
  }

  /// A deliberately broken machine: the walk must find each of them.
  enum Defect: CaseIterable {
    case denialIsForgotten
    case promptOutlivesItsAnswer
    case homeIsIgnored
    case servicesCountForNoApp
    case graceNeverEnds
    case everyAppIsInFront
  }

  /// Two apps of the manifests and a program without a manifest.
  static let apps: [AppID] = [
    ConsentDesk.tracker, ConsentDesk.map, ConsentDesk.script,
  ]
  static let events: [Event] =
    apps.indices.flatMap { app -> [Event] in
      [
        .start(app, hasTerminal: true), .start(app, hasTerminal: false), .end(app), .want(app),
        .unwant(app), .answer(app, .whenInUse), .answer(app, .denied), .reset(app),
      ]
    } + [
      .answer(0, .always), .bring(0), .bring(1), .home, .services(false), .services(true),
      .timePasses,
    ]

  /// One state: the machine, and the model.
  struct State {
    var table: AppTable
    var answers: [Authorization?] = [nil, nil, nil]
    var isOn = true
    var terminals: [Bool?] = [nil, nil, nil]
    var wanting = [false, false, false]
    /// The app of the manifests in front of the person, by the model.
    var front: Int?
    var last: Int?
    /// Whether the place of the app in front is kept although its process has ended.
    var isKept = false
    /// Apps that left the front since the last passing of time.
    var graces: Set<Int> = []
  }

  private(set) var stateCount = 0
  private(set) var transitionCount = 0
  /// The first sequence of events that breaks a rule, and the rule.
  private(set) var failure: String?

  init(depth: Int, defect: Defect? = nil) {
    var configuration = Configuration()
    configuration.apps = [
      AppDeclaration(identifier: "org.example.tracker", whenInUseText: "a"),
      AppDeclaration(identifier: "org.example.map", whenInUseText: "b"),
    ]
    let start = State(table: AppTable(configuration))
    var visited: Set<[UInt8]> = [ConsentWalk.key(of: start)]
    var frontier: [(state: State, path: [Event])] = [(start, [])]
    for _ in 0..<depth {
      var next: [(state: State, path: [Event])] = []
      for (state, path) in frontier {
        for event in ConsentWalk.events {
          var state = state
          guard ConsentWalk.take(event, &state, defect) else { continue }
          transitionCount += 1
          guard visited.insert(ConsentWalk.key(of: state)).inserted else { continue }
          if let rule = ConsentWalk.brokenRule(state) {
            failure = (path + [event]).map { "\($0)" }.joined(separator: ", ") + ": " + rule
            stateCount = visited.count
            return
          }
          next.append((state, path + [event]))
        }
      }
      frontier = next
    }
    stateCount = visited.count
  }

  /// The bytes that tell a state from others; time limits count as present or absent.
  private static func key(of state: State) -> [UInt8] {
    var key: [UInt8] = [
      state.table.services.isOn ? 1 : 0, state.isOn ? 1 : 0, state.isKept ? 1 : 0,
    ]
    for client in state.table.clients {
      key.append(UInt8(client.id.number) << 1 | (client.peer.hasTerminal ? 1 : 0))
    }
    key.append(255)
    for prompt in state.table.prompts.prompts {
      key.append(number(prompt.app) << 1 | (prompt.shownAt == nil ? 0 : 1))
    }
    key.append(255)
    for app in apps.indices {
      key.append(state.table.grants[apps[app]]?.authorization.rawValue ?? 9)
      key.append(state.answers[app]?.rawValue ?? 9)
      key.append((state.wanting[app] ? 1 : 0) | (state.graces.contains(app) ? 2 : 0))
      key.append(state.table.foreground.isInGrace(apps[app]) ? 1 : 0)
    }
    key += [state.table.foreground.app, state.table.foreground.last].map {
      $0.map(number) ?? 9
    }
    key.append(UInt8(state.front ?? 9))
    key.append(state.table.foreground.nextDeadline == nil ? 0 : 1)
    return key
  }

  private static func number(_ app: AppID) -> UInt8 {
    UInt8(apps.firstIndex(of: app) ?? 9)
  }

  private static func client(_ app: Int) -> ClientID { ClientID(number: UInt32(app + 1)) }

  // MARK: The machine and the model

  /// Lets machine and model take an event; false if the event is not possible in this state.
  private static func take(_ event: Event, _ state: inout State, _ defect: Defect?) -> Bool {
    let now = Instant.zero
    switch event {
    case .start(let app, let hasTerminal):
      guard state.terminals[app] == nil else { return false }
      state.terminals[app] = hasTerminal
      let peer = Peer(
        userID: 1_001, processID: 7, app: apps[app], hasTerminal: hasTerminal,
        file: ConsentDesk.file)
      state.table.connected(client(app), peer, program: "walk", at: now)
      if defect == .everyAppIsInFront, app < 2 { state.table.bringToForeground(apps[app], at: now) }
      if app < 2, state.front == app { state.isKept = false }
      if app < 2, state.front == nil || state.isKept, hasTerminal {
        (state.front, state.last, state.isKept) = (app, app, false)
        state.graces.remove(app)
      }
    case .end(let app):
      guard state.terminals[app] != nil else { return false }
      state.terminals[app] = nil
      state.wanting[app] = false
      state.table.disconnected(client(app), leaving: [], at: now)
      state.graces.remove(app)
      if state.front == app { state.isKept = true }
    case .want(let app):
      guard state.terminals[app] != nil, !state.wanting[app] else { return false }
      state.wanting[app] = true
    case .unwant(let app):
      guard state.wanting[app] else { return false }
      state.wanting[app] = false
    case .answer(let app, let authorization):
      state.answers[app] = authorization
      guard defect != .denialIsForgotten || authorization != .denied else { break }
      state.table.setGrant(
        Grant(authorization, by: .command, file: app == 2 ? ConsentDesk.file : nil), for: apps[app])
    case .reset(let app):
      state.answers[app] = nil
      state.table.setGrant(nil, for: apps[app])
    case .bring(let app):
      guard state.terminals[app] != nil else { return false }
      bring(app, &state)
      state.table.bringToForeground(apps[app], at: now)
    case .home: return home(&state, defect)
    case .services(let isOn):
      state.isOn = isOn
      state.table.services.set(isOn: isOn || defect == .servicesCountForNoApp)
    case .timePasses:
      state.graces = []
      if state.isKept { (state.front, state.isKept) = (nil, false) }
      var effects: [Effect] = []
      if defect != .graceNeverEnds {
        _ = state.table.lapseRights(at: now + .seconds(60), into: &effects)
      }
    }
    settle(&state, defect)
    return true
  }

  private static func bring(_ app: Int, _ state: inout State) {
    guard state.front != app else { return }
    leave(&state)
    (state.front, state.last, state.isKept) = (app, app, false)
    state.graces.remove(app)
  }

  private static func leave(_ state: inout State) {
    if let front = state.front, !state.isKept { state.graces.insert(front) }
    (state.front, state.isKept) = (nil, false)
  }

  private static func home(_ state: inout State, _ defect: Defect?) -> Bool {
    if state.front != nil {
      leave(&state)
      if defect != .homeIsIgnored { state.table.sendForegroundAway(at: .zero) }
    } else {
      guard let last = state.last, state.terminals[last] != nil else { return false }
      bring(last, &state)
      state.table.bringToForeground(apps[last], at: .zero)
    }
    settle(&state, defect)
    return true
  }

  private static func settle(_ state: inout State, _ defect: Defect?) {
    let wanting = apps.indices.filter { state.wanting[$0] }.map { apps[$0] }
    if defect == .promptOutlivesItsAnswer, !state.table.prompts.prompts.isEmpty { return }
    _ = state.table.settlePrompts(hasUpdates: wanting.contains, time: nil, at: .zero)
  }

  // MARK: The rules

  /// The rule that a state breaks; nil if it breaks none.
  private static func brokenRule(_ state: State) -> String? {
    for app in apps.indices {
      guard let terminal = state.terminals[app] else {
        if state.table.prompts.contains(where: { $0.app == apps[app] }) {
          return "a prompt of an app that has ended"
        }
        continue
      }
      let peer = Peer(
        userID: 1_001, processID: 7, app: apps[app], hasTerminal: terminal, file: ConsentDesk.file)
      let isInFront = app == 2 ? terminal : state.front == app && !state.isKept
      let isInUse = isInFront || state.graces.contains(app)
      let isAllowed = state.answers[app]?.isGiven == true
      let wanted = state.isOn && isAllowed && isInUse
      let entitlement = state.table.entitlement(of: peer)
      if entitlement.isGranted != wanted {
        return "app \(app) is entitled: \(entitlement.isGranted), and should be: \(wanted)"
      }
      let asks = state.isOn && isInFront && state.wanting[app] && state.answers[app] == nil
      let isShown = state.table.prompts.shown?.app == apps[app]
      if isShown, !asks { return "a prompt of app \(app), which may not ask" }
      if asks, !state.table.prompts.contains(where: { $0.app == apps[app] }) {
        return "no prompt of app \(app)"
      }
      if state.table.prompts.contains(where: { $0.app == apps[app] }), state.answers[app] != nil {
        return "app \(app) asks for an answer that it has"
      }
    }
    if state.table.prompts.prompts.count(where: { $0.shownAt != nil }) > 1 {
      return "two prompts are shown"
    }
    return nil
  }
}
