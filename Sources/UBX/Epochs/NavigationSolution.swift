public import BinnacleBasics

/// What a receiver said of one navigation epoch, whatever messages carried it; integers as they were sent.
///
/// nil is "not said" or one of the protocol's own markers for "unknown" (accuracy 0xFFFFFFFF, heading accuracy
/// 180 degrees, DOP 99.99). It judges nothing: a solution with `fixType` 3 may still have `isFixOK` false.
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

  /// The sentences of NMEA that carry a position, the one that is preferred last.
  ///
  /// RMC may repeat the position of the GGA before (chart plotters), and both have fewer decimals in some receivers than
  /// GGA.
  public enum Sentence: UInt8, CaseIterable, Codable, Sendable {
    case rmc = 0
    case gll = 1
    /// Proprietary sentence of u-blox with accuracies.
    case pubx00 = 2
    case gns = 3
    case gga = 4

    /// As the documents write it.
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
  /// The sentence that the position is from; nil unless `source` is `nmea` and there is a position.
  public var sentence: Sentence?
  /// GPS time of week of the epoch in milliseconds; NMEA has none.
  public var iTOWMilliseconds: UInt32?
  /// Date, time and nanoseconds joined; nil unless date and time are valid.
  public var utc: UTCTime?
  /// Whether `utc` is GPS time less leap seconds that were not sent with it: those that the receiver said before, else
  /// those of a table.
  public var isUTCReckoned = false
  /// Nanoseconds since midnight, of sentences with a time and without a date.
  public var timeOfDayNanoseconds: Int64?
  public var isDateValid = false
  public var isTimeValid = false
  /// Whether the receiver says that date and time were confirmed; nil when it cannot say.
  public var isTimeConfirmed: Bool?
  public var timeAccuracyNanoseconds: UInt32?
  public var fixType: FixType?
  /// gnssFixOK, or what stands for it in the older messages and in NMEA.
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
  /// 0.01; NAV-DOP has it, and of NMEA GGA, GNS and PUBX,00, else GSA.
  public var horizontalDOPE2: UInt16?
  /// 0.01; NAV-DOP and GSA have it.
  public var verticalDOPE2: UInt16?
  /// How many satellites NAV-SAT, else NAV-SVINFO, listed, or all GSV sentences of the epoch together; nil, too, when a
  /// GSV sentence was lost.
  public var satellitesInView: Int?

  /// Whether a sentence had a field for a dilution, were it unknown.
  var isDilutionSaid = false

  public init(source: Source) {
    self.source = source
  }
}
