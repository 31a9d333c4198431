import BinnacleBasics
public import BinnacleModel

/// The settings of the board as text: name, value, and where the value comes from.
public struct SettingTable {
  private let rows: [Report]

  public init(_ rows: [Report]) { self.rows = rows }

  /// The name of a setting, such as `Location.PromptTimeout`.
  public static func name(_ row: Report) -> String {
    PlainText.line("\(row[.rowSection] ?? "").\(row[.rowSetting] ?? "")")
  }

  /// Whether a setting has this name, or its section or its key has.
  public static func row(_ row: Report, isNamed name: String) -> Bool {
    [self.name(row), row[.rowSection] ?? "", row[.rowSetting] ?? ""].contains {
      $0.lowercased() == name.lowercased()
    }
  }

  public var lines: String {
    let cells = rows.map { row in
      (SettingTable.name(row), row[.rowValue].map { PlainText.line($0) } ?? "-", source(row))
    }
    let nameWidth = cells.map { TextColumns.count($0.0) }.max() ?? 0
    let valueWidth = min(24, cells.map { TextColumns.count($0.1) }.max() ?? 0)
    return cells.flatMap { name, value, source in
      FoldedLine.pieces(
        padded(name, nameWidth) + "  " + padded(value, valueWidth) + "  " + source, hang: 2)
    }.joined(separator: "\n")
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TextColumns.count(text)))
  }

  private func source(_ row: Report) -> String {
    let origin = PlainText.line(row[.rowOrigin] ?? "?")
    guard let file = row[.rowFile], let line = row[.rowFileLine] else { return origin }
    return "\(origin) \(PlainText.line(file)):\(line)"
  }
}
