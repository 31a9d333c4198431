import BinnacleBasics
import Testing

@Suite struct UTCTimeTests {
  @Test func aNegativeNanosecondIsTakenFromTheSecondBefore() throws {
    let time = try #require(
      UTCTime(
        year: 2021, month: 6, day: 10, hour: 0, minute: 0, second: 0, nanoseconds: -399_319))
    #expect(time.rfc3339(fractionDigits: 9) == "2021-06-09T23:59:59.999600681Z")
  }

  @Test func aFractionIsCutOffAndNeverRoundedUp() throws {
    let time = UTCTime(secondsSince1970: 0, nanoseconds: 999_999_999)
    #expect(time.rfc3339(fractionDigits: 3) == "1970-01-01T00:00:00.999Z")
    #expect(time.rfc3339(fractionDigits: 0) == "1970-01-01T00:00:00Z")
  }

  @Test(arguments: [
    (951_782_400 + 3_723, 5, 9, "2000-02-29T01:02:03.000000005Z"),
    (-62_135_596_800, 0, 1, "0001-01-01T00:00:00.0Z"),
    (253_402_300_800, 0, 0, "10000-01-01T00:00:00Z"),
    (-62_167_219_201, 40_000_000, 2, "-0001-12-31T23:59:59.04Z"),
  ]) func eachFieldHasItsZeros(seconds: Int, nanoseconds: Int, digits: Int, text: String) {
    let time = UTCTime(secondsSince1970: Int64(seconds), nanoseconds: Int64(nanoseconds))
    #expect(time.rfc3339(fractionDigits: digits) == text)
  }

  @Test func aLeapSecondIsTheFirstOfTheNextMinute() throws {
    let leap = try #require(
      UTCTime(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60))
    #expect(leap.rfc3339(fractionDigits: 0) == "2017-01-01T00:00:00Z")
  }

  @Test(arguments: [
    (1970, 1, 1, 0), (2000, 2, 29, 951_782_400), (2026, 11, 21, 1_795_219_200),
    (1900, 3, 1, -2_203_891_200), (2100, 2, 28, 4_107_456_000), (9999, 12, 31, 253_402_214_400),
  ]) func aDateIsItsNumberOfSeconds(year: Int, month: Int, day: Int, seconds: Int) throws {
    let time = try #require(
      UTCTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0))
    #expect(time.secondsSince1970 == Int64(seconds))
  }

  @Test func everyDayOfFourHundredYearsSurvivesConversion() throws {
    for day in -146_097..<146_097 {
      let time = UTCTime(secondsSince1970: Int64(day) * 86_400 + 3_723, nanoseconds: 5)
      let fields = time.calendar
      let again = UTCTime(
        year: fields.year, month: fields.month, day: fields.day, hour: fields.hour,
        minute: fields.minute, second: fields.second, nanoseconds: 5)
      guard again == time else {
        Issue.record("day \(day) became \(String(describing: again))")
        return
      }
    }
  }

  @Test(arguments: [
    (2021, 2, 29, 0, 0, 0), (2024, 13, 1, 0, 0, 0), (2024, 0, 1, 0, 0, 0), (0, 1, 1, 0, 0, 0),
    (2024, 4, 31, 0, 0, 0), (2024, 1, 1, 24, 0, 0), (2024, 1, 1, 0, 60, 0),
    (2024, 1, 1, 0, 0, 61),
  ]) func aFieldOutOfItsRangeIsNoTime(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
  ) {
    let time = UTCTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    #expect(time == nil)
  }

  @Test func theDifferenceOfTwoTimesAddsUpAgain() {
    let early = UTCTime(secondsSince1970: 100, nanoseconds: 900_000_000)
    let late = UTCTime(secondsSince1970: 102, nanoseconds: 100_000_000)
    #expect(late - early == .milliseconds(1_200))
    #expect(early + (late - early) == late)
    #expect(late + (early - late) == early)
  }
}
