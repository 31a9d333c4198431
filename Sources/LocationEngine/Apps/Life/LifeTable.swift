import BinnacleBasics
import BinnacleModel

/// The processes of apps that the launcher runs or may launch.
struct LifeTable: Equatable, Codable, Sendable {
  private(set) var lives: [AppLife] = []
  /// Whether the launcher is connected, and has reported the apps that run.
  private(set) var isConnected = false
  let settings: LifeSettings
  /// `RejoinWindow`, which an app has after its launch.
  let window: Interval

  init(_ settings: LifeSettings, window: Interval) {
    self.settings = settings
    self.window = window
  }

  var isEmpty: Bool { lives.isEmpty }

  /// Whether the processes of any app stand still, or are about to.
  var hasSuspended: Bool { lives.contains(where: \.isSuspended) }

  /// The app that has been suspended longest; nil without a suspended app.
  var longestSuspended: AppID? {
    var longest: (app: AppID, since: Instant)?
    for life in lives {
      guard case .frozen(let since) = life.state, life.killAt == nil else { continue }
      if longest.map({ since < $0.since }) ?? true { longest = (life.app, since) }
    }
    return longest?.app
  }

  subscript(app: AppID) -> AppLife? { lives.first { $0.app == app } }

  /// Whether the launcher runs a process of the app.
  func isRunning(_ app: AppID) -> Bool { !lives.isEmpty && self[app]?.isRunning == true }

  func isSuspended(_ app: AppID) -> Bool { !lives.isEmpty && self[app]?.isSuspended == true }

  /// Changes the life of an app, which begins with the change.
  mutating func change<Result>(_ app: AppID, _ change: (inout AppLife) -> Result) -> Result {
    let index = lives.firstIndex { $0.app == app }
    guard let index else {
      lives.append(AppLife(app: app))
      return change(&lives[lives.count - 1])
    }
    return change(&lives[index])
  }

  // MARK: The launcher

  /// The launcher has reported all apps that run; returns the apps that have ended unseen.
  mutating func connected(_ running: [Event.RunningApp], at now: Instant) -> [AppID] {
    isConnected = true
    let end = now + settings.runTime
    for one in running {
      change(one.app) { $0.found(isFrozen: one.isFrozen, busyUntil: end, at: now) }
    }
    return lives.filter { life in
      (life.state != .absent || life.isPendingClose) && !running.contains { $0.app == life.app }
    }.map(\.app)
  }

  /// The connection has ended; the apps go on, and the next connection reports them.
  mutating func lost() {
    isConnected = false
    for index in lives.indices { lives[index].launcherLost() }
  }
}
