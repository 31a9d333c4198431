/// One row of a program's command table: all data for help, manual page, completion and dispatch.
public struct Verb<Action> {
  /// One or several words, such as `watch` or `state erase`.
  public let name: String
  /// One line without a full stop.
  public let summary: String
  /// The operands in the help, such as `[on|off]`; empty without operands.
  public let operands: String
  /// The largest number of operands.
  public let operandsMax: Int
  /// The possible values of the first operand; empty if there is no fixed list.
  public let operandValues: [String]
  /// The names that may be the first operand; nil: none that a running board knows.
  public let operandNames: VerbNames?
  public let options: [VerbOption]
  /// Whether the verb reads keys or lines of the terminal while it runs.
  public let isInteractive: Bool
  /// When the verb may be used at a console on a serial line; nil in a table without such a console.
  public let console: ConsoleUse?
  /// Whether words that begin with a dash may be operands, such as negative numbers.
  public let takesDashes: Bool
  /// Paragraphs of the help.
  public let details: [String]
  /// Complete command lines.
  public let examples: [String]
  public let action: Action

  public init(
    _ name: String, _ summary: String, operands: String = "", operandsMax: Int = 0,
    operandValues: [String] = [], operandNames: VerbNames? = nil, options: [VerbOption] = [],
    isInteractive: Bool = false, console: ConsoleUse? = nil, takesDashes: Bool = false,
    details: [String] = [],
    examples: [String] = [], action: Action
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandsMax = operandsMax
    self.operandValues = operandValues
    self.operandNames = operandNames
    self.options = options
    self.isInteractive = isInteractive
    self.console = console
    self.takesDashes = takesDashes
    self.details = details
    self.examples = examples
    self.action = action
  }

  /// The verb without the options that are not for a console on a serial line.
  var onConsole: Verb {
    Verb(
      name, summary, operands: operands, operandsMax: operandsMax, operandValues: operandValues,
      operandNames: operandNames, options: options.filter(\.isOnConsole),
      isInteractive: isInteractive, console: console, takesDashes: takesDashes, details: details,
      examples: examples, action: action)
  }

  /// The words of the name.
  var words: [String] { name.split(separator: " ").map(String.init) }
}

extension Verb: Sendable where Action: Sendable {}
