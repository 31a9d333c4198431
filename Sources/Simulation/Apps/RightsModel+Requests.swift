import BinnacleBasics
import BinnacleModel

/// The requests of apps that wait for a person.
extension RightsModel {
  /// Whether a person may be asked for locations while the app is in use: there is no answer that counts.
  func isUnanswered(_ app: Int) -> Bool {
    processes.contains { $0.app == app && answer(app, file: $0.file) == nil }
  }

  /// Whether a person may be asked for the upgrade to `always`.
  func isUpgradeUnanswered(_ app: Int) -> Bool {
    apps[app].answer.map { $0.authorization == .whenInUse && !$0.isAlwaysAnswered } ?? false
  }

  /// Whether a request for locations must be open: the app is in the foreground, wants locations, and has no answer.
  func mustAsk(_ app: Int) -> Bool {
    guard isInFront(app), apps[app].manifest.map({ $0.whenInUseText != nil }) ?? true else {
      return false
    }
    if apps[app].manifest?.needsServiceSession == true {
      let kinds: [Kind] = [.serviceWhenInUse, .serviceAlways]
      return isUnanswered(app) && kinds.contains { hasObject(app, $0) }
    }
    return processes.contains {
      $0.app == app && answer(app, file: $0.file) == nil && !$0.sequences.isEmpty
    }
  }
}
