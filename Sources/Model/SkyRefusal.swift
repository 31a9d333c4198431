public import BinnacleBasics

/// The reason why a client does not get the satellites in view.
public typealias SkyRefusal = Fault<SkyFailure>

/// The kinds of refusals of the satellites in view.
public enum SkyFailure: UInt8, CaseIterable, Codable, Sendable {
  /// The client may not have locations.
  case notPermitted = 0
  /// The receiver does not report satellites at present.
  case unavailable = 1
}
