import BinnacleBasics

/// The end of an epoch's messages: UBX-NAV-EOE, 01 61, protocol version 18 and later.
///
/// M10 SPG 5.10 interface description, UBX-NAV-EOE.
public struct NavEOE: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x61

  public var iTOWMilliseconds: UInt32

  public init(iTOWMilliseconds: UInt32) {
    self.iTOWMilliseconds = iTOWMilliseconds
  }

  public init?(_ payload: Payload) {
    guard payload.count >= 4 else { return nil }
    iTOWMilliseconds = payload.u32(0)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    return writer.bytes
  }
}
