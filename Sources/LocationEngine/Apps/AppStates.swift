import BinnacleBasics
import BinnacleModel

/// The states of the apps, each with its beginning.
///
/// An app has an entry from its first process since the daemon's start on. The beginning of an earlier state is not
/// known.
struct AppStates: Equatable, Codable, Sendable {
  private var entries: [Entry] = []

  private struct Entry: Equatable, Codable, Sendable {
    let app: AppID
    var state: AppState
    var since: Instant
  }

  /// The apps that have an entry.
  var apps: [AppID] { entries.map(\.app) }

  /// When the present state of an app began; nil if the beginning is unknown.
  func beginning(of app: AppID) -> Instant? { entries.first { $0.app == app }?.since }

  /// Takes the present state of an app.
  mutating func note(_ app: AppID, _ state: AppState, at now: Instant) {
    guard let index = entries.firstIndex(where: { $0.app == app }) else {
      if state != .notRunning { entries.append(Entry(app: app, state: state, since: now)) }
      return
    }
    guard entries[index].state != state else { return }
    entries[index].state = state
    entries[index].since = now
  }

  /// Removes the apps without a process that no list of apps contains.
  mutating func forget(unless isListed: (AppID) -> Bool) {
    entries.removeAll { $0.state == .notRunning && !isListed($0.app) }
  }
}
