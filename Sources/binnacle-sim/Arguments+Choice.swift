import BinnaclePosix

extension Arguments {
  /// The value of an option with a fixed list of words; nil when the option was not given.
  func choice<Choice: CaseIterable & RawRepresentable>(_ name: String) throws -> Choice?
  where Choice.RawValue == String {
    guard let text = value(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw Arguments.UsageError("option '--\(name)': '\(text)' is none of \(known)")
    }
    return choice
  }

  /// The values of an option that is a comma-separated list from a fixed list of words; empty when not given.
  func choices<Choice: CaseIterable & RawRepresentable>(_ name: String) throws -> [Choice]
  where Choice.RawValue == String {
    try (value(name) ?? "").split(separator: ",").map { text in
      guard let choice = Choice(rawValue: String(text)) else {
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw Arguments.UsageError("option '--\(name)': '\(text)' is none of \(known)")
      }
      return choice
    }
  }
}
