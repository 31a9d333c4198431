import Model

/// How `binnacle status` shows the daemon's report.
enum ReportText {
  /// One JSON object with the report's names as keys.
  static func json(_ report: Report) -> String {
    var object = JSONObject()
    for item in report.items {
      switch item.value {
      case .text(let text): object.add(item.name, text)
      case .integer(let integer): object.add(item.name, integer)
      case .number(let number): object.add(item.name, number)
      case .flag(let flag): object.add(item.name, flag)
      }
    }
    return object.text
  }

  /// One line for each item, the values in one column.
  static func lines(_ report: Report) -> String {
    let width = report.items.map(\.name.count).max() ?? 0
    return report.items.map { item in
      let padding = String(repeating: " ", count: width - item.name.count)
      return item.name + padding + "  " + value(item.value)
    }.joined(separator: "\n")
  }

  private static func value(_ value: Report.Value) -> String {
    switch value {
    case .text(let text): printable(text)
    case .integer(let integer): String(integer)
    case .number(let number): number.description
    case .flag(let flag): flag ? "yes" : "no"
    }
  }

  /// A client chooses its own name: what would move the terminal's cursor is shown as a dot.
  static func printable(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      shown.unicodeScalars.append(isControl ? "." : scalar)
    }
    return shown
  }
}
