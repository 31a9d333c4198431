import BinnacleBasics
import BinnacleModel

/// The values of a report by key, with text made safe for terminals.
struct ReportReader {
  private let values: [String: Report.Value]
  private let names: [String]

  init(_ report: Report) {
    names = report.items.map(\.name)
    values = Dictionary(report.items.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// A number or a flag.
  subscript<Value: ReportValue>(key: ReportKey<Value>) -> Value? {
    values[key.name].flatMap { Value($0) }
  }

  /// A text as one line without control characters.
  subscript(key: ReportKey<String>) -> String? {
    values[key.name].flatMap { String($0) }.map { PlainText.line($0) }
  }

  /// A time in words.
  func duration(_ key: ReportKey<Double>) -> String? {
    self[key].map { DurationText.words($0) }
  }

  /// A count in digits, or a question mark for an unknown count.
  func count(_ key: ReportKey<Int64>) -> String {
    self[key].map { String($0) } ?? "?"
  }

  /// A count with its noun, as ``CountText`` has it; a question mark stands for an unknown count.
  func count(
    _ key: ReportKey<Int64>, _ singular: String, _ plural: String? = nil
  ) -> String {
    self[key].map { CountText.words($0, singular, plural) } ?? "? \(plural ?? singular + "s")"
  }

  /// The middle parts of all names with this prefix and suffix, in the order of the report.
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
