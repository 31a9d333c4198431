import BinnacleModel

@testable import LocationEngine

/// A launcher that answers each order at once.
struct TestLauncher {
  /// The apps that run, and whether their processes are frozen.
  private(set) var running: [AppID: Bool] = [:]
  /// All orders, oldest first.
  private(set) var orders: [(app: AppID, order: Effect.Launcher)] = []
  /// The reason for which it refuses every order; nil: it carries them out.
  var refusal: String?
  /// Whether apps end when they are asked to.
  var appsObey = true

  /// Whether a start has no answer before ``endStart(of:)``.
  var startsSlowly = false

  /// Whether the processes of apps do not continue in time.
  var hangsWhileThawing = false

  /// The answers to an order.
  mutating func take(_ order: Effect.Launcher, for app: AppID) -> [Event.Launcher] {
    orders.append((app, order))
    if let refusal { return [.refused(app, order, reason: refusal)] }
    switch order {
    case .start where startsSlowly: return []
    case .thaw where hangsWhileThawing: return []
    case .end where running[app] == nil:
      return [.refused(app, order, reason: "the app is about to start")]
    case .start:
      running[app] = false
      return [.started(app)]
    case .freeze:
      running[app] = true
      return [.frozen(app)]
    case .thaw:
      running[app] = false
      return [.thawed(app)]
    case .end where !appsObey && running[app] == true:
      // A frozen app continues, so that it gets the signal.
      running[app] = false
      return [.thawed(app)]
    case .end where !appsObey: return []
    case .end: return [end(app, .killed(signal: 15))]
    case .kill: return [end(app, .killed(signal: 9))]
    }
  }

  /// The answer to a slow start.
  mutating func endStart(of app: AppID, failure: String? = nil) -> Event.Launcher {
    startsSlowly = false
    if let failure { return .refused(app, .start(isForLocation: false), reason: failure) }
    running[app] = false
    return .started(app)
  }

  /// An app ends by itself.
  mutating func end(_ app: AppID, _ ending: Event.AppEnding) -> Event.Launcher {
    running[app] = nil
    return .ended(app, ending)
  }

  /// The orders about an app, without starts and ends of others.
  func orders(about app: AppID) -> [Effect.Launcher] {
    orders.filter { $0.app == app }.map(\.order)
  }
}
