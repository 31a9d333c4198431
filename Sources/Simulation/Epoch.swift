import BinnacleBasics

/// The receiver's data about one satellite.
struct Satellite: Equatable, Sendable {
  var system: SatelliteSystem
  var number: UInt8
  /// Degrees.
  var elevation: Int8
  /// Degrees.
  var azimuth: Int16
  /// dBHz; 0 when the receiver does not track the satellite.
  var signal: UInt8
  var isUsed: Bool
}

/// One navigation epoch as the receiver reports it, in the units of NAV-PVT (UBX-21035062, UBX-NAV-PVT).
///
/// The initial values are those of a receiver without data: recording gnssvis-coldstart.ubx, first epoch.
struct Epoch: Equatable, Sendable {
  var iTOWMilliseconds: UInt32
  /// The calendar that the receiver reports, right or wrong; whole seconds.
  var shownSecond: UTCTime
  var nano: Int32 = 0
  var isDateValid = false
  var isTimeValid = false
  var isFullyResolved = false
  var timeAccuracyNanoseconds = UInt32.max
  var fixType: UInt8 = 0
  var isFixOK = false
  var satellites: [Satellite] = []
  var latitudeE7: Int32 = 0
  var longitudeE7: Int32 = 0
  var heightMillimeters: Int32 = 0
  var heightMSLMillimeters: Int32 = -17_000
  var horizontalAccuracyMillimeters = UInt32.max
  var verticalAccuracyMillimeters: UInt32 = 3_750_000_128
  var velocityNorth: Int32 = 0
  var velocityEast: Int32 = 0
  var velocityDown: Int32 = 0
  var groundSpeed: Int32 = 0
  var headingOfMotionE5: Int32 = 0
  var speedAccuracy: UInt32 = 20_000
  var headingAccuracyE5: UInt32 = 18_000_000
  var positionDOPE2: UInt16 = 9_999
  /// The offset of the receiver's clock from the epoch's nominal time, and its drift, as in NAV-CLOCK.
  var clockBiasNanoseconds: Int32 = 0
  var clockDriftNanosecondsPerSecond: Int32 = 0
  /// The states of the detectors, in the numbers of SEC-SIG: 0 unknown, 1 none, 2 warning or indicated, 3 critical.
  var jammingState: UInt8 = 1
  var spoofingState: UInt8 = 1
  /// spoofDetState of NAV-STATUS, which covers this epoch only: 1 none, 2 indicated.
  var spoofingInEpoch: UInt8 = 1
  /// Whether the heading is an old heading because the body hardly moves.
  var isHeadingFrozen = true
  /// Milliseconds since the first fix and since the start, for NAV-STATUS.
  var timeToFirstFixMilliseconds: UInt32 = 0
  var upTimeMilliseconds: UInt32 = 0

  init(iTOWMilliseconds: UInt32, shownSecond: UTCTime) {
    self.iTOWMilliseconds = iTOWMilliseconds
    self.shownSecond = shownSecond
  }

  var usedCount: Int { satellites.count { $0.isUsed } }
  /// Whether the epoch has a position that NMEA may show.
  var hasPosition: Bool { fixType >= 2 && isFixOK }
  var horizontalDOPE2: Int { positionDOPE2 == 9_999 ? 9_999 : Int(positionDOPE2) * 6 / 10 }
  var verticalDOPE2: Int { positionDOPE2 == 9_999 ? 9_999 : Int(positionDOPE2) * 8 / 10 }
}
