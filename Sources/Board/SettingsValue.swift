import BinnacleBasics

/// The values that stand behind a key.
enum SettingsValue {
  /// The fault of a value, and the valid values.
  struct Wrong: Error {
    let text: String
  }

  /// An absolute path.
  static func path(
    _ text: String, example: String = "/dev/serial0"
  ) throws(Wrong) -> String {
    if text.isEmpty {
      throw Wrong(text: "has no value, give a path such as \(example) or take the line out")
    }
    guard text.hasPrefix("/") else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not a path from the root, "
          + "write it like \(example)")
    }
    return text
  }

  /// A whole number, with its unit or without.
  static func count(
    _ text: String, unit: String, in range: ClosedRange<Int>
  ) throws(Wrong) -> Int {
    let number = Int(withoutUnit(text, unit)) ?? range.lowerBound - 1
    guard range.contains(number) else {
      let behind = unit.isEmpty ? "" : " " + unit
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)\(behind)")
    }
    return number
  }

  /// A length of time; a plain number is seconds.
  static func interval(
    _ text: String, in range: ClosedRange<Interval>, example: String
  ) throws(Wrong) -> Interval {
    guard let interval = interval(text) else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not a length of time, write it like \(example) "
          + "(units: ms s min h)")
    }
    guard range.contains(interval) else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is out of range, "
          + "\(shown(range.lowerBound)) to \(shown(range.upperBound)) is right")
    }
    return interval
  }

  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ms", 1_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000), ("h", 3_600_000_000_000),
  ]

  private static func interval(_ text: String) -> Interval? {
    let unit = units.first { text.hasSuffix($0.name) }
    let number = unit.map { withoutUnit(text, $0.name) } ?? text
    return decimal(number, times: unit?.nanoseconds ?? 1_000_000_000)
  }

  /// Exactly, without a detour over binary fractions: `0.1 s` is 100,000,000 ns.
  private static func decimal(_ text: String, times scale: Int64) -> Interval? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : "0"
    guard let first = parts.first, let whole = digits(first), let part = digits(fraction) else {
      return nil
    }
    let (product, isTooLong) = whole.multipliedReportingOverflow(by: scale)
    var tenth: Int64 = 1
    for _ in 0..<fraction.count { tenth *= 10 }
    let (rest, isTooFine) = part.multipliedReportingOverflow(by: scale)
    let (sum, isTooMuch) = product.addingReportingOverflow(rest / tenth)
    return isTooLong || isTooFine || isTooMuch ? nil : Interval(nanoseconds: sum)
  }

  private static func digits(_ text: Substring) -> Int64? {
    let isPlain =
      (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
    return isPlain ? Int64(text) : nil
  }

  static func withoutUnit(_ text: String, _ unit: String) -> String {
    guard !unit.isEmpty, text.hasSuffix(unit) else { return text }
    var number = text.dropLast(unit.count)
    while number.last == " " || number.last == "\t" { number.removeLast() }
    return String(number)
  }

  static func shown(_ interval: Interval) -> String {
    let unit: (name: String, nanoseconds: Int64) =
      units.first { $0.name == "s" && interval.nanoseconds % $0.nanoseconds == 0 } ?? units[0]
    return "\(interval.nanoseconds / unit.nanoseconds) \(unit.name)"
  }
}
