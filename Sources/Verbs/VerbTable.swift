import BinnacleBasics
public import BinnaclePosix

/// The command table of a program: its verbs and their common options.
///
/// A verb exists only as a row, and each row has an action.
public struct VerbTable<Action> {
  public let program: String
  /// The purpose of the program: one line without a full stop.
  public let summary: String
  public let verbs: [Verb<Action>]
  /// Options of all verbs.
  public let sharedOptions: [VerbOption]
  /// Paragraphs at the end of the program's help.
  public let closing: [String]
  /// The verbs by purpose, for ``page``.
  let groups: [VerbGroup]

  public init(
    program: String, summary: String, verbs: [Verb<Action>], sharedOptions: [VerbOption] = [],
    closing: [String] = [], groups: [VerbGroup] = []
  ) {
    self.program = program
    self.summary = summary
    self.verbs = verbs
    self.sharedOptions = sharedOptions
    self.closing = closing
    self.groups = groups
  }

  /// The request of a command line.
  public enum Request {
    case run(Verb<Action>, Arguments)
    /// Print text to standard output.
    case show(String)
  }

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: the wrong word, and the command for help.
  public func request(_ words: [String]) throws(Arguments.UsageError) -> Request {
    var words = words[...]
    var leading: [String] = []
    // A shared option may be before the verb.
    while let word = words.first, let option = sharedOption(word) {
      let count = option.value == nil || word.contains("=") ? 1 : 2
      leading += words.prefix(count)
      words = words.dropFirst(count)
    }
    guard let first = words.first else {
      throw .init("a command is missing; '\(program) help' lists the commands")
    }
    if ["help", "--help", "-h"].contains(first) { return try showHelp(words.dropFirst()) }
    if first == "completion" { return try showCompletion(words.dropFirst()) }
    guard let verb = verb(leading: Array(words)) else { throw unknown(words) }
    words = words.dropFirst(verb.words.count)
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      return .show(help(ofFamilyOf: verb))
    }
    return .run(verb, try arguments(of: verb, leading + words))
  }

  /// Reads the arguments after a verb.
  private func arguments(
    of verb: Verb<Action>, _ words: [String]
  ) throws(Arguments.UsageError) -> Arguments {
    let options = verb.options + sharedOptions
    let known = options.map { option -> Arguments.Option in
      option.value == nil ? .flag(option.name) : .value(option.name)
    }
    let plain = words.map { word in
      options.first { $0.letter.map { "-\($0)" } == word }.map { "--\($0.name)" } ?? word
    }
    do {
      return try Arguments(
        (verb.takesDashes ? ["--"] : []) + plain, options: known, positionalsMax: verb.operandsMax)
    } catch {
      throw .init("\(verb.name): \(error); '\(program) \(verb.name) --help' says more")
    }
  }

  /// The verb with the longest name at the start of the words.
  func verb(leading words: [String]) -> Verb<Action>? {
    verbs.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
  }

  private func sharedOption(_ word: String) -> VerbOption? {
    sharedOptions.first { word == "--\($0.name)" || word.hasPrefix("--\($0.name)=") }
  }

  private func unknown(_ words: ArraySlice<String>) -> Arguments.UsageError {
    let names = Set(verbs.compactMap(\.words.first)).sorted() + ["help", "completion"]
    let word = words.first ?? ""
    let nearest = Spelling.nearest(to: word, among: names)
    return .init(
      "'\(word)' is not a command" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        + "; '\(program) help' lists the commands")
  }

  private func showHelp(
    _ words: ArraySlice<String>
  ) throws(Arguments.UsageError) -> Request {
    guard let word = words.first else { return .show(help) }
    if word == "--all", words.count == 1 { return .show(fullHelp) }
    if ["help", "--help", "-h"].contains(word) { return .show(help(ofOwn: .help)) }
    if word == "completion" { return .show(help(ofOwn: .completion)) }
    if let verb = verb(leading: Array(words)) { return .show(help(ofFamilyOf: verb)) }
    guard let first = verbs.first(where: { $0.words.first == word }) else { throw unknown(words) }
    return .show(help(ofFamilyOf: first))
  }

  private func showCompletion(
    _ words: ArraySlice<String>
  ) throws(Arguments.UsageError) -> Request {
    if words.contains("--help") || words.contains("-h") {
      return .show(help(ofOwn: .completion))
    }
    let names = Shell.allCases.map(\.rawValue).joined(separator: " or ")
    guard words.count == 1, let word = words.first, let shell = Shell(rawValue: word) else {
      throw .init("completion needs a shell: \(names)")
    }
    return .show(completion(for: shell))
  }
}
