import BinnaclePosix
import Testing
import Verbs

@Suite struct VerbTableTests {
  private let table = VerbTable<Int>(
    program: "tool", summary: "do things",
    verbs: [
      Verb(
        "look", "look at a thing", operands: "[THING]", operandsMax: 1,
        operandValues: ["near", "far"],
        options: [
          .flag("json", "one JSON object"),
          .value("output", "FILE", letter: "o", "where; otherwise standard output"),
          .value("form", "NAME", among: ["short", "long"], "short or long"),
        ],
        details: ["It looks."], examples: ["tool look near"], action: 1),
      Verb("keep", "list what is kept", action: 2),
      Verb("keep erase", "forget it", operands: "WHAT", operandsMax: 1, action: 3),
      Verb("move", "move by numbers", operandsMax: 3, takesDashes: true, action: 4),
    ],
    sharedOptions: [.value("runtime", "DIR", "where the socket is")],
    closing: ["Exit status: 0 done."])

  private func run(_ words: String...) throws -> (action: Int, arguments: Arguments) {
    guard case .run(let verb, let arguments) = try table.request(words) else {
      Issue.record("\(words) shows text")
      return (0, try Arguments([], options: []))
    }
    return (verb.action, arguments)
  }

  private func text(_ words: String...) throws -> String {
    guard case .show(let text) = try table.request(words) else {
      Issue.record("\(words) runs a verb")
      return ""
    }
    return text
  }

  private func complaint(_ words: String...) -> String? {
    do {
      _ = try table.request(words)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func theLongestNameDecides() throws {
    #expect(try run("keep").action == 2)
    let erase = try run("keep", "erase", "all")
    #expect(erase.action == 3)
    #expect(erase.arguments.positionals == ["all"])
  }

  @Test func aSharedOptionStandsBeforeOrBehindTheVerb() throws {
    #expect(try run("--runtime", "/r", "look").arguments.value("runtime") == "/r")
    #expect(try run("--runtime=/r", "look").arguments.value("runtime") == "/r")
    #expect(try run("look", "--runtime", "/r").arguments.value("runtime") == "/r")
  }

  @Test func aLetterMeansItsOption() throws {
    #expect(try run("look", "-o", "f").arguments.value("output") == "f")
  }

  @Test func wordsWithDashesAreOperandsWhereTheRowReportsThat() throws {
    #expect(try run("move", "-1", "0", "-2").arguments.positionals == ["-1", "0", "-2"])
    #expect(complaint("keep", "-1") != nil)
  }

  @Test func aWrongWordIsNamed() {
    #expect(
      complaint("lok")
        == "'lok' is not a command; did you mean 'look'?; 'tool help' lists the commands")
    #expect(
      complaint("look", "--jsn")
        == "look: unknown option '--jsn'; did you mean '--json'?; 'tool look --help' says more")
    #expect(
      complaint("keep", "erase", "a", "b")
        == "keep erase: unexpected argument 'b'; 'tool keep erase --help' says more")
    #expect(complaint() == "a command is missing; 'tool help' lists the commands")
    #expect(complaint("completion", "fish") == "completion needs a shell: bash or zsh")
  }

  @Test(arguments: [["look", "--help"], ["look", "-h"], ["help", "look"]])
  func aVerbHasHelpOfItsOwn(words: [String]) throws {
    guard case .show(let text) = try table.request(words) else {
      Issue.record("no help")
      return
    }
    #expect(
      text == """
        tool look: look at a thing

          tool look [THING] [--json] [--output FILE] [--form NAME]

          --json             one JSON object
          -o, --output FILE  where; otherwise standard output
          --form NAME        short or long

        It looks.

        Examples:
          tool look near
        """)
  }

  @Test func theCommandsOfEveryTableHaveHelp() throws {
    #expect(
      try text("completion", "--help") == """
        tool completion: print the completion script for a shell

          tool completion bash|zsh
        """)
    let help = try text("help", "--help")
    #expect(help.hasSuffix("\n\n  tool help [COMMAND|--all]"))
    #expect(try text("help", "help") == help)
    #expect(try text("help", "completion") == text("completion", "-h"))
  }

  @Test func theHelpOfAFamilyHasAllItsVerbs() throws {
    let help = try text("keep", "--help")
    #expect(help.contains("tool keep: list what is kept"))
    #expect(help.contains("tool keep erase: forget it"))
  }

  @Test func theProgramsHelpHasALineForEachVerb() throws {
    let help = try text("help")
    for verb in table.verbs { #expect(help.contains("\n  \(verb.name) ")) }
    #expect(help.hasPrefix("tool: do things\n"))
    #expect(help.hasSuffix("Exit status: 0 done."))
    #expect(try text("help", "--all").contains("Examples:\n  tool look near"))
  }

  private func offers(_ words: String...) throws -> Set<String> {
    Set(try ShellOffers.bash("tool", table.completion(for: .bash), words))
  }

  @Test func bashOffersVerbsOptionsAndValues() throws {
    #expect(
      try offers("") == ["look", "keep", "move", "help", "completion"])
    #expect(try offers("lo") == ["look"])
    #expect(
      try offers("look", "")
        == ["near", "far", "--json", "--output", "--form", "--runtime", "--help"])
    #expect(try offers("look", "--form", "") == ["short", "long"])
    #expect(try offers("look", "--form", "l") == ["long"])
    #expect(try offers("look", "--json", "f") == ["far"])
    #expect(try offers("keep", "") == ["erase", "--runtime", "--help"])
    #expect(try offers("--runtime", "/r", "mo") == ["move"])
    #expect(try offers("completion", "") == ["bash", "zsh"])
  }
}
