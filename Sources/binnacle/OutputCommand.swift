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
    guard isFollowed else {
      return try ask(connection) { Commands.printOutput($0, isJSON: isJSON, isFollowed: false) }
    }
    return try follow(connection) { Commands.printOutput($0, isJSON: isJSON, isFollowed: true) }
  }

  /// Prints rows; returns the exit status at the end or after a failure.
  private static func printOutput(
    _ action: ClientMachine.Action, isJSON: Bool, isFollowed: Bool
  ) -> ExitStatus? {
    switch action {
    case .answered(let refusal?):
      complain("output: \(refusal.text)")
      return switch refusal.kind {
      case .appUnknown: .dataDamaged
      case .notPermitted: .notPermitted
      default: .failure
      }
    case .rows(let rows, let isLast):
      for row in rows {
        guard Output.print(isJSON ? ReportText.json(row: row) : line(row)) else { return .failure }
      }
      return isLast && !isFollowed ? .success : nil
    case _: return nil
    }
  }

  private static func line(_ row: Report) -> String {
    if let line = row[.rowLine] { return PlainText.line(line) }
    return "(\(row[.rowLostLines] ?? 0) lines were dropped)"
  }
}
