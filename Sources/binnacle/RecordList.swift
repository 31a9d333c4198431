import BinnacleBasics
import BinnacleText
import LocationEngine
import StateLog

/// Records as a list for people or for programs.
struct RecordList {
  let records: RecordSet
  let showsPlaces: Bool

  private struct Row {
    var kind: String
    var commitClass: String
    var bytes: Int
    var key: String
    var words: String
  }

  private var rows: [Row] {
    records.entries.sorted { $0.name < $1.name }.map { entry in
      let kind = RecordTable.kind(entry.name.kind)
      return Row(
        kind: kind?.name ?? "type \(entry.name.kind)",
        commitClass: kind.map { "\($0.commitClass)" } ?? "unknown", bytes: entry.value.count,
        key: RecordList.text(entry.name.key),
        words: RecordText.words(for: entry, showsPlaces: showsPlaces) ?? "")
    }
  }

  /// A table of type, class, size of the value, owner and content.
  var table: String {
    let rows = rows
    let width = rows.map(\.kind.count).max() ?? 0
    let lines = rows.map { row in
      let bytes = String(row.bytes)
      var line = row.kind + String(repeating: " ", count: width - row.kind.count)
      line += "  " + row.commitClass + String(repeating: " ", count: 7 - row.commitClass.count)
      line += String(repeating: " ", count: max(0, 6 - bytes.count)) + bytes
      return ([line] + [row.key, row.words].filter { !$0.isEmpty }.map(PlainText.line))
        .joined(separator: "  ")
    }
    return lines.isEmpty ? "nothing is kept" : lines.joined(separator: "\n")
  }

  /// A JSON object for each record.
  var objects: [String] {
    rows.map { row in
      var object = JSONObject()
      object.add("type", row.kind)
      object.add("class", row.commitClass)
      object.add("bytes", Int64(row.bytes))
      if !row.key.isEmpty { object.add("key", row.key) }
      if !row.words.isEmpty { object.add("value", row.words) }
      return object.text
    }
  }

  /// A key for people: a zero byte separates an app from its own key; keys that are not text are in hexadecimal.
  private static func text(_ key: [UInt8]) -> String {
    let spaced = key.map { $0 == 0 ? UInt8(ascii: " ") : $0 }
    if let text = String(validating: spaced, as: UTF8.self),
      text.unicodeScalars.allSatisfy(PlainText.isPlain)
    {
      return text
    }
    return key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
