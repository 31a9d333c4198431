import BinnacleBasics

/// The values of sentences as text (NMEA 0183 version 4.10, table 8: field types).
enum SentenceFields {
  /// `hhmmss.ss`, rounded to a hundredth of a second.
  static func time(_ time: UTCTime?) -> String? {
    guard let time = time.map(rounded) else { return nil }
    let (_, _, _, hour, minute, second) = time.calendar
    let hundredths = Int(time.nanoseconds) / 10_000_000
    return [hour, minute, second].map { DecimalText.padded($0, width: 2) }.joined() + "."
      + DecimalText.padded(hundredths, width: 2)
  }

  /// `ddmmyy`.
  static func date(_ time: UTCTime?) -> String? {
    guard let (year, month, day, _, _, _) = time.map(rounded)?.calendar else { return nil }
    return [day, month, year % 100].map { DecimalText.padded($0, width: 2) }.joined()
  }

  /// Day, month and year.
  static func calendarDay(_ time: UTCTime?) -> (day: String?, month: String?, year: String?) {
    guard let (year, month, day, _, _, _) = time.map(rounded)?.calendar else {
      return (nil, nil, nil)
    }
    return (
      DecimalText.padded(day, width: 2), DecimalText.padded(month, width: 2),
      DecimalText.padded(year, width: 4)
    )
  }

  /// `ddmm.mmmmm` and `N` or `S`; the fifth decimal of a minute is at most 1.9 cm.
  static func latitude(_ degrees: Double) -> (angle: String, hemisphere: String) {
    (angle(degrees, width: 2), degrees < 0 ? "S" : "N")
  }

  /// `dddmm.mmmmm` and `E` or `W`.
  static func longitude(_ degrees: Double) -> (angle: String, hemisphere: String) {
    (angle(degrees, width: 3), degrees < 0 ? "W" : "E")
  }

  /// Rounds the whole value, so that 59.999999 minutes become the next degree.
  private static func angle(_ degrees: Double, width: Int) -> String {
    let units = Int((degrees.magnitude * 6_000_000).rounded())
    let minutes = units % 6_000_000
    return DecimalText.padded(units / 6_000_000, width: width)
      + DecimalText.padded(minutes / 100_000, width: 2) + "."
      + DecimalText.padded(minutes % 100_000, width: 5)
  }

  /// The time rounded to hundredths of a second.
  private static func rounded(_ time: UTCTime) -> UTCTime { time + .milliseconds(5) }
}
