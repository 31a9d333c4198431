import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import TestSupport
import Testing

/// The keys of an update, and their table in `Docs/SPEC-json.md`.
struct UpdateTextTests {
  @Test func theDocumentHasEachKeyOfAnUpdateInItsOrder() throws {
    let fix = Fix(
      latitude: 47, longitude: 8, horizontalAccuracy: 2, time: UTCTime(secondsSince1970: 5))
    let flags = Update.Flags.reasons.reduce(Update.Flags.stationary) { $0.union($1.flag) }
    let json = UpdateText.json(Update(fix: fix, flags: flags), receivedAt: 77)
    let keys = json.split(separator: ",").compactMap { pair in
      pair.split(separator: "\"").dropFirst(pair.hasPrefix("{") ? 1 : 0).first.map(String.init)
    }
    let page = try Files.read(TestData.packageRoot + "/Docs/SPEC-json.md", sizeMax: 1 << 20)
    let text = String(decoding: page, as: UTF8.self)
    let title: Range<String.Index> = try #require(
      text.firstRange(of: "## `binnacle watch --json`"))
    let rest: Substring = text[title.upperBound...]
    let end: Range<String.Index> = try #require(rest.firstRange(of: "\n## "))
    let rows = rest[..<end.lowerBound].split(separator: "\n").filter { $0.hasPrefix("| `") }
    let documented = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(documented.sorted() == keys.sorted())
    #expect(documented.last == "received_monotonic_ns" && keys.last == "received_monotonic_ns")
  }
}
