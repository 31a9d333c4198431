import BinnacleBasics
import Simulation
import Testing

/// Recordings as files have them: whole, damaged, and rubbish.
struct MotionSheetTests {
  private func items(_ text: String, pieces: Int = 1_000) -> [MotionSheet.Item] {
    var sheet = MotionSheet(readsLabels: true)
    var items: [MotionSheet.Item] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      sheet.read(Array(bytes[start..<min(start + pieces, bytes.count)])) { items.append($0) }
    }
    sheet.finish { items.append($0) }
    return items
  }

  private func rows(_ items: [MotionSheet.Item]) -> [MotionRow] {
    items.compactMap { if case .row(let row) = $0 { row } else { nil } }
  }

  private func rejected(_ items: [MotionSheet.Item]) -> [String] {
    items.compactMap {
      if case .rejected(let line, let complaint) = $0 { "\(line) \(complaint)" } else { nil }
    }
  }

  private static let header = "t_s,ax_g,ay_g,az_g,label,gps_speed,truth_speed\n"

  @Test func aLineIsATimeThreeAccelerationsALabelAndASpeed() {
    let text = Self.header + "0.0675,0.23281,0.01000,-0.97252,1,1.500,0.000\n0.5,,,,,,\n"
    for pieces in [1, 7, 1_000] {
      let rows = rows(items(text, pieces: pieces))
      #expect(rows.count == 2)
      #expect(rows.first?.instant == Instant(nanoseconds: 67_500_000))
      #expect(rows.first?.acceleration?.x == 0.23281 && rows.first?.acceleration?.z == -0.97252)
      #expect(rows.first?.speed == 1.5 && rows.first?.label == 1 && rows.first?.line == 2)
      #expect(rows.last?.acceleration == nil && rows.last?.speed == nil)
    }
  }

  @Test func columnsAreFoundByTheirNames() {
    let rows = rows(items("gps_speed,az_g,ay_g,ax_g,t_s\r\n2,3,4,5,6\r\n2,3,4,5,7"))
    #expect(rows.count == 2 && rows[0].acceleration?.x == 5 && rows[0].acceleration?.z == 3)
    #expect(rows.first?.instant == Instant(nanoseconds: 6_000_000_000))
  }

  /// Spreadsheets begin a file with the mark of the byte order and quote names; people put blanks behind commas.
  @Test func columnsAreFoundDespiteQuotesAndBlanksAroundTheirNames() {
    let names = "\n\u{FEFF}\"t_s\", \"az_g\",\tay_g,ax_g , extra\r\n"
    let rows = rows(items(names + "6, 3,4 ,\t5,anything\r\n7,3,4,5,\n"))
    #expect(rows.count == 2 && rows[0].acceleration?.x == 5 && rows[0].acceleration?.z == 3)
    #expect(rows.first?.line == 3)
  }

  @Test func aHeaderWithoutARequiredColumnIsTheOnlyComplaint() {
    let rest = "\n1,2,3,4\nrubbish\n2,2,3,4\n"
    #expect(items("t_s,ax_g,az_g,gps_speed" + rest) == [.columnsMissing(line: 1, ["ay_g"])])
    #expect(items("time,ax_g,ay_g,az_g" + rest) == [.columnsMissing(line: 1, ["t_s"])])
    #expect(
      items("\nt_s,label" + rest) == [.columnsMissing(line: 2, ["ax_g", "ay_g", "az_g"])])
  }

  @Test func aRecordingOfSpeedsAloneIsOne() {
    let rows = rows(items("t_s,gps_speed\n1,2\n2,\n"))
    #expect(rows.map(\.speed) == [2, nil] && rows.allSatisfy { $0.acceleration == nil })
  }

  @Test func aMalformedLineIsReportedWithItsNumber() {
    let text =
      Self.header + "0,0,0,1\nrubbish\n0.1,0,zero,1\n,0,0,1\n0.05,0,0,1\n0.02,0,0,1\n"
      + String(repeating: "9", count: 2_000) + "\n1e30,0,0,1\n0.2,0,0,1\n"
    let items = items(text)
    // Line 7 is out of order and sorted.
    #expect(rows(items).map(\.line) == [2, 7, 6, 10])
    #expect(
      rejected(items) == [
        "3 tooShort", "4 unreadable", "5 timeMissing", "8 tooLong", "9 timeMissing",
      ])
  }

  @Test func aTimeFarAheadIsAcceptedWhenTheNextLineFollowsIt() {
    let jump = items("0,0,0,1\n0.1,0,0,1\n90000,0,0,1\n0.2,0,0,1\n0.3,0,0,1\n")
    #expect(rejected(jump) == ["3 timeAhead"] && rows(jump).count == 4)
    let gap = items("0,0,0,1\n0.1,0,0,1\n90000,0,0,1\n90000.1,0,0,1\n")
    #expect(rejected(gap) == [] && rows(gap).count == 4)
    let first = items("5e8,0,0,1\n0.1,0,0,1\n0.2,0,0,1\n")
    #expect(rejected(first) == ["1 timeAhead"] && rows(first).count == 2)
  }

  @Test func notANumberReachesTheDetectorAsDamage() {
    let rows = rows(items("0,nan,0,1\n0.1,inf,0,1\n0.2,,0,1\n"))
    #expect(rows.count == 3)
    #expect(rows.allSatisfy { !($0.acceleration?.x.isFinite ?? true) })
  }

  @Test func anEmptyFileHasNoRows() {
    #expect(items("") == [] && items("\n\n") == [] && items(Self.header) == [])
  }
}
