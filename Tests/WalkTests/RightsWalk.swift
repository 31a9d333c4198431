import BinnacleBasics
import BinnacleModel
import StateLog

@testable import LocationEngine
@testable import Simulation

/// Every sequence of a few events at the rights of two apps: answers, sessions, the foreground, the lamp, the disk.
///
/// Equal states are visited once. ``RightsModel`` takes the same events, and the rules compare both in each state. The
/// walk begins at several states, so that long histories are reached with few events.
struct RightsWalk {
  enum Event: Hashable {
    case start(Int, hasTerminal: Bool)
    case end(Int)
    /// The app opens updates, or closes them.
    case updates(Int)
    case hold(Int, RightsModel.Kind)
    case release(Int, RightsModel.Kind)
    case requestFullAccuracy(Int)
    case answer(Int, Authorization, isReduced: Bool)
    case reset(Int)
    /// Button ALLOW answers the open prompt.
    case press(isAllowed: Bool)
    case bring(Int)
    case home
    case services
    case lamp(isLit: Bool)
    /// All times pass: the grace, `RejoinWindow`.
    case timePasses
    /// The daemon ends at once and starts again.
    case restart
  }

  /// A deliberately broken machine: the walk must find each of them, by the rule that the machine breaks.
  enum Defect: CaseIterable {
    case denialIsForgotten
    case lampIsLitWithoutAReason
    case lampStaysDarkWhileUpdatesAreDelivered
    case lampIsNotWaitedFor
    case sessionBeginsInTheBackground
    case lapsedSessionComesBack
    case invalidatedSessionComesBack
    case answerIsAskedForTwice
    case sessionWithoutUpdatesIsNotAskedFor
    case placeStaysExact

    /// The beginning of the rule's text.
    var rule: String {
      switch self {
      case .denialIsForgotten: "delivered without authorization"
      case .lampIsLitWithoutAReason: "the lamp is due: true"
      case .lampStaysDarkWhileUpdatesAreDelivered: "the lamp is dark"
      case .lampIsNotWaitedFor: "delivered in the background without the lamp"
      case .sessionBeginsInTheBackground, .lapsedSessionComesBack, .invalidatedSessionComesBack:
        "a session"
      case .answerIsAskedForTwice: "asked for an answer"
      case .sessionWithoutUpdatesIsNotAskedFor: "no request of app 0"
      case .placeStaysExact: "accuracy"
      }
    }
  }

  static let declarations = [
    AppDeclaration(
      identifier: "org.example.tracker", hasBackgroundLocation: true, whenInUseText: "a",
      alwaysText: "b", temporaryTexts: [.init(purpose: "door", text: "c")]),
    AppDeclaration(
      identifier: "org.example.fleet", hasBackgroundLocation: true, whenInUseText: "d",
      needsServiceSession: true),
  ]
  static let apps = declarations.map(\.app)

  static let events: [Event] = [
    .start(0, hasTerminal: true), .start(0, hasTerminal: false), .end(0), .updates(0),
    .hold(0, .background), .release(0, .background), .hold(0, .serviceAlways),
    .release(0, .serviceAlways), .hold(0, .classic), .hold(0, .activity), .release(0, .activity),
    .hold(0, .task),
    .requestFullAccuracy(0),
    .answer(0, .whenInUse, isReduced: false), .answer(0, .whenInUse, isReduced: true),
    .answer(0, .always, isReduced: false), .answer(0, .denied, isReduced: false), .reset(0),
    .start(1, hasTerminal: true), .end(1), .updates(1), .hold(1, .serviceWhenInUse),
    .hold(1, .background), .answer(1, .whenInUse, isReduced: false),
    .press(isAllowed: true), .press(isAllowed: false), .bring(0), .home, .services,
    .lamp(isLit: true), .lamp(isLit: false), .timePasses, .restart,
  ]

  /// The events that lead to each beginning.
  static let roots: [[Event]] = [
    [],
    [
      .answer(0, .whenInUse, isReduced: false), .start(0, hasTerminal: true), .updates(0),
      .hold(0, .background), .home, .lamp(isLit: true),
    ],
    [
      .answer(0, .always, isReduced: false), .start(0, hasTerminal: true),
      .hold(0, .serviceAlways), .hold(0, .background), .home, .end(0),
    ],
    [
      .answer(0, .whenInUse, isReduced: true), .start(0, hasTerminal: true),
      .requestFullAccuracy(0), .press(isAllowed: true),
    ],
  ]

  private(set) var stateCount = 0
  private(set) var transitionCount = 0
  /// The first sequence of events that breaks a rule, and the rule.
  private(set) var failure: String?
  /// The rule alone.
  private(set) var brokenRule: String?
  /// The changes of each machine of app 0.
  private(set) var changes: Set<StateChange> = []

  init(depth: Int, defect: Defect? = nil) {
    var visited: Set<[UInt8]> = []
    var frontier: [(state: RightsState, path: [Event])] = []
    for root in RightsWalk.roots {
      var state = RightsState(defect)
      for event in root where !state.take(event) { failure = "\(event) is not possible" }
      if visited.insert(state.key).inserted { frontier.append((state, root)) }
    }
    for _ in 0..<depth where failure == nil {
      var next: [(state: RightsState, path: [Event])] = []
      for (before, path) in frontier {
        for event in RightsWalk.events {
          var state = before
          guard state.take(event) else { continue }
          transitionCount += 1
          note(event, from: before, to: state)
          guard visited.insert(state.key).inserted else { continue }
          if let rule = state.brokenRule {
            failure = (path + [event]).map { "\($0)" }.joined(separator: ", ") + ": " + rule
            brokenRule = rule
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

  private mutating func note(_ event: Event, from before: RightsState, to after: RightsState) {
    for machine in StateChange.Machine.allCases {
      let (old, new) = (machine.state(in: before), machine.state(in: after))
      if old != new {
        let text = machine.text(of: event, to: new)
        changes.insert(StateChange(machine: machine, from: old, event: text, to: new))
      }
    }
  }
}
