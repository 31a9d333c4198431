import BinnacleBasics
import BinnacleModel

/// A report by the type of its values, with text made safe for terminals.
struct ReportReader {
  private let values: [String: Report.Value]
  private let names: [String]

  init(_ report: Report) {
    names = report.items.map(\.name)
    values = Dictionary(report.items.map { ($0.name, $0.value) }) { first, _ in first }
  }

  func text(_ name: String) -> String? {
    guard case .text(let text) = values[name] else { return nil }
    return PlainText.line(text)
  }

  func flag(_ name: String) -> Bool? {
    guard case .flag(let flag) = values[name] else { return nil }
    return flag
  }

  func integer(_ name: String) -> Int64? {
    guard case .integer(let integer) = values[name] else { return nil }
    return integer
  }

  func number(_ name: String) -> Double? {
    guard case .number(let number) = values[name] else { return nil }
    return number
  }

  /// The middle parts of the names that begin and end so, in the order of the report.
  func members(_ prefix: String, _ suffix: String) -> [String] {
    names.compactMap { name in
      guard name.hasPrefix(prefix), name.hasSuffix(suffix),
        name.count > prefix.count + suffix.count
      else { return nil }
      let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
      return middle.contains(".") ? nil : String(middle)
    }
  }
}
