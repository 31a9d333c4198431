import BinnacleBasics

/// The navigation engine's settings: UBX-CFG-NAV5, 06 24; legacy, up to M8.
///
/// u-blox M8 receiver description, UBX-CFG-NAV5, 36 bytes. Polled with an empty payload. The receiver applies only the
/// fields in `mask`.
public struct CfgNAV5: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x06
  public static let messageID: UInt8 = 0x24

  /// Which fields are applied.
  public struct Mask: OptionSet, Codable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public static let dynamicModel = Mask(rawValue: 1 << 0)
    public static let minimumElevation = Mask(rawValue: 1 << 1)
    public static let fixMode = Mask(rawValue: 1 << 2)
    public static let deadReckoningLimit = Mask(rawValue: 1 << 3)
    public static let positionMask = Mask(rawValue: 1 << 4)
    public static let timeMask = Mask(rawValue: 1 << 5)
    public static let staticHold = Mask(rawValue: 1 << 6)
    public static let differential = Mask(rawValue: 1 << 7)
    public static let signalThreshold = Mask(rawValue: 1 << 8)
    public static let utcStandard = Mask(rawValue: 1 << 10)
  }

  public var mask: Mask = []
  /// 0 portable, 2 stationary, 3 pedestrian, 4 automotive, 5 sea, 6, 7, 8 airborne below 1, 2, 4 g, 9 wrist.
  public var dynamicModel: UInt8 = 0
  /// 1 2D only, 2 3D only, 3 automatic.
  public var fixMode: UInt8 = 3
  public var fixedAltitudeCentimeters: Int32 = 0
  /// 1e-4 square meters.
  public var fixedAltitudeVarianceE4: UInt32 = 10_000
  public var minimumElevationDegrees: Int8 = 5
  public var deadReckoningLimitSeconds: UInt8 = 0
  /// 0.1.
  public var positionDOPMaxE1: UInt16 = 250
  /// 0.1.
  public var timeDOPMaxE1: UInt16 = 250
  public var positionAccuracyMaxMeters: UInt16 = 100
  public var timeAccuracyMaxMeters: UInt16 = 350
  /// 0 is off.
  public var staticHoldSpeedCentimetersPerSecond: UInt8 = 0
  public var differentialTimeoutSeconds: UInt8 = 60
  public var signalThresholdSatellites: UInt8 = 0
  public var signalThresholdDBHz: UInt8 = 0
  /// 0 is off.
  public var staticHoldDistanceMeters: UInt16 = 0
  /// 0 automatic.
  public var utcStandard: UInt8 = 0

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count == 36 else { return nil }
    mask = Mask(rawValue: payload.u16(0))
    dynamicModel = payload.u8(2)
    fixMode = payload.u8(3)
    fixedAltitudeCentimeters = payload.i32(4)
    fixedAltitudeVarianceE4 = payload.u32(8)
    minimumElevationDegrees = payload.i8(12)
    deadReckoningLimitSeconds = payload.u8(13)
    positionDOPMaxE1 = payload.u16(14)
    timeDOPMaxE1 = payload.u16(16)
    positionAccuracyMaxMeters = payload.u16(18)
    timeAccuracyMaxMeters = payload.u16(20)
    staticHoldSpeedCentimetersPerSecond = payload.u8(22)
    differentialTimeoutSeconds = payload.u8(23)
    signalThresholdSatellites = payload.u8(24)
    signalThresholdDBHz = payload.u8(25)
    staticHoldDistanceMeters = payload.u16(28)
    utcStandard = payload.u8(30)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u16(mask.rawValue)
    writer.put([dynamicModel, fixMode])
    writer.i32(fixedAltitudeCentimeters)
    writer.u32(fixedAltitudeVarianceE4)
    writer.i8(minimumElevationDegrees)
    writer.u8(deadReckoningLimitSeconds)
    writer.u16(positionDOPMaxE1)
    writer.u16(timeDOPMaxE1)
    writer.u16(positionAccuracyMaxMeters)
    writer.u16(timeAccuracyMaxMeters)
    writer.put([staticHoldSpeedCentimetersPerSecond, differentialTimeoutSeconds])
    writer.put([signalThresholdSatellites, signalThresholdDBHz, 0, 0])
    writer.u16(staticHoldDistanceMeters)
    writer.put([utcStandard, 0, 0, 0, 0, 0])
    return writer.bytes
  }
}
