public import BinnacleBasics

/// The satellites over the receiver at one epoch, and how well their places in the sky determine a position.
///
/// A receiver that answers tells it by UBX-NAV-SAT and UBX-NAV-DOP, before M8 by UBX-NAV-SVINFO; a receiver that only sends
/// tells it by the sentences GSV and GSA. `Docs/SPEC-json.md` names the keys that `binnacle sky --json` prints.
public struct Sky: Equatable, Codable, Sendable {
  /// When the receiver saw the satellites there; nil when the receiver has not said a time of that epoch.
  public var time: UTCTime?
  /// Horizontal dilution of precision, a factor without a unit; nil when unknown.
  ///
  /// The receivers say dilutions in hundredths, and 99.99 for "unknown" (M10 SPG 5.10 interface description, UBX-NAV-DOP).
  public var horizontalDilution: Double?
  /// Vertical dilution of precision; nil when unknown.
  public var verticalDilution: Double?
  /// Dilution of precision of the position in three dimensions; nil when unknown.
  public var positionDilution: Double?
  /// The satellites in view, in the order in which the receiver listed them; at most `satellitesMax`.
  public var satellites: [Satellite]

  /// No list is longer: UBX-NAV-SAT counts its satellites in one byte.
  public static let satellitesMax = 255

  public init(
    time: UTCTime? = nil, horizontalDilution: Double? = nil, verticalDilution: Double? = nil,
    positionDilution: Double? = nil, satellites: [Satellite] = []
  ) {
    self.time = time
    self.horizontalDilution = horizontalDilution
    self.verticalDilution = verticalDilution
    self.positionDilution = positionDilution
    self.satellites = satellites
  }

  /// How many satellites take part in the position.
  public var usedCount: Int { satellites.reduce(0) { $0 + ($1.isUsed ? 1 : 0) } }
}
