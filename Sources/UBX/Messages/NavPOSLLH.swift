import BinnacleBasics

/// Geodetic position: UBX-NAV-POSLLH, 01 02.
///
/// u-blox 7 receiver description, NAV-POSLLH; the position of generations that have no NAV-PVT.
public struct NavPOSLLH: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x02

  public var iTOWMilliseconds: UInt32 = 0
  public var longitudeE7: Int32 = 0
  public var latitudeE7: Int32 = 0
  /// Above the ellipsoid.
  public var heightMillimeters: Int32 = 0
  /// Above mean sea level.
  public var heightMSLMillimeters: Int32 = 0
  /// 0xFFFFFFFF is unknown.
  public var horizontalAccuracyMillimeters: UInt32 = 0
  /// 0xFFFFFFFF is unknown.
  public var verticalAccuracyMillimeters: UInt32 = 0

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 28 else { return nil }
    iTOWMilliseconds = payload.u32(0)
    longitudeE7 = payload.i32(4)
    latitudeE7 = payload.i32(8)
    heightMillimeters = payload.i32(12)
    heightMSLMillimeters = payload.i32(16)
    horizontalAccuracyMillimeters = payload.u32(20)
    verticalAccuracyMillimeters = payload.u32(24)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    writer.i32(longitudeE7)
    writer.i32(latitudeE7)
    writer.i32(heightMillimeters)
    writer.i32(heightMSLMillimeters)
    writer.u32(horizontalAccuracyMillimeters)
    writer.u32(verticalAccuracyMillimeters)
    return writer.bytes
  }
}
