/// An option of a verb: its name, its value, and its description.
public struct VerbOption: Sendable {
  /// The name without its dashes.
  public let name: String
  /// The word for the value in help, such as `FILE`; nil for an option without a value.
  public let value: String?
  /// The possible values; empty if there is no fixed list.
  public let values: [String]
  /// An alternative letter, such as `o` for `-o`.
  public let letter: Character?
  public let summary: String

  private init(
    _ name: String, value: String?, values: [String], letter: Character?, _ summary: String
  ) {
    self.name = name
    self.value = value
    self.values = values
    self.letter = letter
    self.summary = summary
  }

  /// An option without a value.
  public static func flag(
    _ name: String, letter: Character? = nil, _ summary: String
  ) -> VerbOption {
    VerbOption(name, value: nil, values: [], letter: letter, summary)
  }

  /// An option with a value.
  public static func value(
    _ name: String, _ value: String, among values: [String] = [], letter: Character? = nil,
    _ summary: String
  ) -> VerbOption {
    VerbOption(name, value: value, values: values, letter: letter, summary)
  }

  /// The option in the help: `--count N`.
  var synopsis: String {
    (letter.map { "-\($0), " } ?? "") + "--\(name)" + (value.map { " \($0)" } ?? "")
  }
}
