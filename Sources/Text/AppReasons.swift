import BinnacleBasics
public import BinnacleModel

/// The rows of `binnacle why APP`: what an app gets, and each condition for it.
public struct AppReasons {
  private let head: Report
  private let conditions: [Report]

  /// Groups the rows of a list by app.
  public static func grouped(_ rows: [Report]) -> [AppReasons] {
    var groups: [(id: String?, rows: [Report])] = []
    for row in rows {
      let id = row[.rowID]
      if groups.last?.id == id, !groups.isEmpty {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append((id, [row]))
      }
    }
    return groups.map { AppReasons(head: $0.rows[0], conditions: Array($0.rows.dropFirst())) }
  }

  /// One JSON object with the keys `id`, `receives`, `flags` and `reasons`.
  public var json: String {
    var object = JSONObject()
    object.add(ReportKey.rowID.name, head[.rowID] ?? "")
    object.add(ReportKey.rowReceives.name, head[.rowReceives] ?? false)
    object.add(ReportKey.rowFlags.name, words(head[.rowFlags]))
    object.add(
      "reasons",
      conditions.map { condition in
        var reason = JSONObject()
        reason.add(ReportKey.rowKey.name, condition[.rowKey] ?? "")
        reason.add(ReportKey.rowHolds.name, condition[.rowHolds] ?? false)
        reason.add(ReportKey.rowText.name, condition[.rowText] ?? "")
        if let change = condition[.rowChange] { reason.add(ReportKey.rowChange.name, change) }
        return reason
      })
    return object.text
  }

  /// The app, and a line for each condition.
  public var lines: String {
    let flags = words(head[.rowFlags])
    let title =
      "\(PlainText.line(head[.rowID] ?? "")): \(head[.rowReceives] == true ? "gets locations" : "gets no locations")"
      + (flags.isEmpty ? "" : " (\(flags.joined(separator: ", ")))")
    var lines = [title]
    for condition in conditions {
      let mark = condition[.rowHolds] == true ? "  yes  " : "  NO   "
      lines += FoldedLine.pieces(mark + PlainText.line(condition[.rowText] ?? ""), hang: 7)
      if let change = condition[.rowChange] {
        lines += FoldedLine.pieces("       change: \(PlainText.line(change))", hang: 9)
      }
    }
    return lines.joined(separator: "\n")
  }

  private func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: " ").map { PlainText.line(String($0)) }
  }
}
