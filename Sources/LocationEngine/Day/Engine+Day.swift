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
  ///
  /// A program without a manifest that has never opened updates only asks, such as a command line tool, and is no app here.
  mutating func noteApps(at now: Instant) {
    for client in apps.clients {
      let app = client.peer.app
      noteState(of: app, at: now)
      if client.peer.isOperator { continue }
      if app.hasManifest || updates.isOpen(for: app) { noteApp(app, at: now) }
    }
    for life in apps.lives.lives {
      noteState(of: life.app, at: now)
      noteApp(life.app, at: now)
    }
    for app in day.apps { noteApp(app, at: now) }
    for app in appStates.apps { noteState(of: app, at: now) }
    // A method of the engine as the argument would copy the whole engine.
    let apps = apps
    appStates.forget { app in
      apps.declaration(of: app) != nil || apps.grants[app] != nil
        || apps.namedReaders.contains(app)
    }
  }

  /// Notes since when an app has its state; called when the state may have changed.
  mutating func noteState(of app: AppID, at now: Instant) {
    appStates.note(app, apps.state(of: app), at: now)
  }

  private mutating func noteApp(_ app: AppID, at now: Instant) {
    day.noteApp(app, DayState(apps.state(of: app)), since: startInstant, at: now)
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
