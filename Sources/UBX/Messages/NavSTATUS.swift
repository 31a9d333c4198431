import BinnacleBasics

/// The receiver's state and uptime: UBX-NAV-STATUS, 01 03.
///
/// M10 SPG 5.10 interface description, UBX-NAV-STATUS.
public struct NavSTATUS: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x03

  /// The field `flags`.
  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let fixOK = Flags(rawValue: 1 << 0)
    public static let differential = Flags(rawValue: 1 << 1)
    public static let weekNumberSet = Flags(rawValue: 1 << 2)
    public static let timeOfWeekSet = Flags(rawValue: 1 << 3)
  }

  public var iTOWMilliseconds: UInt32 = 0
  /// As `NavPVT.fixType`; a fix may still be invalid.
  public var gpsFix: UInt8 = 0
  public var flags: Flags = []
  public var fixStatus: UInt8 = 0
  /// Bits 0 and 1 power save state, 3 and 4 spoofing state, 6 and 7 carrier solution.
  public var flags2: UInt8 = 0
  /// From start to first fix.
  public var timeToFirstFixMilliseconds: UInt32 = 0
  /// Time since start or reset: a decrease shows a reset.
  public var uptimeMilliseconds: UInt32 = 0

  /// 0 unknown or off, 1 none, 2 indicated, 3 multiple indications; protocol version 18 and later.
  public var spoofingState: UInt8 { flags2 >> 3 & 3 }

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 16 else { return nil }
    iTOWMilliseconds = payload.u32(0)
    gpsFix = payload.u8(4)
    flags = Flags(rawValue: payload.u8(5))
    fixStatus = payload.u8(6)
    flags2 = payload.u8(7)
    timeToFirstFixMilliseconds = payload.u32(8)
    uptimeMilliseconds = payload.u32(12)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    writer.put([gpsFix, flags.rawValue, fixStatus, flags2])
    writer.u32(timeToFirstFixMilliseconds)
    writer.u32(uptimeMilliseconds)
    return writer.bytes
  }
}
