import BinnacleBasics

/// Help in at most 80 columns, for terminals, serial consoles and manual pages.
extension VerbTable {
  /// The program's help, with a line per verb.
  public var help: String {
    var lines = ["\(program): \(summary)", ""]
    let rows = verbs.map { (left: $0.name, right: $0.summary) }
    lines += HelpText.columns(rows + OwnVerb.allCases.map { ($0.synopsis, $0.summary) })
    if !sharedOptions.isEmpty {
      lines += ["", "Options of every command:"]
      lines += HelpText.columns(sharedOptions.map { ($0.synopsis, $0.summary) })
    }
    lines += [""] + HelpText.paragraph("'\(program) COMMAND --help' says more of a command.")
    for paragraph in closing { lines += [""] + HelpText.paragraph(paragraph) }
    return lines.joined(separator: "\n")
  }

  /// The verbs by purpose, on less than a screen of 24 rows.
  public var page: String {
    let names = Set(verbs.map(\.name))
    let rows = groups.map { group in
      (left: group.purpose, right: group.verbs.filter(names.contains).joined(separator: " "))
    }
    let lines = HelpText.columns(rows.filter { !$0.right.isEmpty })
    return
      (lines + ["", "'help COMMAND' explains a command, 'help all' lists all with their meaning."])
      .joined(separator: "\n")
  }

  /// The help of a command of every table.
  func help(ofOwn verb: OwnVerb) -> String {
    let title = HelpText.paragraph("\(program) \(verb.rawValue): \(verb.summary)")
    return (title + ["", "  \(program) \(verb.synopsis)"]).joined(separator: "\n")
  }

  /// The help of one verb.
  public func help(of verb: Verb<Action>) -> String {
    var lines = HelpText.paragraph("\(program) \(verb.name): \(verb.summary)")
    lines += [""] + HelpText.paragraph(synopsis(of: verb), indent: 2, hang: 6)
    if !verb.options.isEmpty {
      lines += [""] + HelpText.columns(verb.options.map { ($0.synopsis, $0.summary) })
    }
    for paragraph in verb.details { lines += [""] + HelpText.paragraph(paragraph) }
    if let console = verb.console { lines += ["", console.sentence] }
    if !verb.examples.isEmpty {
      lines += ["", "Examples:"] + verb.examples.map { "  " + $0 }
    }
    return lines.joined(separator: "\n")
  }

  /// The help of a verb, and of the verbs whose names begin with its name.
  func help(ofFamilyOf verb: Verb<Action>) -> String {
    let family = verbs.filter { $0.words.starts(with: verb.words) }
    return family.map { help(of: $0) }.joined(separator: "\n\n")
  }

  /// The synopsis, such as `binnacle watch [--json] [--count N]`.
  func synopsis(of verb: Verb<Action>) -> String {
    let options = verb.options.map { option in
      "[--\(option.name)" + (option.value.map { "\u{a0}\($0)" } ?? "") + "]"
    }
    let words = ["\(program) \(verb.name)", verb.operands] + options
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The help of the program and of all verbs: the text of the manual page.
  var fullHelp: String {
    ([help] + verbs.map { help(of: $0) }).joined(separator: "\n\n")
  }
}
