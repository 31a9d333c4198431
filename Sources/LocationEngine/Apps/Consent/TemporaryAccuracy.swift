import BinnacleModel

/// Full accuracy that persons have given to apps with reduced accuracy, for as long as the app is in use.
///
/// Nothing of this is stored: it never outlasts the processes of the app.
struct TemporaryAccuracy: Equatable, Codable, Sendable {
  private(set) var given: [AppID] = []
  private var refused: [Refusal] = []

  private struct Refusal: Equatable, Codable, Sendable {
    let app: AppID
    let purpose: String
  }

  func isGiven(_ app: AppID) -> Bool { given.contains(app) }

  /// Whether a person has refused full accuracy for this purpose.
  func isRefused(_ app: AppID, _ purpose: String) -> Bool {
    refused.contains(Refusal(app: app, purpose: purpose))
  }

  /// A person has answered the request of an app.
  mutating func answered(_ app: AppID, _ purpose: String, isGiven: Bool) {
    if isGiven {
      if !given.contains(app) { given.append(app) }
    } else if !isRefused(app, purpose) {
      refused.append(Refusal(app: app, purpose: purpose))
    }
  }

  /// The app is no longer in use.
  mutating func useEnded(_ app: AppID) { given.removeAll { $0 == app } }

  /// The processes of an app have ended, or a person has answered about the app anew.
  mutating func forget(_ app: AppID) {
    useEnded(app)
    refused.removeAll { $0.app == app }
  }
}
