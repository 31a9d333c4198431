import BinnacleBasics

/// Position assistance for a receiver that searches for satellites: UBX-MGA-INI-POS_LLH, 13 40, type 0x01.
///
/// F9P interface description UBX-18010854 and M10 SPG 5.10 interface description UBX-21035062: 20 bytes. "Supplying
/// position assistance that is inaccurate by more than the specified position accuracy, may lead to substantially
/// degraded receiver performance."
public struct MgaINIPositionLLH: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x13
  public static let messageID: UInt8 = 0x40
  static let type: UInt8 = 0x01

  public var latitudeE7: Int32 = 0
  public var longitudeE7: Int32 = 0
  /// Above the WGS 84 ellipsoid.
  public var altitudeCentimeters: Int32 = 0
  /// One standard deviation.
  public var accuracyCentimeters: UInt32 = 0

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 20, payload.u8(0) == MgaINIPositionLLH.type, payload.u8(1) == 0
    else { return nil }
    latitudeE7 = payload.i32(4)
    longitudeE7 = payload.i32(8)
    altitudeCentimeters = payload.i32(12)
    accuracyCentimeters = payload.u32(16)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.put([MgaINIPositionLLH.type, 0, 0, 0])
    writer.i32(latitudeE7)
    writer.i32(longitudeE7)
    writer.i32(altitudeCentimeters)
    writer.u32(accuracyCentimeters)
    return writer.bytes
  }
}
