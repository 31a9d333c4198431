import BinnacleBasics

/// Velocity north, east and down: UBX-NAV-VELNED, 01 12.
///
/// u-blox 7 receiver description, NAV-VELNED; the velocity of generations that have no NAV-PVT.
public struct NavVELNED: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x12

  public var iTOWMilliseconds: UInt32 = 0
  public var northCentimetersPerSecond: Int32 = 0
  public var eastCentimetersPerSecond: Int32 = 0
  public var downCentimetersPerSecond: Int32 = 0
  /// Three-dimensional.
  public var speedCentimetersPerSecond: UInt32 = 0
  /// Two-dimensional.
  public var groundSpeedCentimetersPerSecond: UInt32 = 0
  public var headingE5: Int32 = 0
  public var speedAccuracyCentimetersPerSecond: UInt32 = 0
  public var headingAccuracyE5: UInt32 = 0

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 36 else { return nil }
    iTOWMilliseconds = payload.u32(0)
    northCentimetersPerSecond = payload.i32(4)
    eastCentimetersPerSecond = payload.i32(8)
    downCentimetersPerSecond = payload.i32(12)
    speedCentimetersPerSecond = payload.u32(16)
    groundSpeedCentimetersPerSecond = payload.u32(20)
    headingE5 = payload.i32(24)
    speedAccuracyCentimetersPerSecond = payload.u32(28)
    headingAccuracyE5 = payload.u32(32)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    writer.i32(northCentimetersPerSecond)
    writer.i32(eastCentimetersPerSecond)
    writer.i32(downCentimetersPerSecond)
    writer.u32(speedCentimetersPerSecond)
    writer.u32(groundSpeedCentimetersPerSecond)
    writer.i32(headingE5)
    writer.u32(speedAccuracyCentimetersPerSecond)
    writer.u32(headingAccuracyE5)
    return writer.bytes
  }
}
