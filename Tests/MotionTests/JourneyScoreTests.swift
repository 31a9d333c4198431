import Simulation
import TestSupport
import Testing

/// The detector's figures for simulated journeys equal the checked-in table.
struct JourneyScoreTests {
  @Test func theFiguresOfSimulatedJourneysAreThoseOfTheTable() throws {
    let kept = try TestData.contents(ofFile: TestData.packageRoot + "/Docs/SCORE-motion.txt")
    let text = "\n\n" + JourneyScore.shortText + "\n"
    #expect(
      String(decoding: kept, as: UTF8.self).contains(text),
      "look at what has changed with \"make score\"")
  }

  /// The days of the table take too long for every run; an hour of each is the same thing, where nothing happens.
  @Test(arguments: [Body.Path.desk, .street])
  func anHourOfDeskLifeIsOnePauseWithoutAnEnd(_ path: Body.Path) {
    let text = JourneyScore.text(
      [JourneyScore.Case(path: path, seeds: 7...7, minutes: 60)], title: "an hour")
    let rows = text.split(separator: "\n").dropFirst(2).map { $0.split(separator: " ") }
    #expect(rows.count == 4)
    for row in rows {
      // Stops, hours of rest, false resumes.
      #expect(row[6] == "1/1" && row[10] == "1.00" && row[11] == "0", "\(row)")
    }
  }

  /// Control: a table of a place that shakes shows it.
  @Test func aMastInGustsEndsPausesThatADeskDoesNot() {
    let text = JourneyScore.text(
      [JourneyScore.Case(path: .mast, seeds: 1...1, minutes: 20)], title: "gusts")
    let row = text.split(separator: "\n").dropFirst(2).first?.split(separator: " ") ?? []
    #expect(row.count > 11 && row[11] != "0", "\(row)")
  }
}
