import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// The keys of the report, and the table of them in `Docs/SPEC-json.md`.
struct ReportCatalogTests {
  private static let page = TestData.packageRoot + "/Docs/SPEC-json.md"
  private static let title = "## Keys of the report\n"

  @Test func everyNameIsListedOnce() {
    let names = ReportCatalog.entries.map(\.name)
    #expect(names.count > 200)
    #expect(Set(names).count == names.count)
    for entry in ReportCatalog.entries {
      #expect(!entry.meaning.isEmpty && !entry.meaning.hasSuffix("."), "\(entry.name)")
      #expect(!entry.meaning.contains("|"), "\(entry.name)")
    }
  }

  @Test func aNameWithAnyVariableFindsItsKey() {
    let names = [
      "clients.12.sequence.3.pause": "clients.N.sequence.M.pause",
      "power.user_2.who": "power.user_N.who", "indicator.line_state": "PART.line_state",
      "buttons.HOME.line": "PART.line", "power.wake_line.line": "power.wake_line.line",
      "writes.hour_3.lazy.bytes": "writes.hour_N.CLASS.bytes", "damage.bytes": "damage.bytes",
      "rejected.jump": "rejected.CAUSE", "security.jamming_time": "security.THREAT_time",
    ]
    for (name, key) in names { #expect(ReportCatalog.entry(of: name)?.name == key) }
    #expect(ReportCatalog.entry(of: "clients.12") == nil)
    #expect(ReportCatalog.entry(of: "receiver.stat") == nil)
  }

  @Test func aValueIsReadAsItsTypeOnly() {
    var report = Report()
    report.add(.receiverState, "running")
    report.add("fixes.last_age_s", .integer(3))
    report.add("services.on", .text("yes"))
    #expect(report[.receiverState] == "running")
    #expect(report[.fixAge] == 3)
    #expect(report[.servicesOn] == nil && report[.fixTime] == nil)
  }

  @Test func unitsFollowFromTheNames() {
    let units = [
      "fixes.last_age_s": "seconds", "receiver.speed_baud": "bits per second",
      "power.on_s_last_day": "seconds", "rest.N.sway_mg": "thousandths of g",
    ]
    for (name, unit) in units { #expect(ReportCatalog.entry(of: name)?.unit == unit) }
    #expect(ReportCatalog.entry(of: "clients.count")?.unit == nil)
  }

  @Test(arguments: [
    ("apps", RowCatalog.apps), ("grants", RowCatalog.grants), ("prompts", RowCatalog.prompts),
    ("who", RowCatalog.who), ("audit", RowCatalog.audit), ("why APP", RowCatalog.why),
    ("output APP", RowCatalog.output), ("log", RowCatalog.log), ("settings", RowCatalog.settings),
    ("day", RowCatalog.day),
  ])
  func theDocumentHasTheKeysOfEachList(verb: String, entries: [ReportCatalog.Entry]) throws {
    if Environment.value("BINNACLE_DRAW") == "1" {
      try Self.draw(ReportCatalog.table(of: entries), below: "## `binnacle \(verb) --json`")
    }
    let text = String(decoding: try Files.read(Self.page, sizeMax: 1 << 20), as: UTF8.self)
    let title: Range<String.Index> = try #require(
      text.firstRange(of: "## `binnacle \(verb) --json`"), "the section is missing")
    let section: Substring = text[title.upperBound...]
    #expect(section.contains(ReportCatalog.table(of: entries) + "\n\nExit status:"))
  }

  private static func draw(_ table: String, below title: String) throws {
    let text = String(decoding: try Files.read(page, sizeMax: 1 << 20), as: UTF8.self)
    let section: Range<String.Index> = try #require(text.firstRange(of: title))
    let start: Range<String.Index> = try #require(
      text[section.upperBound...].firstRange(of: "| key |"))
    let end: Range<String.Index> = try #require(
      text[start.upperBound...].firstRange(of: "\n\nExit status:"))
    let whole = String(text[..<start.lowerBound]) + table + String(text[end.lowerBound...])
    try Files.writeAtomically(Array(whole.utf8), to: page)
  }

  /// `make drawings` writes the table.
  @Test func theTableOfTheDocumentIsThatOfTheCatalog() throws {
    let text = String(decoding: try Files.read(Self.page, sizeMax: 1 << 20), as: UTF8.self)
    let title: Range<String.Index> = try #require(
      text.firstRange(of: Self.title), "the section is missing")
    let section: Substring = text[title.upperBound...]
    let start: String.Index = try #require(section.firstRange(of: "| key |")?.lowerBound)
    let end: String.Index = section.firstRange(of: "\n\n## ")?.lowerBound ?? text.endIndex
    if Environment.value("BINNACLE_DRAW") == "1" {
      let whole = String(text[..<start]) + ReportCatalog.table + String(text[end...])
      try Files.writeAtomically(Array(whole.utf8), to: Self.page)
    } else {
      #expect(text[start..<end] == ReportCatalog.table, "make drawings writes the table")
    }
  }
}
