public import BinnacleBasics

/// Time assistance: UBX-MGA-INI-TIME_UTC, 13 40, type 0x10.
///
/// F9P interface description UBX-18010854 and M10 SPG 5.10 interface description UBX-21035062: 24 bytes. "Supplying
/// time assistance that is inaccurate by more than the specified time accuracy, may lead to substantially degraded
/// receiver performance." The time is that of the reception of the message (`ref` 0).
public struct MgaINITimeUTC: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x13
  public static let messageID: UInt8 = 0x40
  static let type: UInt8 = 0x10

  /// Seconds that GPS time is ahead of UTC; -128 is unknown.
  public var leapSeconds: Int8 = -128
  public var year: UInt16 = 0
  public var month: UInt8 = 0
  public var day: UInt8 = 0
  public var hour: UInt8 = 0
  public var minute: UInt8 = 0
  /// 0 to 59.
  public var second: UInt8 = 0
  /// 0 to 999,999,999.
  public var nanoseconds: UInt32 = 0
  /// The accuracy: seconds, then nanoseconds up to 999,999,999.
  public var accuracySeconds: UInt16 = 0
  public var accuracyNanoseconds: UInt32 = 0

  /// - Parameters:
  ///   - time: the time of year 1980 to 9999.
  ///   - accuracy: the accuracy of the time; at most 65,535 s are sent.
  public init(_ time: UTCTime, accuracy: Interval) {
    let fields = time.calendar
    year = UInt16(clamping: fields.year)
    month = UInt8(clamping: fields.month)
    day = UInt8(clamping: fields.day)
    hour = UInt8(clamping: fields.hour)
    minute = UInt8(clamping: fields.minute)
    second = UInt8(clamping: fields.second)
    nanoseconds = UInt32(clamping: time.nanoseconds)
    accuracySeconds = UInt16(clamping: accuracy.nanoseconds / 1_000_000_000)
    accuracyNanoseconds = UInt32(clamping: accuracy.nanoseconds % 1_000_000_000)
  }

  public init?(_ payload: Payload) {
    guard payload.count >= 24, payload.u8(0) == MgaINITimeUTC.type, payload.u8(1) == 0,
      payload.u8(2) == 0
    else { return nil }
    leapSeconds = payload.i8(3)
    year = payload.u16(4)
    month = payload.u8(6)
    day = payload.u8(7)
    hour = payload.u8(8)
    minute = payload.u8(9)
    second = payload.u8(10)
    nanoseconds = payload.u32(12)
    accuracySeconds = payload.u16(16)
    accuracyNanoseconds = payload.u32(20)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.put([MgaINITimeUTC.type, 0, 0, UInt8(bitPattern: leapSeconds)])
    writer.u16(year)
    writer.put([month, day, hour, minute, second, 0])
    writer.u32(nanoseconds)
    writer.u16(accuracySeconds)
    writer.u16(0)
    writer.u32(accuracyNanoseconds)
    return writer.bytes
  }

  /// The time; nil when the fields are no valid date.
  public var time: UTCTime? {
    UTCTime(
      year: Int(year), month: Int(month), day: Int(day), hour: Int(hour), minute: Int(minute),
      second: Int(second), nanoseconds: Int64(nanoseconds))
  }

  /// The accuracy of the time.
  public var accuracy: Interval {
    .seconds(Int64(accuracySeconds)) + Interval(nanoseconds: Int64(accuracyNanoseconds))
  }
}
