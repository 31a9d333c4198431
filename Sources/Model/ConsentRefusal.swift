public import BinnacleBasics

/// The reason why a request about the rights of apps has failed.
public typealias ConsentRefusal = Fault<ConsentFailure>

/// The kinds of failures of requests about the rights of apps.
public enum ConsentFailure: UInt8, CaseIterable, Codable, Sendable {
  /// No app has this name, or several apps have it.
  case appUnknown = 0
  /// The state of the app does not permit the change.
  case notPossible = 1
  /// The user of the client may not make the request.
  case notPermitted = 2
}
