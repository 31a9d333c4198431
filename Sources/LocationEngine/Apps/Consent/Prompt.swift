import BinnacleBasics
import BinnacleModel

/// An open request of an app that only a person can answer.
struct Prompt: Equatable, Codable, Sendable {
  let app: AppID
  let request: Request
  /// The time of the request; nil if the time is unknown.
  let time: UTCTime?
  /// When the prompt was put in front of the person; nil while another prompt is, or while the app is not in front.
  var shownAt: Instant?

  /// The right that the app requests.
  enum Request: UInt8, CaseIterable, Codable, Sendable {
    /// Locations while the app is in use.
    case whenInUse = 1

    /// The name in JSON.
    var name: String {
      switch self {
      case .whenInUse: Authorization.whenInUse.name
      }
    }

    /// The authorization that a person gives with a plain "allow".
    var authorization: Authorization {
      switch self {
      case .whenInUse: .whenInUse
      }
    }
  }
}
