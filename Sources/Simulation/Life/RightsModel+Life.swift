import BinnacleBasics

/// The rights of apps whose processes the launcher runs.
extension RightsModel {
  /// The launcher runs the app from now on.
  mutating func started(_ app: Int, byPerson: Bool, at now: Instant) {
    launched.append(app)
    if front == app { keptUntil = nil }
    if byPerson { bring(app, at: now) }
    settle()
  }

  /// The daemon has found that the launcher runs the app.
  mutating func found(_ app: Int) {
    launched.append(app)
    settle()
  }

  /// The process that the launcher ran has ended.
  ///
  /// - Parameters:
  ///   - app: the place of the app.
  ///   - hasRefused: whether the process has ended by itself, with success, within `RejoinWindow` of its start: it has
  ///     not taken up what waited, and does not want it.
  ///   - isElsewhere: whether a process is connected that the launcher has not started.
  ///   - now: the instant.
  mutating func ended(_ app: Int, hasRefused: Bool, isElsewhere: Bool, at now: Instant) {
    launched.removeAll { $0 == app }
    for kind in Kind.allCases {
      switch apps[app][kind] {
      case .returned where !hasRefused && !isElsewhere: apps[app][kind] = .absent
      case .absent where hasRefused: apps[app][kind] = .returned(until: now + window)
      case .awaited where !hasRefused && !isElsewhere: apps[app][kind] = .none
      case .none, .held, .absent, .returned, .shared, .awaited: break
      }
    }
    if !isRunning(app) {
      apps[app].graceEnd = nil
      apps[app].isExact = false
      if front == app { keptUntil = now + window }
    }
    settle()
  }

  /// A process may take up the sessions of the app.
  mutating func processConnected(_ app: Int, at now: Instant) {
    for kind in Kind.allCases {
      switch apps[app][kind] {
      case .absent: apps[app][kind] = .returned(until: now + window)
      case .shared: apps[app][kind] = .shared(until: now + window)
      case .none, .held, .returned, .awaited: break
      }
    }
  }

  /// The sessions that another process could take up wait for a start of the app.
  mutating func lastProcessLeft(_ app: Int) {
    for kind in Kind.allCases {
      if case .shared = apps[app][kind] { apps[app][kind] = .absent }
    }
  }

  /// Whether a session of the app waits until a process of the app is started.
  func hasAbsentSession(_ app: Int) -> Bool {
    Kind.allCases.contains { apps[app][$0] == .absent }
  }

  /// Whether the app may have locations in the background for good, and not only for its grace.
  func mayStayInBackground(_ app: Int) -> Bool {
    guard isOn, isAllowed(app, file: nil), !lacksServiceSession(app), !isInFront(app) else {
      return false
    }
    return isKeptInUse(app) || isAlways(app)
  }

  /// Whether an always-session alone gives the app its right in the background.
  func hasOnlyAlwaysSession(_ app: Int) -> Bool {
    mayStayInBackground(app) && !isKeptInUse(app)
  }

  private func isAlways(_ app: Int) -> Bool {
    apps[app].answer?.authorization == .always && apps[app].isHeld(.serviceAlways)
  }
}
