import BinnacleModel
import LaunchWire
import LocationEngine

/// The daemon's side of the connection to the launcher, without a socket: `LauncherConnection` of the module `Daemon` is the
/// model.
struct LauncherLink: Sendable {
  private struct Pending: Sendable {
    let number: UInt32
    let app: AppID
    let order: Effect.Launcher
  }

  /// The number of the present connection; packets of earlier ones are lost.
  private(set) var number = 0
  private(set) var isConnected = false
  /// Whether the launcher has reported all apps that run.
  private(set) var isAttended = false
  private var lastRequest: UInt32 = 0
  private var orders: [Pending] = []
  /// The apps that run; after a loss the last known ones, until the next launcher has reported.
  private var apps: [LaunchReport.App] = []
  private var reported: [LaunchReport.App] = []

  /// Connects, and asks for the apps that run.
  mutating func connect() -> LaunchRequest {
    number += 1
    isConnected = true
    isAttended = false
    reported = []
    lastRequest += 1
    return LaunchRequest(number: lastRequest, .attend)
  }

  /// The connection has ended.
  mutating func lose() -> [Event] {
    var events = orders.map {
      Event.launcher(
        .refused($0.app, $0.order, reason: "the connection to the launcher was lost"))
    }
    orders = []
    if isAttended { events.append(.launcher(.lost)) }
    isConnected = false
    isAttended = false
    return events
  }

  /// The daemon has ended.
  mutating func reset() {
    let before = number
    self = LauncherLink()
    number = before
  }

  /// Whether the daemon knows that the launcher runs the app.
  func knows(_ identifier: String) -> Bool {
    (reported + apps).contains { $0.identifier == identifier }
  }

  /// The packet of an order, or the answer of the daemon itself.
  mutating func perform(
    _ order: Effect.Launcher, about app: AppID
  ) -> (request: LaunchRequest?, refusal: Event?) {
    guard case .listed(let identifier) = app, isConnected else {
      return (nil, .launcher(.refused(app, order, reason: "no launcher is connected")))
    }
    lastRequest += 1
    orders.append(Pending(number: lastRequest, app: app, order: order))
    let wireOrder: LaunchRequest.AppOrder =
      switch order {
      case .start(let isForLocation): .start(isForLocation: isForLocation)
      case .freeze: .freeze
      case .thaw: .thaw
      case .end: .end
      case .kill: .kill
      }
    return (LaunchRequest(number: lastRequest, .order(identifier, wireOrder)), nil)
  }

  /// The events of a report.
  mutating func take(_ report: LaunchReport) -> [Event] {
    switch report {
    case .answer(let number, let answer): return take(answer, to: number)
    case .running(let app): return take(app)
    case .attended:
      isAttended = true
      apps = reported
      reported = []
      return [
        .launcher(
          .connected(apps.map { .init(app: .listed($0.identifier), isFrozen: $0.isFrozen) }))
      ]
    case .ended(let identifier, let ending):
      reported.removeAll { $0.identifier == identifier }
      guard isAttended else { return [] }
      apps.removeAll { $0.identifier == identifier }
      let end: Event.AppEnding =
        switch ending {
        case .exited(let status): .exited(status: status)
        case .killed(let signal): .killed(signal: signal)
        case .unknown: .unknown
        }
      return [.launcher(.ended(.listed(identifier), end))]
    case .output, .outputLost: return []
    }
  }

  private mutating func take(_ answer: LaunchReport.Answer, to number: UInt32) -> [Event] {
    guard let index = orders.firstIndex(where: { $0.number == number }) else { return [] }
    let pending = orders.remove(at: index)
    if case .failed(let reason) = answer {
      if case .start = pending.order {
        apps.removeAll { pending.app == .listed($0.identifier) }
      }
      return [.launcher(.refused(pending.app, pending.order, reason: reason))]
    }
    switch pending.order {
    case .start: return [.launcher(.started(pending.app))]
    case .freeze:
      set(frozen: true, pending.app)
      return [.launcher(.frozen(pending.app))]
    case .thaw:
      set(frozen: false, pending.app)
      return [.launcher(.thawed(pending.app))]
    // The end itself is the answer.
    case .end, .kill: return []
    }
  }

  private mutating func take(_ app: LaunchReport.App) -> [Event] {
    guard isAttended else {
      reported.append(app)
      return []
    }
    let known = apps.first { $0.identifier == app.identifier }
    apps.removeAll { $0.identifier == app.identifier }
    apps.append(app)
    guard let known, known.isFrozen != app.isFrozen else { return [] }
    let id = AppID.listed(app.identifier)
    return [.launcher(app.isFrozen ? .frozen(id) : .thawed(id))]
  }

  private mutating func set(frozen isFrozen: Bool, _ app: AppID) {
    for index in apps.indices where app == .listed(apps[index].identifier) {
      apps[index].isFrozen = isFrozen
    }
  }
}
