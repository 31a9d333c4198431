import BinnacleBasics

/// A position with more digits: UBX-NAV-HPPOSLLH, 01 14, high precision firmware only.
///
/// F9 HPG L1L5 1.40 interface description (UBX-23006991), UBX-NAV-HPPOSLLH. The full value is the standard part
/// plus the high precision part.
public struct NavHPPOSLLH: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x14

  public var version: UInt8 = 0
  /// Bit 0 invalidLlh.
  public var flags: UInt8 = 0
  public var iTOWMilliseconds: UInt32 = 0
  public var longitudeE7: Int32 = 0
  public var latitudeE7: Int32 = 0
  /// Above the ellipsoid.
  public var heightMillimeters: Int32 = 0
  /// Above mean sea level.
  public var heightMSLMillimeters: Int32 = 0
  /// -99 to 99, in 1e-9 degrees.
  public var longitudePartE9: Int8 = 0
  /// -99 to 99, in 1e-9 degrees.
  public var latitudePartE9: Int8 = 0
  /// -9 to 9, in 0.1 millimeters.
  public var heightPartE4: Int8 = 0
  /// -9 to 9, in 0.1 millimeters.
  public var heightMSLPartE4: Int8 = 0
  /// In 0.1 millimeters; 0xFFFFFFFF is unknown.
  public var horizontalAccuracyE4: UInt32 = 0
  /// In 0.1 millimeters; 0xFFFFFFFF is unknown.
  public var verticalAccuracyE4: UInt32 = 0

  /// Whether the receiver marks longitude, latitude and heights as invalid.
  public var isPositionInvalid: Bool { flags & 1 != 0 }

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 36 else { return nil }
    version = payload.u8(0)
    flags = payload.u8(3)
    iTOWMilliseconds = payload.u32(4)
    longitudeE7 = payload.i32(8)
    latitudeE7 = payload.i32(12)
    heightMillimeters = payload.i32(16)
    heightMSLMillimeters = payload.i32(20)
    longitudePartE9 = payload.i8(24)
    latitudePartE9 = payload.i8(25)
    heightPartE4 = payload.i8(26)
    heightMSLPartE4 = payload.i8(27)
    horizontalAccuracyE4 = payload.u32(28)
    verticalAccuracyE4 = payload.u32(32)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.put([version, 0, 0, flags])
    writer.u32(iTOWMilliseconds)
    writer.i32(longitudeE7)
    writer.i32(latitudeE7)
    writer.i32(heightMillimeters)
    writer.i32(heightMSLMillimeters)
    writer.i8(longitudePartE9)
    writer.i8(latitudePartE9)
    writer.i8(heightPartE4)
    writer.i8(heightMSLPartE4)
    writer.u32(horizontalAccuracyE4)
    writer.u32(verticalAccuracyE4)
    return writer.bytes
  }
}
