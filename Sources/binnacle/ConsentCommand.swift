import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire

/// The verbs about the rights of apps: `apps`, `grants`, `prompts`, `allow`, `deny`, `reset`, `foreground`, `background`
/// and `home`.
extension Commands {
  /// Prints the open requests: the sentence for the person, or one JSON object a line.
  func prompts(isJSON: Bool) throws(Errno) -> ExitStatus {
    try list(.prompts, isJSON: isJSON) { rows in
      rows.isEmpty
        ? "no app has an open request"
        : rows.map(Commands.question).joined(separator: "\n")
    }
  }

  private static func question(_ row: Report) -> String {
    let app = AppID.shellWord(PlainText.line(row[.rowID] ?? ""))
    return """
      \(PlainText.line(row[.rowText] ?? ""))
        binnacle allow \(app)
        binnacle deny \(app)
      """
  }

  /// Prints a list as a table, or one JSON object a line.
  func list(_ request: ConsentRequest, isJSON: Bool, empty: String) throws(Errno) -> ExitStatus {
    try list(request, isJSON: isJSON) { $0.isEmpty ? empty : RowTable($0).text }
  }

  private func list(
    _ request: ConsentRequest, isJSON: Bool, text: ([Report]) -> String
  ) throws(Errno) -> ExitStatus {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: "binnacle list")
    _ = connection.machine.request(.consent(request), at: Clock.now)
    var rows: [Report] = []
    return try ask(connection) { action in
      guard case .rows(let piece, let isLast) = action else { return nil }
      rows += piece
      guard isLast else { return nil }
      if isJSON {
        return rows.allSatisfy { Output.print(ReportText.json($0)) } ? .success : .failure
      }
      return Output.print(text(rows)) ? .success : .failure
    }
  }

  /// Makes a change, and prints the reason if it fails.
  func change(_ request: ConsentRequest, verb: String) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle \(verb)")
    _ = connection.machine.request(.consent(request), at: Clock.now)
    return try ask(connection) { action in
      guard case .answered(let refusal) = action else { return nil }
      guard let refusal else { return .success }
      complain("\(verb): \(refusal.text)")
      return switch refusal.kind {
      case .appUnknown: .dataDamaged
      case .notPermitted: .notPermitted
      default: .failure
      }
    }
  }
}
