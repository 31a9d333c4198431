public import BinnacleModel

/// What was written, as a table: a row for each class and for what the kernel counted, columns for the time since the start
/// and for the hours of the last day in which there was something.
public struct WritesText {
  private let report: Report

  public init(_ report: Report) {
    self.report = report
  }

  public var table: String {
    var lines = [row("", ["commits", "copies", "bytes", "flushes"])]
    lines += rows("since the start", "writes", "kernel")
    for age in 0..<24 {
      let title = age == 0 ? "this hour" : "\(age) h ago"
      lines += rows(title, "writes.hour_\(age)", "kernel.hour_\(age)")
    }
    return lines.joined(separator: "\n")
  }

  private func rows(_ title: String, _ own: String, _ kernel: String) -> [String] {
    var rows: [String] = []
    for name in ["now", "group", "lazy"] where number("\(own).\(name).commits") ?? 0 > 0 {
      let values = ["commits", "copies", "bytes", "flushes"].map { number("\(own).\(name).\($0)") }
      rows.append(row("  \(name)", values.map { $0.map { String($0) } ?? "" }))
    }
    for (name, words) in [("process", "the daemon, by the kernel"), ("disk", "the disk, by all")] {
      guard let bytes = number("\(kernel).\(name).bytes"),
        bytes > 0 || own == "writes"
      else { continue }
      let flushes = number("\(kernel).\(name).flushes").map { String($0) } ?? ""
      rows.append(row("  \(words)", ["", "", String(bytes), flushes]))
    }
    return rows.isEmpty ? [] : [title] + rows
  }

  private func number(_ name: String) -> Int64? {
    if case .integer(let number) = report[name] { number } else { nil }
  }

  private func row(_ title: String, _ columns: [String]) -> String {
    var row = title + String(repeating: " ", count: max(0, 28 - title.count))
    for column in columns {
      row += String(repeating: " ", count: max(0, 12 - column.count)) + column
    }
    return row
  }
}
