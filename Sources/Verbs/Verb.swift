/// One row of a program's command table: everything that help, manual page, completion and dispatch need.
public struct Verb<Action> {
  /// One word or several, such as `watch` or `state erase`.
  public let name: String
  /// A line without a full stop.
  public let summary: String
  /// The words behind the verb as help shows them, such as `[on|off]`; empty: there are none.
  public let operands: String
  /// The most words behind the verb that are no options.
  public let operandsMax: Int
  /// The words that there are for the first operand; empty when they are not a list.
  public let operandValues: [String]
  public let options: [VerbOption]
  /// Whether words that begin with a dash are operands, too, such as negative numbers.
  public let takesDashes: Bool
  /// Paragraphs.
  public let details: [String]
  /// Whole command lines.
  public let examples: [String]
  public let action: Action

  public init(
    _ name: String, _ summary: String, operands: String = "", operandsMax: Int = 0,
    operandValues: [String] = [], options: [VerbOption] = [], takesDashes: Bool = false,
    details: [String] = [],
    examples: [String] = [], action: Action
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandsMax = operandsMax
    self.operandValues = operandValues
    self.options = options
    self.takesDashes = takesDashes
    self.details = details
    self.examples = examples
    self.action = action
  }

  /// The words of the name.
  var words: [String] { name.split(separator: " ").map(String.init) }
}

extension Verb: Sendable where Action: Sendable {}
