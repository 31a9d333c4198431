import BinnacleBasics
import BinnacleModel

/// The history of the last day.
extension Engine {
  /// Notes whether the board rests, by the shortest dwell that is judged; called when a verdict may have changed.
  mutating func noteMovement(at now: Instant) {
    let shortest = rest.rests.min { $0.dwell < $1.dwell }
    let state: DayState =
      switch shortest?.machine.verdict.isStationary {
      case nil: .notJudged
      case .some(true): .resting
      case .some(false): .moving
      }
    day.note(.movement, state, at: now)
  }

  /// Notes the states of the apps; called when the rights of an app may have changed, which includes each change of a state.
  mutating func noteApps(at now: Instant) {
    let present =
      apps.clients.filter { !$0.peer.isOperator }.map(\.peer.app) + apps.lives.lives.map(\.app)
    for app in present + day.apps {
      day.noteApp(app, DayState(apps.state(of: app)), since: startInstant, at: now)
    }
  }

  func dayReport(at now: Instant) -> DayReport {
    DayReport(history: day, start: startInstant, now: now, time: time(at: now))
  }
}

extension StatusLight.Pattern {
  /// The receiver's state that the pattern shows.
  var dayState: DayState {
    switch self {
    case .off: .absent
    case .slowBlink: .searching
    case .solid: .fix
    case .fastBlink: .silent
    case .doubleBlink: .paused
    case .asleep: .asleep
    }
  }
}

extension IndicatorState {
  var dayState: DayState {
    switch self {
    case .dark: .dark
    case .asserting: .asserting
    case .lit: .lit
    case .failed: .failed
    }
  }
}
