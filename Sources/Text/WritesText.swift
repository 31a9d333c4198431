public import BinnacleModel

/// The written bytes as a table.
///
/// There is a row for each class and for the kernel's counters. There are columns for the time since the start, and for
/// each hour of the last day with written bytes.
public struct WritesText {
  private let report: ReportReader

  public init(_ report: Report) {
    self.report = ReportReader(report)
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
    for name in ["now", "group", "lazy"] where report[.writesCommits(own, name)] ?? 0 > 0 {
      let values = [
        report[.writesCommits(own, name)], report[.writesCopies(own, name)],
        report[.writesBytes(own, name)], report[.writesFlushes(own, name)],
      ]
      rows.append(row("  \(name)", values.map { $0.map { String($0) } ?? "" }))
    }
    for (name, words) in [("process", "the daemon, by the kernel"), ("disk", "the disk, by all")] {
      guard let bytes = report[.kernelBytes(kernel, name)],
        bytes > 0 || own == "writes"
      else { continue }
      let flushes = report[.kernelFlushes(kernel, name)].map { String($0) } ?? ""
      rows.append(row("  \(words)", ["", "", String(bytes), flushes]))
    }
    return rows.isEmpty ? [] : [title] + rows
  }

  private func row(_ title: String, _ columns: [String]) -> String {
    var row = title + String(repeating: " ", count: max(0, 28 - title.count))
    for column in columns {
      row += String(repeating: " ", count: max(0, 12 - column.count)) + column
    }
    return row
  }
}
