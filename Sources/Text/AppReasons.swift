import BinnacleBasics
public import BinnacleModel

/// The rows of `binnacle why APP`: what an app gets, and each condition for it.
public struct AppReasons: Sendable {
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

  /// The app.
  public var name: String { PlainText.line(head[.rowID] ?? "") }

  /// Whether the app gets locations now.
  public var isReceiving: Bool { head[.rowReceives] == true }

  /// Whether the app gets locations, with the flags of its updates.
  public var verdict: String {
    let flags = words(head[.rowFlags])
    return (isReceiving ? "gets locations" : "gets no locations")
      + (flags.isEmpty ? "" : " (\(flags.joined(separator: ", ")))")
  }

  /// The first condition that is not met, without the name of the app, and the change that would meet it.
  ///
  /// With reduced accuracy an app still gets locations.
  public var obstacle: (text: String, change: String?)? {
    let unmet = conditions.first { $0[.rowHolds] == false && $0[.rowKey] != "accuracy" }
    guard !isReceiving, let unmet else { return nil }
    let text = PlainText.line(unmet[.rowText] ?? "")
    let isOfApp = text.hasPrefix(name + " ")
    return (
      isOfApp ? String(text.dropFirst(name.count + 1)) : text,
      unmet[.rowChange].map { PlainText.line($0) }
    )
  }

  /// The app, and a line for each condition.
  public var lines: String {
    var lines = ["\(name): \(verdict)"]
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
