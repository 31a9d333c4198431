import BinnaclePosix
import Testing
import Verbs

@testable import binnacle
@testable import binnacle_sim

/// The rows of the programs.
struct ProgramVerbsTests {
  /// A table without its type of actions.
  struct Program: Sendable, CustomTestStringConvertible {
    let name: String
    let verbs: [(name: String, help: String, options: [String], examples: [String])]
    /// The text for a command line, or the name of the verb that would run.
    let answer: @Sendable ([String]) throws -> (text: String?, verb: String?)
    var testDescription: String { name }
  }

  static let programs = [
    program { BinnacleVerbs.table }, program { SimulatorVerbs.table },
  ]

  private static func program<Action>(
    _ table: @escaping @Sendable () -> VerbTable<Action>
  ) -> Program {
    Program(
      name: table().program,
      verbs: table().verbs.map {
        ($0.name, table().help(of: $0), $0.options.map(\.name), $0.examples)
      },
      answer: { words in
        switch try table().request(words) {
        case .show(let text): (text, nil)
        case .run(let verb, _): (nil, verb.name)
        }
      })
  }

  @Test(arguments: programs) func theExamplesOfARowRunItsVerb(_ program: Program) throws {
    var count = 0
    for verb in program.verbs {
      for example in verb.examples {
        let line = example.prefix { !"|>#".contains($0) }
        let words = line.split(separator: " ").map(String.init)
        let start = try #require(words.firstIndex(of: program.name), "\(example)")
        #expect(try program.answer(Array(words[(start + 1)...])).verb == verb.name, "\(example)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  @Test(arguments: programs) func everyVerbHasAnExample(_ program: Program) {
    #expect(program.verbs.filter(\.examples.isEmpty).map(\.name) == [])
  }

  /// The help of a command on one line.
  private static func line(_ words: String...) throws -> String {
    let text = try programs.compactMap { program in
      program.name == words.first ? try program.answer(Array(words.dropFirst())).text : nil
    }.first
    return try #require(text).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  @Test func theHelpHasEachExitStatus() throws {
    let general = try Self.line("binnacle", "help")
    for words in [
      "the change is not possible", "65 no log or frame, no such app or setting",
      "69 no daemon, no such button, or the receiver sleeps",
      "130 a signal interrupted the request",
    ] { #expect(general.contains(words), "\(words)") }
    #expect(try Self.line("binnacle", "decode", "--help").contains("1 the output failed"))
  }

  @Test func theListOfRecordsIsAnObjectALine() throws {
    for name in ["state", "state show"] {
      let verb = try #require(Self.programs[0].verbs.first { $0.name == name })
      let words = verb.help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      #expect(words.contains("--json one JSON object a line"), "\(name)")
    }
  }

  @Test func theHelpOfReplayDescribesItsOutput() throws {
    #expect(try Self.line("binnacle-sim", "replay", "--help").contains("'binnacle trace'"))
  }

  @Test(arguments: programs) func everyVerbHasHelpManualAndCompletion(_ program: Program) throws {
    let manual = try #require(try program.answer(["help", "--all"]).text)
    let bash = try #require(try program.answer(["completion", "bash"]).text)
    let zsh = try #require(try program.answer(["completion", "zsh"]).text)
    // The function has the name of the file that zsh loads, and completes at its first use.
    let name = "_\(program.name)"
    #expect(zsh.contains("\n\(name)() {\n"))
    #expect(zsh.hasSuffix("then \(name) \"$@\"; else compdef \(name) \(program.name); fi"))
    for verb in program.verbs {
      let words = verb.name.split(separator: " ").map(String.init)
      let help = try #require(try program.answer(words + ["--help"]).text)
      #expect(help.contains(verb.help) && manual.contains(verb.help), "\(verb.name)")
      #expect(help.split(separator: "\n").filter { $0.count > 80 } == [], "\(verb.name)")
      for word in words + verb.options.map({ "--\($0)" }) {
        #expect(bash.contains(word) && zsh.contains(word), "\(verb.name): \(word)")
      }
    }
  }
}
