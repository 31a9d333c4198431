import BinnacleBasics

/// Time of an epoch in UTC: UBX-NAV-TIMEUTC, 01 21.
///
/// M10 SPG 5.10 interface description, UBX-NAV-TIMEUTC.
public struct NavTIMEUTC: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x21

  /// The valid parts of the time; the upper four bits are the UTC standard.
  public struct Validity: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let timeOfWeek = Validity(rawValue: 1 << 0)
    public static let weekNumber = Validity(rawValue: 1 << 1)
    /// The leap seconds are known.
    public static let utc = Validity(rawValue: 1 << 2)
  }

  public var iTOWMilliseconds: UInt32 = 0
  /// 0xFFFFFFFF is unknown.
  public var timeAccuracyNanoseconds: UInt32 = 0
  /// -1e9 to 1e9.
  public var nanoseconds: Int32 = 0
  public var year: UInt16 = 0
  public var month: UInt8 = 0
  public var day: UInt8 = 0
  public var hour: UInt8 = 0
  public var minute: UInt8 = 0
  /// 0 to 60.
  public var second: UInt8 = 0
  public var valid: Validity = []

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 20 else { return nil }
    iTOWMilliseconds = payload.u32(0)
    timeAccuracyNanoseconds = payload.u32(4)
    nanoseconds = payload.i32(8)
    year = payload.u16(12)
    month = payload.u8(14)
    day = payload.u8(15)
    hour = payload.u8(16)
    minute = payload.u8(17)
    second = payload.u8(18)
    valid = Validity(rawValue: payload.u8(19))
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    writer.u32(timeAccuracyNanoseconds)
    writer.i32(nanoseconds)
    writer.u16(year)
    writer.put([month, day, hour, minute, second, valid.rawValue])
    return writer.bytes
  }
}
