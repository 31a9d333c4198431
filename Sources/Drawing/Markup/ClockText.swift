import BinnacleBasics

/// Times and durations as short texts of a drawing.
enum ClockText {
  /// Such as `2026-11-21 10:15:00`.
  static func dateAndTime(_ time: UTCTime) -> String {
    var text = time.rfc3339(fractionDigits: 0)
    text.removeLast()
    return text.split(separator: "T").joined(separator: " ")
  }

  /// Such as `10:15`.
  static func hourAndMinute(_ time: UTCTime) -> String {
    let calendar = time.calendar
    return DecimalText.padded(calendar.hour, width: 2) + ":"
      + DecimalText.padded(calendar.minute, width: 2)
  }

  /// Such as `45 s`, `12 min`, `3 h 5 min` or `2 d 4 h`.
  static func duration(_ seconds: Double) -> String {
    let seconds = Int64(min(max(seconds.rounded(), 0), 1e12))
    if seconds < 120 { return "\(seconds) s" }
    let minutes = (seconds + 30) / 60
    if minutes < 60 { return "\(minutes) min" }
    if minutes < 48 * 60 { return "\(minutes / 60) h \(minutes % 60) min" }
    return "\(minutes / 1_440) d \(minutes / 60 % 24) h"
  }
}
