import BinnacleBasics
public import BinnacleModel

/// The formats of the daemon's report in `binnacle status`.
public enum ReportText {
  /// One JSON object with the report's names as keys.
  public static func json(_ report: Report) -> String {
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

  /// One line per item, with the values in one column.
  public static func lines(_ report: Report) -> String {
    let names = report.items.map { PlainText.line($0.name) }
    let width = names.map(\.count).max() ?? 0
    return zip(names, report.items).map { name, item in
      let padding = String(repeating: " ", count: width - name.count)
      return name + padding + "  " + value(item.value)
    }.joined(separator: "\n")
  }

  /// A value as text; empty without a value.
  static func value(_ value: Report.Value?) -> String {
    value.map { Self.value($0) } ?? ""
  }

  private static func value(_ value: Report.Value) -> String {
    switch value {
    case .text(let text): PlainText.line(text)
    case .integer(let integer): String(integer)
    case .number(let number): number.description
    case .flag(let flag): flag ? "yes" : "no"
    }
  }
}
