import BinnacleBasics

/// Time of an epoch in GPS time with the leap seconds: UBX-NAV-TIMEGPS, 01 20.
///
/// u-blox 7 receiver description, NAV-TIMEGPS. The message gives UTC if a receiver sends neither NAV-PVT nor
/// NAV-TIMEUTC.
public struct NavTIMEGPS: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x20

  /// The valid parts of the time.
  public struct Validity: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let timeOfWeek = Validity(rawValue: 1 << 0)
    public static let weekNumber = Validity(rawValue: 1 << 1)
    public static let leapSeconds = Validity(rawValue: 1 << 2)
  }

  public var iTOWMilliseconds: UInt32 = 0
  /// -500,000 to 500,000, to be added to the time of week.
  public var fTOWNanoseconds: Int32 = 0
  public var week: Int16 = 0
  /// GPS time minus UTC.
  public var leapSeconds: Int8 = 0
  public var valid: Validity = []
  /// 0xFFFFFFFF is unknown.
  public var timeAccuracyNanoseconds: UInt32 = 0

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 16 else { return nil }
    iTOWMilliseconds = payload.u32(0)
    fTOWNanoseconds = payload.i32(4)
    week = payload.i16(8)
    leapSeconds = payload.i8(10)
    valid = Validity(rawValue: payload.u8(11))
    timeAccuracyNanoseconds = payload.u32(12)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    writer.i32(fTOWNanoseconds)
    writer.i16(week)
    writer.i8(leapSeconds)
    writer.u8(valid.rawValue)
    writer.u32(timeAccuracyNanoseconds)
    return writer.bytes
  }
}
