import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire

/// The verb `output`.
extension Commands {
  /// Prints the latest lines of an app, and with `isFollowed` each further line until it is interrupted.
  func output(of app: String, isFollowed: Bool, isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle output")
    _ = connection.machine.request(
      .consent(.output(app: app, isFollowed: isFollowed)), at: Clock.now)
    var hasLines = false
    func take(_ action: ClientMachine.Action) -> ExitStatus? {
      switch action {
      case .answered(let refusal?):
        complain("output: \(refusal.text)")
        return Commands.status(of: refusal)
      case .rows(let rows, let isLast):
        for row in rows {
          let text = isJSON ? ReportText.json(row: row) : Commands.line(row)
          guard Output.print(text) else { return .failure }
        }
        if isLast, rows.isEmpty, !hasLines { complain(Commands.emptyOutput(of: app)) }
        hasLines = true
        return isLast && !isFollowed ? .success : nil
      case _: return nil
      }
    }
    return isFollowed ? try follow(connection, take) : try ask(connection, take)
  }

  /// The reason why there are no lines.
  private static func emptyOutput(of app: String) -> String {
    "output: there are no lines of \(app); the daemon has the lines since its own start, of apps that the launcher has "
      + "started ('binnacle start \(app)')"
  }

  private static func line(_ row: Report) -> String {
    if let line = row[.rowLine] { return PlainText.line(line) }
    let lost = CountText.words(row[.rowLostLines] ?? 0, "line was", "lines were")
    return "(\(lost) dropped)"
  }
}
