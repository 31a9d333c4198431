public import BinnacleBasics

/// The satellites in view of the receiver at one epoch, and the dilutions of precision.
///
/// A receiver with two-way communication sends UBX-NAV-SAT (UBX-NAV-SVINFO before M8) and UBX-NAV-DOP. A listen-only
/// receiver sends GSV and GSA sentences. `Docs/SPEC-json.md` has the keys of `binnacle sky --json`.
public struct Sky: Equatable, Codable, Sendable {
  /// The time of the epoch; nil if the receiver has not sent the time of that epoch.
  public var time: UTCTime?
  /// Horizontal dilution of precision, a factor without a unit; nil when unknown.
  ///
  /// Receivers send dilutions in hundredths, and 99.99 for "unknown" (M10 SPG 5.10 interface description, UBX-NAV-DOP).
  public var horizontalDilution: Double?
  /// Vertical dilution of precision; nil when unknown.
  public var verticalDilution: Double?
  /// Three-dimensional dilution of precision of the position; nil when unknown.
  public var positionDilution: Double?
  /// The satellites in view, in the receiver's order; at most `satellitesMax`.
  public var satellites: [Satellite]

  /// The longest list: UBX-NAV-SAT counts its satellites in one byte.
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

  /// The number of satellites that the position uses.
  public var usedCount: Int { satellites.reduce(0) { $0 + ($1.isUsed ? 1 : 0) } }
}
