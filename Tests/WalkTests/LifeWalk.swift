import BinnacleModel

/// Every sequence of a few events in the life of an app that the launcher runs, from several beginnings.
struct LifeWalk {
  static let identifier = "org.example.tracker"
  static let app = AppID.listed(identifier)

  enum Event: CaseIterable, Hashable {
    /// A person starts the app, closes it, presses HOME, allows or denies locations.
    case start, quit, home, allow, deny
    /// The process connects, makes its session and opens its updates.
    case begin
    /// The process ends by a signal, or by itself with success.
    case crash, exit
    /// A second passes, and the receiver has a fix.
    case fix
    /// 25 seconds pass without a fix.
    case rest
    case restartDaemon, restartLauncher
  }

  /// A deliberately broken engine: the walk must find each of them, by the rule that the engine breaks.
  enum Defect: CaseIterable {
    case closedAppComesBack
    case waitingUpdatesAreLost
    case waitingUpdatesAreRepeated
    case denialKeepsWaitingUpdates
    case suspendsWithoutNotice

    /// The beginning of the rule's text.
    var rule: String {
      switch self {
      case .closedAppComesBack: "launched after a person had closed"
      case .waitingUpdatesAreLost, .waitingUpdatesAreRepeated, .denialKeepsWaitingUpdates:
        "delivered second"
      case .suspendsWithoutNotice: "suspended without a notice"
      }
    }
  }

  /// The events that lead to each beginning.
  static let roots: [[Event]] = [
    [],
    [.start, .begin, .fix],
    [.start, .begin, .fix, .home, .fix],
    [.start, .begin, .fix, .home, .fix, .rest],
    [.start, .begin, .fix, .home, .fix, .crash],
    [.start, .begin, .home, .restartDaemon, .fix],
  ]

  private(set) var historyCount = 0
  private(set) var eventCount = 0
  /// The first sequence of events that breaks a rule, and the rule.
  private(set) var failure: String?
  private(set) var brokenRule: String?

  init(depth: Int, defect: Defect? = nil) {
    for root in LifeWalk.roots where failure == nil {
      var history = LifeHistory(defect)
      for (number, event) in root.enumerated() {
        if !history.take(event) { failure = "\(event) is not possible" }
        note(history, Array(root[...number]))
      }
      walk(from: history, root, depth: depth)
    }
  }

  private mutating func walk(from history: LifeHistory, _ path: [Event], depth: Int) {
    guard depth > 0, failure == nil else {
      historyCount += 1
      return
    }
    for event in Event.allCases where failure == nil {
      var next = history
      guard next.take(event) else { continue }
      eventCount += 1
      note(next, path + [event])
      walk(from: next, path + [event], depth: depth - 1)
    }
  }

  private mutating func note(_ history: LifeHistory, _ path: [Event]) {
    guard failure == nil, let rule = history.brokenRule else { return }
    failure = path.map { "\($0)" }.joined(separator: ", ") + ": " + rule
    brokenRule = rule
  }
}
