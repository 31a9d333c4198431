import BinnacleBasics
public import BinnacleModel

/// An open request of an app as text: the sentence for the person, and the commands that answer it.
public enum PromptText {
  /// The user that reads the text.
  public enum Reader: Sendable {
    /// A user that may answer the request.
    case `operator`
    /// A user that perhaps may not answer the request.
    case anyUser
  }

  /// - Parameters:
  ///   - row: a row of the list of open requests.
  ///   - program: the program's name with a blank, as before a command; empty on the console.
  ///   - reader: the user that reads the text.
  /// - Returns: the lines.
  public static func question(
    _ row: Report, program: String, for reader: Reader = .operator
  ) -> String {
    let app = AppID.shellWord(PlainText.line(row[.rowID] ?? ""))
    let name: String? = row[.rowRequest]
    let right = name.flatMap { RequestedRight(name: $0) } ?? .whenInUse
    let commands = [right.grant(to: app), right.refusal(to: app)].map { program + $0 }
    let lines =
      switch reader {
      case .operator: commands.map { "  " + $0 }
      case .anyUser: ["  an operator answers with:"] + commands.map { "    " + $0 }
      }
    return ([PlainText.line(row[.rowText] ?? "")] + lines).joined(separator: "\n")
  }

  /// A request that has come or gone, by `PromptChanges`.
  public static func change(
    _ row: Report, program: String, for reader: Reader = .operator
  ) -> String {
    if row[.rowIsOpen] == true { return question(row, program: program, for: reader) }
    return "\(PlainText.line(row[.rowID] ?? "")): the request is answered or withdrawn"
  }
}
