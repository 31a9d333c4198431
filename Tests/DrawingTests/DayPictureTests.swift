import BinnacleBasics
import BinnacleModel
import BinnacleText
import Foundation
import TestSupport
import Testing

@testable import Drawing

struct DayPictureTests {
  private static let hostile = "1000:/<script>\u{1B}]0;x\u{7}\u{202E}\"'&</text>"

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

  static let now = UTCTime(secondsSince1970: 1_795_256_100)

  private static let day = DayTimeline(
    [
      row("daemon", 43_200, "started"), row("movement", 43_200, "not_judged"),
      row("movement", 21_600, "moving"), row("movement", 7_200, "resting"),
      row("app", 43_200, "not_running", hostile), row("app", 3_600, "foreground", hostile),
    ], now: now)

  /// The places and widths of the rectangles of a class, before the legend.
  private func segments(_ kind: String, _ figure: Figure) -> [(x: Double, width: Double)] {
    figure.document.components(separatedBy: "<rect class=\"\(kind)\" ").dropFirst().compactMap {
      part in
      func number(_ name: String) -> Double? {
        part.components(separatedBy: "\(name)=\"").dropFirst().first?
          .components(separatedBy: "\"").first.flatMap { Double($0) }
      }
      guard let x = number("x"), let width = number(" width"), part.contains("<title>") else {
        return nil
      }
      return (x, width)
    }
  }

  @Test func aSegmentBeginsAndEndsWithItsState() throws {
    let figure = DayPicture(Self.day).figure
    let scale = try #require(DrawnTrack.fact("seconds-per-unit", figure))
    let left = try #require(DrawnTrack.fact("left", figure))
    let moving = try #require(segments("moving", figure).first)
    #expect(abs((moving.x - left) * scale - (86_400 - 21_600)) < 200)
    #expect(abs(moving.width * scale - 14_400) < 200)
    let resting = try #require(segments("resting", figure).first)
    #expect(abs((resting.x + resting.width - left) * scale - 86_400) < 200)
  }

  @Test func theTimeBeforeTheDaemonsStartIsHatchedAndExplained() throws {
    let figure = DayPicture(Self.day).figure
    #expect(figure.document.contains("<rect class=\"veil\" x=\"210\""))
    #expect(figure.document.contains("the daemon started at 22:15"))
    #expect(figure.document.contains(">unknown</text>"))
  }

  @Test(arguments: [900.0, 400])
  func namesOfAppsCannotBreakOutOfTheDrawing(width: Double) {
    let document = DayPicture(Self.day, width: width).figure.document
    #expect(XMLCheck.parses(document))
    #expect(!document.contains("<script"))
    #expect(ForeignText.remains(in: document) == [])
  }

  @Test func aFullHistoryIsABoundedFile() {
    var rows = [Self.row("daemon", 86_000, "started")]
    for number in 0..<4_096 {
      let state = number % 2 == 0 ? "foreground" : "not_running"
      rows.append(Self.row("app", 86_000 - Double(number) * 20, state, "org.example.a"))
    }
    let document = DayPicture(DayTimeline(rows, now: Self.now)).figure.document
    #expect(document.utf8.count < 700_000, "\(document.utf8.count)")
  }

  @Test func aShortMovementIsVisible() {
    let rows = [
      Self.row("daemon", 86_000, "started"), Self.row("movement", 86_000, "resting"),
      Self.row("movement", 40_000, "moving"), Self.row("movement", 39_990, "resting"),
    ]
    let figure = DayPicture(DayTimeline(rows, now: Self.now)).figure
    #expect(segments("moving", figure).map { $0.width >= 1 } == [true])
  }
}
