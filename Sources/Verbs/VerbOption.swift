/// An option of a verb: its name, its value, and its description.
public struct VerbOption: Sendable {
  /// The name without its dashes.
  public let name: String
  /// The word for the value in help, such as `FILE`; nil for an option without a value.
  public let value: String?
  /// The possible values; empty if there is no fixed list.
  public let values: [String]
  /// The kind of names that may be the value; nil: none that a running board knows.
  public let names: VerbNames?
  /// An alternative letter, such as `o` for `-o`.
  public let letter: Character?
  public let summary: String
  /// Whether the option may be used at a console on a serial line: never if its value is a path.
  public let isOnConsole: Bool

  private init(
    _ name: String, value: String?, values: [String], names: VerbNames? = nil, letter: Character?,
    isOnConsole: Bool, _ summary: String
  ) {
    self.name = name
    self.value = value
    self.values = values
    self.names = names
    self.letter = letter
    self.summary = summary
    let isPath = value.map { ["DEVICE", "DIR", "FILE", "OUT", "PATH"].contains($0) } ?? false
    self.isOnConsole = isOnConsole && !isPath
  }

  /// An option without a value.
  public static func flag(
    _ name: String, letter: Character? = nil, isOnConsole: Bool = true, _ summary: String
  ) -> VerbOption {
    VerbOption(
      name, value: nil, values: [], letter: letter, isOnConsole: isOnConsole, summary)
  }

  /// An option with a value.
  public static func value(
    _ name: String, _ value: String, among values: [String] = [], names: VerbNames? = nil,
    letter: Character? = nil, isOnConsole: Bool = true, _ summary: String
  ) -> VerbOption {
    VerbOption(
      name, value: value, values: values, names: names, letter: letter, isOnConsole: isOnConsole,
      summary)
  }

  /// Whether a word of a command line is this option, with or without a value.
  func isWritten(_ word: String) -> Bool {
    word == "--\(name)" || word.hasPrefix("--\(name)=")
      || letter.map { "-\($0)" == word } == true
  }

  /// The option in the help: `--count N`.
  var synopsis: String {
    (letter.map { "-\($0), " } ?? "") + "--\(name)" + (value.map { " \($0)" } ?? "")
  }
}
