import BinnacleBasics

/// Present and next leap seconds: UBX-NAV-TIMELS, 01 26.
///
/// u-blox 8 / M8 receiver description (UBX-13003221), UBX-NAV-TIMELS; only the present value is read.
public struct NavTIMELS: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x26

  public var iTOWMilliseconds: UInt32 = 0
  /// 0 is the firmware's default, which may be outdated; 255 is unknown.
  public var sourceOfCurrent: UInt8 = 0
  /// GPS time minus UTC.
  public var current: Int8 = 0
  /// Bit 0: `current` is valid.
  public var valid: UInt8 = 0

  public init() {}

  /// Whether `current` was received or set.
  public var isCurrentKnown: Bool {
    valid & 1 != 0 && sourceOfCurrent != 0 && sourceOfCurrent != 255
  }

  public init?(_ payload: Payload) {
    guard payload.count >= 24 else { return nil }
    iTOWMilliseconds = payload.u32(0)
    sourceOfCurrent = payload.u8(8)
    current = payload.i8(9)
    valid = payload.u8(23)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    writer.put([0, 0, 0, 0, sourceOfCurrent, UInt8(bitPattern: current)])
    writer.put([UInt8](repeating: 0, count: 13))
    writer.u8(valid)
    return writer.bytes
  }
}
