/// A moment of Coordinated Universal Time: whole seconds since 1970-01-01 and the nanoseconds after.
///
/// Leap seconds are not counted, as in POSIX: second 60 of a minute is the first of the next one.
public struct UTCTime: Hashable, Comparable, Codable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, negative before.
  public var secondsSince1970: Int64
  /// Nanoseconds after that second, 0 to 999,999,999.
  public var nanoseconds: Int32

  /// Makes a moment out of a second and an offset from it that may be negative or more than a second.
  public init(secondsSince1970: Int64, nanoseconds: Int64 = 0) {
    var carry = nanoseconds / 1_000_000_000
    var rest = nanoseconds % 1_000_000_000
    if rest < 0 {
      rest += 1_000_000_000
      carry -= 1
    }
    self.secondsSince1970 = secondsSince1970 &+ carry
    self.nanoseconds = Int32(rest)
  }

  /// Makes a moment from calendar fields; nil when a field is out of its range.
  ///
  /// - Parameters:
  ///   - year: 1 to 9999.
  ///   - month: 1 to 12.
  ///   - day: 1 to the length of the month.
  ///   - hour: 0 to 23.
  ///   - minute: 0 to 59.
  ///   - second: 0 to 60, where 60 is a leap second.
  ///   - nanoseconds: an offset from that second, which may be negative.
  public init?(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, nanoseconds: Int64 = 0
  ) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...UTCTime.lengthOfMonth(month, year: year)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = UTCTime.daysSince1970(year: year, month: month, day: day)
    let seconds = days * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    self.init(secondsSince1970: seconds, nanoseconds: nanoseconds)
  }

  /// Seconds since 1970 with the fraction, as accurate as a `Double` is.
  public var timeIntervalSince1970: Double {
    Double(secondsSince1970) + Double(nanoseconds) / 1e9
  }

  public static func < (left: UTCTime, right: UTCTime) -> Bool {
    (left.secondsSince1970, left.nanoseconds) < (right.secondsSince1970, right.nanoseconds)
  }

  public static func + (left: UTCTime, right: Interval) -> UTCTime {
    UTCTime(
      secondsSince1970: left.secondsSince1970 &+ right.nanoseconds / 1_000_000_000,
      nanoseconds: Int64(left.nanoseconds) + right.nanoseconds % 1_000_000_000)
  }

  public static func - (left: UTCTime, right: UTCTime) -> Interval {
    .seconds(left.secondsSince1970 &- right.secondsSince1970)
      + Interval(nanoseconds: Int64(left.nanoseconds) - Int64(right.nanoseconds))
  }

  /// The calendar fields of this moment.
  public var calendar: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    var days = secondsSince1970 / 86_400
    var rest = secondsSince1970 % 86_400
    if rest < 0 {
      rest += 86_400
      days -= 1
    }
    // The civil calendar repeats every 400 years (146,097 days); years are counted from March so that
    // the leap day is the last of its year.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    let year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    return (year, month, day, Int(rest / 3_600), Int(rest / 60 % 60), Int(rest % 60))
  }

  /// This moment as RFC 3339 text that ends in `Z`, with 0 to 9 digits of the second's fraction.
  ///
  /// Further digits are cut off, never rounded up, so that a time is never shown before it has come.
  public func rfc3339(fractionDigits: Int) -> String {
    precondition((0...9).contains(fractionDigits), "a nanosecond has nine digits")
    let (year, month, day, hour, minute, second) = calendar
    var text: [UInt8] = []
    text.reserveCapacity(30)
    DecimalText.append(year, width: 4, to: &text)
    for (mark, value): (Unicode.Scalar, Int) in [
      ("-", month), ("-", day), ("T", hour), (":", minute), (":", second),
    ] {
      text.append(UInt8(ascii: mark))
      DecimalText.append(value, width: 2, to: &text)
    }
    if fractionDigits > 0 {
      text.append(UInt8(ascii: "."))
      DecimalText.append(Int(nanoseconds), width: 9, to: &text)
      text.removeLast(9 - fractionDigits)
    }
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Such as `20261121T101500Z`, for the names of files: their order is that of time.
  public var compactStamp: String {
    rfc3339(fractionDigits: 0).filter { $0 != "-" && $0 != ":" }
  }

  private static func lengthOfMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int64 {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
