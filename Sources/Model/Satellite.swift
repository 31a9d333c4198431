/// One satellite over the receiver.
public struct Satellite: Equatable, Codable, Sendable {
  /// A satellite system, by its number `gnssId` (M10 SPG 5.10 interface description, UBX-21035062, "GNSS identifiers").
  public enum Constellation: UInt8, CaseIterable, Codable, Sendable {
    case gps = 0
    case sbas = 1
    case galileo = 2
    case beidou = 3
    case imes = 4
    case qzss = 5
    case glonass = 6
    case navic = 7

    /// As people write it.
    public var name: String {
      switch self {
      case .gps: "GPS"
      case .sbas: "SBAS"
      case .galileo: "Galileo"
      case .beidou: "BeiDou"
      case .imes: "IMES"
      case .qzss: "QZSS"
      case .glonass: "GLONASS"
      case .navic: "NavIC"
      }
    }
  }

  /// Whether a satellite's signals can be used, by the satellite's own message or the receiver's judgement.
  public enum Health: UInt8, CaseIterable, Codable, Sendable {
    case healthy = 1
    case unhealthy = 2
  }

  public var constellation: Constellation
  /// The number within the constellation, 1 to 254: GPS 1 to 32, SBAS 120 to 158 (its PRN), Galileo 1 to 36, BeiDou 1 to 63,
  /// IMES 1 to 10, QZSS 1 to 10, GLONASS 1 to 32 (the slot), NavIC 1 to 14 (UBX-21035062, "Satellite numbering"); nil for a
  /// GLONASS satellite whose slot the receiver does not know yet.
  public var number: Int?
  /// Degrees above the horizon, -90 to 90; nil when unknown.
  public var elevationDegrees: Int?
  /// Degrees from true north, 0 to 360; nil when unknown.
  public var azimuthDegrees: Int?
  /// The ratio of the strongest signal's carrier to the noise density (C/N0) in dBHz, 1 to 254; nil when the satellite is
  /// not tracked.
  public var carrierToNoiseDBHz: Int?
  /// Whether the satellite takes part in the position; false, too, when the receiver does not say.
  public var isUsed: Bool
  /// Whether the satellite is healthy; nil when the receiver does not say.
  public var health: Health?

  public init(
    constellation: Constellation, number: Int?, elevationDegrees: Int? = nil,
    azimuthDegrees: Int? = nil, carrierToNoiseDBHz: Int? = nil, isUsed: Bool = false,
    health: Health? = nil
  ) {
    self.constellation = constellation
    self.number = number
    self.elevationDegrees = elevationDegrees
    self.azimuthDegrees = azimuthDegrees
    self.carrierToNoiseDBHz = carrierToNoiseDBHz
    self.isUsed = isUsed
    self.health = health
  }
}
