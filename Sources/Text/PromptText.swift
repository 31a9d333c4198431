import BinnacleBasics
public import BinnacleModel

/// An open request of an app as text: the sentence for the person, and the commands that answer it.
public enum PromptText {
  /// - Parameters:
  ///   - row: a row of the list of open requests.
  ///   - program: the program's name with a blank, as before a command; empty on the console.
  /// - Returns: the lines.
  public static func question(_ row: Report, program: String) -> String {
    let app = AppID.shellWord(PlainText.line(row[.rowID] ?? ""))
    return """
      \(PlainText.line(row[.rowText] ?? ""))
        \(program)allow \(app)
        \(program)deny \(app)
      """
  }

  /// A request that has come or gone, by `PromptChanges`.
  public static func change(_ row: Report, program: String) -> String {
    if row[.rowIsOpen] == true { return question(row, program: program) }
    return "\(PlainText.line(row[.rowID] ?? "")): the request is answered or withdrawn"
  }
}
