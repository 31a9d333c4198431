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

  @Test(arguments: programs) func everyVerbHasHelpManualAndCompletion(_ program: Program) throws {
    let manual = try #require(try program.answer(["help", "--all"]).text)
    let bash = try #require(try program.answer(["completion", "bash"]).text)
    let zsh = try #require(try program.answer(["completion", "zsh"]).text)
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
