import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire

/// The verbs `log` and `settings`.
extension Commands {
  /// Prints the latest lines of the daemon's log, and with `isFollowed` each further line until it is interrupted.
  func log(upTo level: LogLevel, isFollowed: Bool, isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: "binnacle log")
    _ = connection.machine.request(.log(level, isFollowed: isFollowed), at: Clock.now)
    guard isFollowed else {
      return try ask(connection) { Commands.printLog($0, isJSON: isJSON, isFollowed: false) }
    }
    return try follow(connection) { Commands.printLog($0, isJSON: isJSON, isFollowed: true) }
  }

  /// Prints rows; returns the exit status at the end or after a failure.
  private static func printLog(
    _ action: ClientMachine.Action, isJSON: Bool, isFollowed: Bool
  ) -> ExitStatus? {
    switch action {
    case .answered(let refusal?):
      complain("log: \(refusal.text)")
      return .failure
    case .rows(let rows, let isLast):
      for row in rows {
        guard Output.print(isJSON ? ReportText.json(row: row) : LogText.line(row)) else {
          return .failure
        }
      }
      return isLast && !isFollowed ? .success : nil
    case _: return nil
    }
  }

  /// Prints the settings, or those with a name.
  func settings(named name: String?, isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle settings")
    _ = connection.machine.request(.settings, at: Clock.now)
    var rows: [Report] = []
    return try ask(connection) { action in
      if case .answered(let refusal?) = action {
        complain("settings: \(refusal.text)")
        return .failure
      }
      guard case .rows(let piece, let isLast) = action else { return nil }
      rows += piece.filter { row in name.map { SettingTable.row(row, isNamed: $0) } ?? true }
      guard isLast else { return nil }
      if rows.isEmpty, let name {
        complain("settings: there is no setting '\(name)'; 'binnacle settings' lists all")
        return .dataDamaged
      }
      if isJSON {
        return rows.allSatisfy { Output.print(ReportText.json(row: $0)) } ? .success : .failure
      }
      return Output.print(SettingTable(rows).lines) ? .success : .failure
    }
  }
}
