public import BinnacleBasics

/// A receiver's solution for one navigation epoch, independent of the messages that carry it; integers as received.
///
/// nil stands for a missing value, or for a protocol's marker for "unknown" (accuracy 0xFFFFFFFF, heading accuracy
/// 180 degrees, DOP 99.99). The values are not judged: a solution with `fixType` 3 may still have `isFixOK` false.
public struct NavigationSolution: Equatable, Codable, Sendable {
  /// The message that carries the position.
  public enum Source: UInt8, CaseIterable, Codable, Sendable {
    case navPVT = 0
    case navSOL = 1
    case navPOSLLH = 2
    case nmea = 3
    case navPVAT = 4
    case hnrPVT = 5
  }

  /// The NMEA sentences with a position; a later case takes precedence over an earlier one.
  ///
  /// Some chart plotters repeat the position of the GGA before in RMC. Some receivers send fewer decimals in RMC and
  /// GLL than in GGA.
  public enum Sentence: UInt8, CaseIterable, Codable, Sendable {
    case rmc = 0
    case gll = 1
    /// Proprietary sentence of u-blox with accuracies.
    case pubx00 = 2
    case gns = 3
    case gga = 4

    /// The name in the documents.
    public var name: String {
      switch self {
      case .rmc: "RMC"
      case .gll: "GLL"
      case .pubx00: "PUBX,00"
      case .gns: "GNS"
      case .gga: "GGA"
      }
    }
  }

  /// NAV-PVT fixType (M10 SPG 5.10 interface description, UBX-NAV-PVT).
  public enum FixType: UInt8, CaseIterable, Codable, Sendable {
    case none = 0
    case deadReckoning = 1
    case twoDimensional = 2
    case threeDimensional = 3
    case gnssAndDeadReckoning = 4
    case timeOnly = 5
  }

  public struct Position: Equatable, Codable, Sendable {
    /// 1e-7 degrees.
    public var latitudeE7: Int32
    /// 1e-7 degrees.
    public var longitudeE7: Int32
    /// Millimeters above the ellipsoid.
    public var heightMillimeters: Int32?
    /// Millimeters above mean sea level.
    public var heightMSLMillimeters: Int32?

    public init(
      latitudeE7: Int32, longitudeE7: Int32, heightMillimeters: Int32?, heightMSLMillimeters: Int32?
    ) {
      self.latitudeE7 = latitudeE7
      self.longitudeE7 = longitudeE7
      self.heightMillimeters = heightMillimeters
      self.heightMSLMillimeters = heightMSLMillimeters
    }
  }

  /// The same position from NAV-HPPOSLLH.
  public struct HighPrecisionPosition: Equatable, Codable, Sendable {
    /// 1e-9 degrees.
    public var latitudeE9: Int64
    /// 1e-9 degrees.
    public var longitudeE9: Int64
    /// 0.1 millimeters above the ellipsoid.
    public var heightE4: Int64
    /// 0.1 millimeters above mean sea level.
    public var heightMSLE4: Int64

    public init(latitudeE9: Int64, longitudeE9: Int64, heightE4: Int64, heightMSLE4: Int64) {
      self.latitudeE9 = latitudeE9
      self.longitudeE9 = longitudeE9
      self.heightE4 = heightE4
      self.heightMSLE4 = heightMSLE4
    }
  }

  /// Millimeters per second.
  public struct Velocity: Equatable, Codable, Sendable {
    public var north: Int32
    public var east: Int32
    public var down: Int32

    public init(north: Int32, east: Int32, down: Int32) {
      self.north = north
      self.east = east
      self.down = down
    }
  }

  public var source: Source
  /// The sentence with the position; nil unless `source` is `nmea` and there is a position.
  public var sentence: Sentence?
  /// GPS time of week of the epoch in milliseconds; nil for NMEA.
  public var iTOWMilliseconds: UInt32?
  /// Date, time and nanoseconds joined; nil unless date and time are valid.
  public var utc: UTCTime?
  /// Whether `utc` was computed from GPS time with leap seconds that were not in the same message.
  ///
  /// The leap seconds are the last ones from the receiver, or those of a table.
  public var isUTCReckoned = false
  /// Nanoseconds since midnight, from sentences with a time and without a date.
  public var timeOfDayNanoseconds: Int64?
  public var isDateValid = false
  /// Whether the date is that of a sentence before, because the sentences of this epoch have none.
  public var isDateContinued = false
  public var isTimeValid = false
  /// Whether the receiver confirms date and time; nil if the receiver sends no confirmation.
  public var isTimeConfirmed: Bool?
  public var timeAccuracyNanoseconds: UInt32?
  public var fixType: FixType?
  /// gnssFixOK, or the equivalent in older messages and in NMEA.
  public var isFixOK = false
  public var satelliteCount: Int?
  public var position: Position?
  public var highPrecision: HighPrecisionPosition?
  public var horizontalAccuracyMillimeters: UInt32?
  public var verticalAccuracyMillimeters: UInt32?
  public var velocity: Velocity?
  public var groundSpeedMillimetersPerSecond: Int32?
  /// 1e-5 degrees.
  public var headingOfMotionE5: Int32?
  public var speedAccuracyMillimetersPerSecond: UInt32?
  /// 1e-5 degrees.
  public var headingAccuracyE5: UInt32?
  /// 0.01.
  public var positionDOPE2: UInt16?
  /// 0.01; from NAV-DOP, or in NMEA from GGA, GNS and PUBX,00, else from GSA.
  public var horizontalDOPE2: UInt16?
  /// 0.01; from NAV-DOP, GSA and PUBX,00.
  public var verticalDOPE2: UInt16?
  /// The number of satellites in NAV-SAT, else in NAV-SVINFO, or in all GSV sentences of the epoch.
  ///
  /// nil if no list arrived, or if a GSV sentence was lost.
  public var satellitesInView: Int?

  /// Whether a sentence has a value in its field for the dilution, even the marker for "unknown".
  var isDilutionSaid = false

  /// Whether the solution has a position, in any precision.
  public var hasPosition: Bool { position != nil || highPrecision != nil }

  /// Whether NAV-SOL reports a fix with coordinates that are far from the surface of the Earth.
  ///
  /// The solution then has no position; NAV-SOL always has coordinates.
  public var isPositionImplausible: Bool { source == .navSOL && isFixOK && position == nil }

  public init(source: Source) {
    self.source = source
  }
}
