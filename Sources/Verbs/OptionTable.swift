import BinnacleBasics
public import BinnaclePosix

/// The options of a program without verbs: a row each, from which help, completion and the parsing come.
public struct OptionTable: Sendable {
  public let program: String
  /// The purpose of the program, a line without a full stop.
  public let summary: String
  /// Paragraphs at the end of the help.
  public let closing: [String]
  private let options: [VerbOption]

  private static let ownOptions: [VerbOption] = [
    .value(
      "completion", "SHELL", among: Shell.allCases.map(\.rawValue),
      "print the completion of these options for a shell: bash, zsh"),
    .flag("help", "this list"),
    .flag("version", "the version"),
  ]

  /// The rows come without `--help`, `--version` and `--completion`, which every program has.
  public init(program: String, summary: String, options: [VerbOption], closing: [String] = []) {
    self.program = program
    self.summary = summary
    self.options = options + OptionTable.ownOptions
    self.closing = closing
  }

  /// Reads the words behind the program's name.
  ///
  /// - Throws: which word is wrong.
  public func arguments(_ words: [String]) throws(Arguments.UsageError) -> Arguments {
    try Arguments(
      words.map { $0 == "-h" ? "--help" : $0 },
      options: options.map { $0.value == nil ? .flag($0.name) : .value($0.name) })
  }

  /// The shell of `--completion`; nil when the option is absent.
  public func shell(in arguments: Arguments) throws(Arguments.UsageError) -> Shell? {
    guard let name = arguments.value("completion") else { return nil }
    guard let shell = Shell(rawValue: name) else {
      let names = Shell.allCases.map(\.rawValue).joined(separator: " or ")
      throw .init("option '--completion' needs a shell: \(names)")
    }
    return shell
  }

  /// Help in at most 80 columns.
  public var help: String {
    var lines = ["\(program): \(summary)", "", "  \(program) [OPTIONS]", ""]
    lines += HelpText.columns(options.map { ($0.synopsis, $0.summary) })
    for paragraph in closing { lines += [""] + HelpText.paragraph(paragraph) }
    return lines.joined(separator: "\n")
  }

  /// A script for the shell: the options, and behind an option its values or files.
  public func completion(for shell: Shell) -> String {
    let words = options.map { "--\($0.name)" }.joined(separator: " ")
    let cases = options.filter { $0.value != nil }.map {
      "  --\($0.name)) offer='\($0.values.joined(separator: " "))' ;;"
    }
    return CompletionScript(
      program: program,
      lines: ["case \"$previous\" in"] + cases + ["  *) offer='\(words)' ;;", "esac"]
    ).text(for: shell)
  }
}
