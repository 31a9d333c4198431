/// A satellite in view of the receiver.
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

    /// The name for people.
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

  /// The health of a satellite's signals, from the satellite's own message or the receiver's judgement.
  public enum Health: UInt8, CaseIterable, Codable, Sendable {
    case healthy = 1
    case unhealthy = 2
  }

  public var constellation: Constellation
  /// The number within the constellation, 1 to 254; nil for a GLONASS satellite with an unknown slot.
  ///
  /// GPS 1 to 32, SBAS 120 to 158 (its PRN), Galileo 1 to 36, BeiDou 1 to 63, IMES 1 to 10, QZSS 1 to 10, GLONASS 1 to
  /// 32 (the slot), NavIC 1 to 14 (UBX-21035062, "Satellite numbering").
  public var number: Int?
  /// Degrees above the horizon, -90 to 90; nil when unknown.
  public var elevationDegrees: Int?
  /// Degrees from true north, 0 to 360; nil when unknown.
  public var azimuthDegrees: Int?
  /// The carrier-to-noise density ratio (C/N0) of the strongest signal in dBHz, 1 to 254.
  ///
  /// nil if the satellite is not tracked.
  public var carrierToNoiseDBHz: Int?
  /// Whether the position uses the satellite; also false if the receiver does not report the use.
  public var isUsed: Bool
  /// Whether the satellite is healthy; nil if the receiver does not report the health.
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
