import BinnacleBasics
public import BinnacleModel

/// The formats of the daemon's report in `binnacle status`.
public enum ReportText {
  /// One JSON object of a list; the process IDs are an array.
  public static func json(row: Report) -> String {
    var object = JSONObject()
    for item in row.items {
      if item.name == ReportKey.rowProcessIDs.name, let processes = ProcessIDs(item.value) {
        object.add(item.name, processes.numbers)
      } else {
        add(item, to: &object)
      }
    }
    return object.text
  }

  /// One JSON object with the report's names as keys.
  public static func json(_ report: Report) -> String {
    var object = JSONObject()
    for item in report.items { add(item, to: &object) }
    return object.text
  }

  private static func add(_ item: Report.Item, to object: inout JSONObject) {
    switch item.value {
    case .text(let text): object.add(item.name, text)
    case .integer(let integer): object.add(item.name, integer)
    case .number(let number): object.add(item.name, number)
    case .flag(let flag): object.add(item.name, flag)
    }
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
  public static func value(_ value: Report.Value?) -> String {
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
