/// All keys of the report, in the order of `Docs/SPEC-json.md`.
public enum ReportCatalog {
  /// A key without its Swift type.
  public struct Entry: Equatable, Sendable {
    /// Words in upper case stand for a number or a name: `clients.N.program`.
    public let name: String
    /// `text`, `integer`, `number` or `boolean`.
    public let typeName: String
    public let meaning: String

    init<Value>(_ key: ReportKey<Value>) {
      name = key.name
      typeName = Value.typeName
      meaning = key.meaning
    }

    /// The unit of a number, by the last word of the name; nil for a count or another type.
    public var unit: String? {
      guard typeName == "number" || typeName == "integer" else { return nil }
      let words = name.split { $0 == "." || $0 == "_" }
      if words.contains("on"), words.contains("s") { return "seconds" }
      return words.last.flatMap { word in
        ReportCatalog.units.first { $0.suffix == String(word) }?.unit
      }
    }

    /// Whether a name in a report belongs to this key.
    public func matches(_ name: String) -> Bool {
      let own = self.name.split(separator: ".", omittingEmptySubsequences: false)
      let other = name.split(separator: ".", omittingEmptySubsequences: false)
      // The name of a lamp or a button may replace two words, as in `buttons.HOME.line`.
      if own.first == "PART", own.count == 2, (2...3).contains(other.count) {
        return own.last == other.last
      }
      return own.count == other.count
        && zip(own, other).allSatisfy { ReportCatalog.matches($0, $1) }
    }
  }

  private static let units = [
    (suffix: "s", unit: "seconds"), (suffix: "seconds", unit: "seconds"),
    (suffix: "m", unit: "meters"), (suffix: "mps", unit: "meters per second"),
    (suffix: "g", unit: "g"), (suffix: "mg", unit: "thousandths of g"),
    (suffix: "hz", unit: "hertz"), (suffix: "baud", unit: "bits per second"),
    (suffix: "bytes", unit: "bytes"), (suffix: "percent", unit: "percent"),
  ]

  public static var entries: [Entry] {
    daemon + receiver + accelerometer + assistance + power + rest + fixes + panel + state + clients
  }

  /// The entry of a name in a report.
  public static func entry(of name: String) -> Entry? {
    let entries = entries
    return entries.first { $0.name == name } ?? entries.first { $0.matches(name) }
  }

  /// The table of `Docs/SPEC-json.md`.
  public static var table: String { table(of: entries) }

  /// A table of keys for `Docs/SPEC-json.md`.
  public static func table(of entries: [Entry]) -> String {
    let rows = entries.map { entry in
      let unit = entry.unit.map { ", \($0)" } ?? ""
      return "| `\(entry.name)` | \(entry.typeName)\(unit) | \(entry.meaning) |"
    }
    return (["| key | type | meaning |", "|---|---|---|"] + rows).joined(separator: "\n")
  }

  /// Whether a word matches: `N` matches `3`, `hour_N` matches `hour_3`, `THREAT_time` matches `jamming_time`.
  private static func matches(_ own: Substring, _ other: Substring) -> Bool {
    guard let first = own.firstIndex(where: { $0.isUppercase }),
      let last = own.lastIndex(where: { $0.isUppercase })
    else { return own == other }
    let (start, end) = (own[..<first], own[own.index(after: last)...])
    return other.count > start.count + end.count && other.hasPrefix(start) && other.hasSuffix(end)
  }
}
