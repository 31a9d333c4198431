public import BinnacleBasics

/// Why a client does not get the satellites in view.
public typealias SkyRefusal = Fault<SkyFailure>

/// The kinds of refusals of the satellites in view.
public enum SkyFailure: UInt8, CaseIterable, Codable, Sendable {
  /// The client may not have locations.
  case notPermitted = 0
  /// The receiver does not tell them now.
  case unavailable = 1
}
