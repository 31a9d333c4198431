import BinnacleModel

@testable import LocationEngine
@testable import Simulation

/// A change of one machine of the first app: the state before, the event, the state after.
struct StateChange: Hashable, Comparable {
  /// A part of the rights of an app that has states of its own.
  enum Machine: Int, CaseIterable, Comparable {
    case authorization
    case appState
    case backgroundSession
    case alwaysSession
    case indicator

    static func < (left: Machine, right: Machine) -> Bool { left.rawValue < right.rawValue }

    /// The states of the machine, in the order of the page, each with its meaning.
    var states: [(name: String, meaning: String)] {
      switch self {
      case .authorization:
        [
          ("not determined", "no person has answered"),
          ("when in use", "a person has allowed locations while the app is in use"),
          ("when in use, reduced", "the same, with the cell of a grid in place of the position"),
          (
            "when in use, exact for now",
            "reduced, and a person has given full accuracy until the app is no longer in use"
          ),
          ("always", "a person has allowed locations also while the app is not in use"),
          ("denied", "a person has denied locations"),
        ]
      case .appState:
        [
          ("not running", "no process of the app is connected"),
          ("foreground", "the app is in front of the person"),
          ("background, in grace", "the app left the foreground less than `BackgroundGrace` ago"),
          ("background", "a process is connected, and the app is not in front"),
        ]
      case .backgroundSession, .alwaysSession:
        [
          ("none", "no object, and no session"),
          ("pending", "an object exists, and the session has not begun"),
          ("held", "the session has its effect, and an object holds it"),
          ("away", "the session continues without a process, until the app is started"),
          ("back", "the session continues, and a new process may take it up within `RejoinWindow`"),
        ]
      case .indicator:
        [
          ("dark", "no app in the background may receive locations"),
          ("asserting", "the lamp is ordered to be lit, and was not read back yet"),
          ("lit", "the lamp was read back lit; locations are delivered in the background"),
          ("failed", "the lamp cannot be lit; nothing is delivered in the background"),
        ]
      }
    }

    var title: String {
      switch self {
      case .authorization: "Authorization of an app"
      case .appState: "State of an app"
      case .backgroundSession: "Background activity session"
      case .alwaysSession: "Service session for use at all times"
      case .indicator: "Indicator"
      }
    }

    /// The state of the machine for the first app.
    func state(in state: RightsState) -> String {
      switch self {
      case .authorization: Machine.authorization(in: state)
      case .appState: Machine.appState(in: state)
      case .backgroundSession: Machine.session(.background, in: state)
      case .alwaysSession: Machine.session(.serviceAlways, in: state)
      case .indicator:
        switch state.light.state {
        case .dark: "dark"
        case .asserting: "asserting"
        case .lit: "lit"
        case .failed: "failed"
        }
      }
    }

    /// The event that changes the machine; for the indicator the consequence of the event counts.
    func text(of event: RightsWalk.Event, to state: String) -> String {
      guard self == .indicator else { return event.text }
      switch event {
      case .lamp,
        .restart where state != "dark":
        return event.text
      case _:
        return state == "dark"
          ? "no app in the background may receive locations any more"
          : "an app in the background may receive locations"
      }
    }

    private static func authorization(in state: RightsState) -> String {
      let app = RightsWalk.apps[0]
      switch state.table.authorization(of: app, file: nil) {
      case .notDetermined: return "not determined"
      case .restricted: return "restricted"
      case .denied: return "denied"
      case .always: return "always"
      case .whenInUse:
        guard state.table.isReducedByAnswer(app) else { return "when in use" }
        return state.table.isReduced(app) ? "when in use, reduced" : "when in use, exact for now"
      }
    }

    private static func appState(in state: RightsState) -> String {
      let app = RightsWalk.apps[0]
      switch state.table.state(of: app) {
      case .notRunning: return "not running"
      case .foreground: return "foreground"
      case .suspended: return "suspended"
      case .background:
        return state.table.foreground.isInGrace(app) ? "background, in grace" : "background"
      }
    }

    private static func session(_ role: SessionRole, in state: RightsState) -> String {
      let sessions = state.table.sessions.apps.first { $0.app == RightsWalk.apps[0] }
      switch sessions?[role].state {
      case nil, .some(.none): return "none"
      case .pending: return "pending"
      case .held: return "held"
      case .away: return "away"
      case .back: return "back"
      case .shared: return "shared"
      case .awaited: return "awaited"
      }
    }
  }

  let machine: Machine
  let from: String
  let event: String
  let to: String

  /// The order of the page.
  static func < (left: StateChange, right: StateChange) -> Bool {
    func place(_ state: String, _ machine: Machine) -> Int {
      machine.states.firstIndex { $0.name == state } ?? machine.states.count
    }
    return (
      left.machine, place(left.from, left.machine), place(left.to, left.machine), left.event
    ) < (
      right.machine, place(right.from, right.machine), place(right.to, right.machine), right.event
    )
  }
}

extension RightsWalk.Event {
  /// The event in plain English, as the first app sees it.
  var text: String {
    switch self {
    case .start(0, let hasTerminal):
      "a process of the app connects\(hasTerminal ? " with a terminal" : "")"
    case .start: "a process of another app connects with a terminal"
    case .end(0): "the last process of the app ends"
    case .end: "the last process of another app ends"
    case .updates(0): "the app opens or closes updates"
    case .updates: "another app opens or closes updates"
    case .hold(0, let kind): "the app makes \(kind.inWords)"
    case .hold(_, let kind): "another app makes \(kind.inWords)"
    case .release(0, let kind): "the app invalidates \(kind.inWords)"
    case .release(_, let kind): "another app invalidates \(kind.inWords)"
    case .requestFullAccuracy: "the app requests full accuracy"
    case .answer(let app, let authorization, let isReduced):
      "a person \(authorization == .denied ? "denies" : "allows") \(app == 0 ? "the app" : "another app")"
        + (authorization == .always ? " always" : "") + (isReduced ? ", with reduced accuracy" : "")
    case .reset: "a person resets the app"
    case .press(let isAllowed): "ALLOW, \(isAllowed ? "short" : "long") press"
    case .bring: "a person brings the app to the foreground"
    case .home: "HOME"
    case .services: "location services are turned off or on"
    case .lamp(let isLit): isLit ? "the lamp is read back lit" : "the lamp fails"
    case .timePasses: "time passes"
    case .restart: "the daemon starts again"
    }
  }
}

extension RightsModel.Kind {
  fileprivate var inWords: String {
    switch self {
    case .background: "a background activity session"
    case .serviceNone: "a service session"
    case .serviceWhenInUse: "a service session (when in use)"
    case .serviceAlways: "a service session (always)"
    case .classic: "standard updates in the background"
    case .activity: "a live activity"
    case .task: "a background task"
    }
  }
}
