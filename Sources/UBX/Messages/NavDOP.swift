import BinnacleBasics

/// Dilution of precision: UBX-NAV-DOP, 01 04; all values in 0.01, 9999 is unknown.
///
/// M10 SPG 5.10 interface description, UBX-NAV-DOP.
public struct NavDOP: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x04

  public var iTOWMilliseconds: UInt32 = 0
  public var geometricE2: UInt16 = 0
  public var positionE2: UInt16 = 0
  public var timeE2: UInt16 = 0
  public var verticalE2: UInt16 = 0
  public var horizontalE2: UInt16 = 0
  public var northingE2: UInt16 = 0
  public var eastingE2: UInt16 = 0

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 18 else { return nil }
    iTOWMilliseconds = payload.u32(0)
    geometricE2 = payload.u16(4)
    positionE2 = payload.u16(6)
    timeE2 = payload.u16(8)
    verticalE2 = payload.u16(10)
    horizontalE2 = payload.u16(12)
    northingE2 = payload.u16(14)
    eastingE2 = payload.u16(16)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    for value in [
      geometricE2, positionE2, timeE2, verticalE2, horizontalE2, northingE2, eastingE2,
    ] {
      writer.u16(value)
    }
    return writer.bytes
  }
}
