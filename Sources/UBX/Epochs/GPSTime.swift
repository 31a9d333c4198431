import BinnacleBasics

/// A time of the GPS time scale, which began on 1980-01-06 and has no leap seconds.
struct GPSTime {
  var week: Int16
  var iTOWMilliseconds: UInt32
  /// -500,000 to 500,000, to be added to the time of week.
  var fTOWNanoseconds: Int32

  private static let startSecondsSince1970: Int64 = 315_964_800
  private static let weekSeconds: Int64 = 604_800

  /// The differences between GPS time and UTC, with their start in UTC (IERS Bulletin C 30, 36, 43, 49 and 52).
  private static let leapSeconds: [(from: Int64, difference: Int8)] = [
    (1_483_228_800, 18), (1_435_708_800, 17), (1_341_100_800, 16), (1_230_768_000, 15),
    (1_136_073_600, 14),
  ]

  func utc(leapSeconds: Int8) -> UTCTime {
    UTCTime(
      secondsSince1970: GPSTime.startSecondsSince1970 + Int64(week) * GPSTime.weekSeconds
        + Int64(iTOWMilliseconds / 1_000) - Int64(leapSeconds),
      nanoseconds: Int64(iTOWMilliseconds % 1_000) * 1_000_000 + Int64(fTOWNanoseconds))
  }

  /// UTC by the table of leap seconds; nil before 2006, because only a wrong week number gives such a time.
  var utcByTable: UTCTime? {
    for (start, difference) in GPSTime.leapSeconds {
      let time = utc(leapSeconds: difference)
      if time.secondsSince1970 >= start { return time }
    }
    return nil
  }
}
