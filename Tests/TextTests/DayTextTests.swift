import BinnacleModel
import TestSupport
import Testing

@testable import BinnacleBasics
@testable import BinnacleText

/// The last day as data and as text for a terminal.
struct DayTextTests {
  private static let now = UTCTime(secondsSince1970: 1_795_256_100)

  private static func row(
    _ part: String, _ age: Double, _ state: String, _ app: String? = nil
  ) -> Report {
    var row = Report()
    row.add("part", .text(part))
    if let app { row.add("id", .text(app)) }
    row.add("age_s", .number(age))
    row.add("state", .text(state))
    return row
  }

  private static func use(_ from: Int64, _ to: Int64?) -> Report {
    var row = Report()
    row.add("id", .text("org.example.a"))
    row.add("from", .text((now + .seconds(-from)).rfc3339(fractionDigits: 0)))
    if let to { row.add("to", .text((now + .seconds(-to)).rfc3339(fractionDigits: 0))) }
    row.add("updates", .integer(7))
    return row
  }

  @Test func anUnlockedConsoleIsNoUseOfLocations() {
    var console = Self.use(80_000, 70_000)
    console.add(.rowConsoleRole, "console")
    #expect(DayTimeline([], audit: [console], now: Self.now).uses.isEmpty)
    #expect(DayTimeline([], audit: [Self.use(80_000, 70_000)], now: Self.now).uses.count == 1)
  }

  @Test func transitionsBecomeSegmentsUntilNow() {
    let day = DayTimeline(
      [
        Self.row("daemon", 90_000, "started"), Self.row("movement", 90_000, "moving"),
        Self.row("movement", 88_000, "resting"), Self.row("movement", 600, "moving"),
        Self.row("app", 100, "not_running", "idle"), Self.row("receiver", 50, "nonsense"),
        Self.row("light", -5, "lit"),
      ], now: Self.now)
    #expect(day.daemonAge == 90_000)
    #expect(day.lanes.map(\.part) == [.movement])
    #expect(
      day.lanes.first?.segments == [
        .init(from: 86_400, to: 600, state: .resting), .init(from: 600, to: 0, state: .moving),
      ])
  }

  @Test func usesOfTheLastDayAreTakenFromTheAudit() {
    let day = DayTimeline(
      [], audit: [Self.use(100_000, 90_000), Self.use(100_000, 80_000), Self.use(60, nil)],
      now: Self.now)
    #expect(day.uses.map(\.from) == [86_400, 60])
    #expect(day.uses.map(\.to) == [80_000, 0])
  }

  @Test func theTextHasABarAndTheTimesOfEachPart() {
    let day = DayTimeline(
      [
        Self.row("daemon", 43_200, "started"), Self.row("movement", 43_200, "resting"),
        Self.row("movement", 3_600, "moving"), Self.row("receiver", 43_200, "asleep"),
        Self.row("receiver", 3_600, "fix"),
      ], audit: [Self.use(80_000, 70_000)], now: Self.now)
    #expect(
      DayText(day).lines == """
        The 24 hours until 2026-11-21T10:15:00Z; a column is 20 minutes, hours in UTC.

               12       15       18       21       00       03       06       09
        movement
          ????????????????????????????????????rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrMMM
            moving 60 min 0 s, resting 11 h 0 min
        receiver
          ????????????????????????????????????zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzFFF
            fix 60 min 0 s, asleep 11 h 0 min
        org.example.a with locations in the background
          .....BBBBBBBBB..........................................................
            B 2 h 46 min, 7 locations

        M moving, r resting; F fix, S searching, p pause, z asleep, ! silent or failed;
        L lit; f foreground, b background, s suspended; . none of these
        ? is unknown: the daemon started 12 h 0 min ago; its history is in its memory.
        """)
  }

  @Test func namesOfAppsCannotControlTheTerminal() {
    let day = DayTimeline(
      [
        Self.row("daemon", 43_200, "started"),
        Self.row("app", 43_200, "foreground", ForeignText.sample),
      ], now: Self.now)
    #expect(ForeignText.remains(in: DayText(day).lines) == [])
  }

  @Test func timesAreReadAsTheyAreWritten() {
    for text in ["2026-11-21T10:15:00Z", "2026-11-21T10:15:00.250Z"] {
      #expect(UTCTime(rfc3339: text)?.rfc3339(fractionDigits: text.count > 20 ? 3 : 0) == text)
    }
    #expect(UTCTime(rfc3339: "2026-11-21") == UTCTime(rfc3339: "2026-11-21 00:00"))
    for wrong in ["2026-11-21T10:15:00+01:00", "2026-13-01", "", "2026-11-21T10:15:00.Zx"] {
      #expect(UTCTime(rfc3339: wrong) == nil, "\(wrong)")
    }
  }
}
